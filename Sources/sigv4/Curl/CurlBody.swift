// SPDX-License-Identifier: Apache-2.0
// The body of sigv4 curl: a file, standard input, or the parts of --data.

internal import RequestSigning
internal import SecureHashing

/// The body that curl sends.
enum CurlBody {
  /// A file that curl streams (--upload-file).
  case upload(String)
  /// Our standard input, which curl streams. It's stored once, in the buffers into which it was
  /// read.
  case input([[UInt8]])
  /// A file that curl reads (--data-binary).
  case file(String)
  case bytes([UInt8])

  func payload() throws -> SigV4.Payload {
    switch self {
    case .upload(let path), .file(let path): return try RequestBody(parts: ["@" + path]).payload()
    case .bytes(let bytes): return .bytes(bytes)
    case .input(let portions):
      var hash = SHA256()
      portions.forEach { hash.update(data: $0) }
      return .digest(hash.finalize())
    }
  }
}

/// One --data option.
struct CurlBodyPart {
  private let option: String
  private let name: String
  private let text: String
  let path: String?

  init(_ value: String, of option: String) {
    self.option = option
    var (name, text, path) = ("", value, String?.none)
    if option == "--data-urlencode" {
      // curl(1): content, =content, name=content, @file and name@file.
      if case (let content, let value?) = value.split(atFirst: "=") {
        (name, text) = (content, value)
      } else if case (let content, let file?) = value.split(atFirst: "@") {
        (name, path) = (content, file)
      }
    } else if option != "--data-raw" && value.hasPrefix("@") {
      path = String(value.dropFirst())
    }
    (self.name, self.text, self.path) = (name, text, path)
  }

  var isJSON: Bool { option == "--json" }

  /// The path of the file, or nil if the part is changed.
  var unchangedFile: String? { option == "--data-binary" || option == "--json" ? path : nil }

  func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    if let path {
      try System.readPortions(of: path) { bytes += $0 }
    } else {
      bytes = Array(text.utf8)
    }
    switch option {
    case "--data-urlencode":
      return Array((name.isEmpty ? "" : name + "=").utf8) + URIEncoding.encode(bytes)
    case "--data", "--data-ascii":
      return path == nil ? bytes : bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    default: return bytes
    }
  }
}
