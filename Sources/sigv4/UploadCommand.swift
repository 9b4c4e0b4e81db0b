// SPDX-License-Identifier: Apache-2.0
// sigv4 upload: a file in signed chunks, and the headers to send with it, in constant memory.

internal import S3Signing
internal import RequestSigning

/// `sigv4 upload [options] FILE URL`
enum UploadCommand {
  static func run(_ arguments: some Sequence<String>) async throws(CommandError) {
    let arguments = try Arguments(arguments, specifications)
    guard arguments.operands.count == 2 else {
      throw CommandError.usage("upload needs a file and where it goes: upload FILE s3://bucket/key")
    }
    let (file, url) = (arguments.operands[0], arguments.operands[1])
    let output = try Output(arguments)
    let checksum = try arguments.value("--checksum").map { name throws(CommandError) in
      try UploadChecksum(named: name)
    }
    let upload = try upload(arguments, of: file, checksum)
    let options = try await SigningOptions(arguments, "PUT", url: url, payload: .empty)
    let (request, signed) = try signing { () throws(SigV4.SigningError) in
      let request = try options.request.uploading(upload)
      return (request, try options.signer.sign(request, at: options.timestamp))
    }
    try options.tellWarnings()
    if !arguments.has("--curl") { try options.tellURL(signed.url, given: url) }
    let head = head(arguments, signed, request.headers + signed.headers, output)
    // Headers in a file are there before the body begins; on standard output they say that all of it
    // has been written.
    if output.headers != "-" { try write(head, to: output.headers) }
    try writeBody(of: file, to: output.body, upload, signed, options.signer, checksum)
    if output.headers == "-" { try write(head, to: output.headers) }
  }

  static var specifications: [OptionSpecification] {
    SigningOptions.requestSpecifications + [
      .value("--checksum"), .value("--chunk-size"), .value("--size"), .value("-o", "--output"),
      .value("--headers"),
    ]
  }

  /// Where body and headers go, of which standard output takes one.
  struct Output {
    let body: String
    let headers: String

    init(_ arguments: Arguments) throws(CommandError) {
      body = arguments.value("-o") ?? "-"
      headers = arguments.value("--headers") ?? "-"
      if body == headers {
        throw CommandError.usage(
          "body and headers need two places; give --output FILE, --headers FILE or both")
      }
      // Curl would send what it reads from standard input in chunks of its own.
      if arguments.has("--curl") && body == "-" {
        throw CommandError.usage("--curl prints a command that sends a file; give --output FILE")
      }
    }
  }

  /// What is to be uploaded, before its first byte.
  static func upload(
    _ arguments: Arguments, of file: String, _ checksum: UploadChecksum?
  ) throws(CommandError) -> SigV4.ChunkedUpload {
    var byteCount = try number(arguments, "--size")
    if byteCount == nil { byteCount = try System.byteCount(of: file) }
    guard let byteCount else {
      throw CommandError.usage(
        "the request tells the size before the body, and that of \(file) is not known; give "
          + "--size BYTES")
    }
    let chunkByteCount = try number(arguments, "--chunk-size") ?? 65_536
    if chunkByteCount > 1 << 20 {
      throw CommandError.usage("--chunk-size takes 8192 to 1048576 bytes, not \(chunkByteCount)")
    }
    let trailers = checksum.map { [$0.trailer] } ?? []
    if arguments.has("--unsigned-payload") && trailers.isEmpty {
      throw CommandError.usage(
        "--unsigned-payload needs --checksum NAME, or nothing would find a mistake in the body")
    }
    return try signing { () throws(SigV4.SigningError) in
      arguments.has("--unsigned-payload")
        ? try .unsigned(
          decodedByteCount: byteCount, chunkByteCount: chunkByteCount, trailers: trailers)
        : try .signed(
          decodedByteCount: byteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    }
  }

  static func number(_ arguments: Arguments, _ name: String) throws(CommandError) -> Int? {
    guard let text = arguments.value(name) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw CommandError.usage("\(name) takes a number of bytes, not \(text)")
    }
    return number
  }

  /// Headers to send, or a command that sends them with the body.
  static func head(
    _ arguments: Arguments, _ signed: SigV4.SignedRequest, _ headers: SigV4.Headers,
    _ output: Output
  ) -> String {
    if arguments.has("--curl") {
      return CurlCommand.upload(of: output.body, to: signed.url, headers: headers)
    }
    return headers.map { CurlCommand.headerText($0) + "\n" }.joined()
  }

  static func write(_ text: String, to path: String) throws(CommandError) {
    try System.withOutput(path) { write throws(CommandError) in try write(Array(text.utf8)) }
  }

  static func writeBody(
    of file: String, to path: String, _ upload: SigV4.ChunkedUpload,
    _ signed: SigV4.SignedRequest, _ signer: SigV4.Signer, _ checksum: UploadChecksum?
  ) throws(CommandError) {
    var checksum = checksum
    var chunks = try signing { () throws(SigV4.SigningError) in
      try SigV4.ChunkSigner(upload, following: signed, by: signer)
    }
    try System.withOutput(path) { write throws(CommandError) in
      var encoded: [UInt8] = []
      // Safety: the portion is signed and copied before it is given back.
      try unsafe System.readPortions(of: file) { portion throws(CommandError) in
        unsafe checksum?.update(portion)
        do throws(SigV4.SigningError) {
          try unsafe chunks.update(portion) { unsafe encoded.append(contentsOf: $0) }
        } catch {
          throw CommandError(error)
        }
        try write(encoded)
        encoded.removeAll(keepingCapacity: true)
      }
      do throws(SigV4.SigningError) {
        let trailers = checksum.map { [($0.trailer.name, $0.value)] } ?? []
        try chunks.finish(trailers: SigV4.Headers(trailers), into: &encoded)
      } catch {
        throw CommandError(error)
      }
      try write(encoded)
    }
  }
}
