// SPDX-License-Identifier: Apache-2.0
// The body that --data describes, hashed in constant memory.

internal import RequestSigning
internal import SecureHashing

/// The parts of a body as given with --data: text, "@FILE", or "@-" for standard input.
struct RequestBody {
  let parts: [String]

  init(_ parts: [String]) {
    self.parts = parts
  }

  var isEmpty: Bool { parts.isEmpty }

  /// The digest of the parts, joined by '&' as curl does, each unchanged.
  func payload() throws(CommandError) -> SigV4.Payload {
    if parts.isEmpty { return .empty }
    var hash = SHA256()
    for (index, part) in parts.enumerated() {
      if index > 0 { hash.update(data: "&".utf8) }
      if part.hasPrefix("@") {
        // Safety: the portion is hashed before it is given back.
        try unsafe System.readPortions(of: String(part.dropFirst())) { portion in
          unsafe hash.update(bufferPointer: portion)
        }
      } else {
        hash.update(data: part.utf8)
      }
    }
    return .digest(hash.finalize())
  }

  /// The same parts as options of curl.
  var curlOptions: [String] {
    parts.map { part in
      part.hasPrefix("@")
        ? "--data-binary " + CurlCommand.quoted(part) : "--data-raw " + CurlCommand.quoted(part)
    }
  }
}
