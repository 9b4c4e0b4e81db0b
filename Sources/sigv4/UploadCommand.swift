// SPDX-License-Identifier: Apache-2.0
// sigv4 upload: a file in signed chunks, and the headers to send with it, in constant memory.

internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing

/// `sigv4 upload [options] FILE URL`
enum UploadCommand {
  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    guard arguments.operands.count == 2 else {
      throw CommandError.usage("upload needs a file and its URL: upload FILE s3://bucket/key")
    }
    let (file, url) = (arguments.operands[0], arguments.operands[1])
    _ = try ObjectLocation(url, arguments)
    let output = try Output(arguments, reading: file)
    let checksum = try checksum(arguments)
    let form = try form(arguments, of: file, checksum?.algorithm)
    let options = try await SigningOptions(arguments, "PUT", url: url, payload: .empty)
    if !options.signer.service.isObjectStorage {
      throw CommandError.usage(
        "upload signs in chunks, which \(options.signer.service.name) does not read, only stores with "
          + "the protocol of S3 do; use 'sigv4 curl -T FILE URL'")
    }
    let upload = try form.upload(options.signer)
    let request = try options.request.uploading(upload)
    let signed = try options.signer.sign(request, at: options.timestamp)
    try options.tellWarnings(
      unsigned: signed.unsignedHeaders, other: signed.nonAWSHeaders)
    if !arguments.has("--curl") {
      try options.requireOwnAddress()
      try options.tellURL(signed.url, given: url)
    }
    let headers = signed.headers
    let head =
      arguments.has("--curl")
      ? CurlCommand.upload(
        of: output.body, to: signed.url, headers: headers, options.connectTo) + "\n"
      : CurlCommand.headerLines(headers)
    // Headers in a file are there before the body begins; on standard output they say that all of it
    // has been written.
    if output.headers != "-" { try write(head, to: output.headers) }
    let chunks = try SigV4.ChunkSigner(upload, following: signed, by: options.signer)
    try writeBody(of: file, to: output.body, chunks, checksum)
    if output.headers == "-" { try write(head, to: output.headers) }
  }

  static var specifications: [OptionSpecification] {
    .named("-o", "--headers", "--checksum", "--chunk-size", "--size")
      + SigningOptions.requestSpecifications
  }

  /// Where body and headers go, of which standard output takes one.
  struct Output {
    let body: String
    let headers: String

    init(_ arguments: Arguments, reading file: String) throws {
      body = arguments.value("-o") ?? "-"
      headers = arguments.value("--headers") ?? "-"
      if body == headers || body != "-" && headers != "-" && System.isSameFile(body, headers) {
        throw CommandError.usage(
          "body and headers cannot go to the same place; give --output FILE, --headers FILE or both"
        )
      }
      for path in [body, headers] where path != "-" && System.isSameFile(path, file) {
        throw CommandError.usage(
          "\(path) is the file to upload itself, which would be overwritten before it is read; name "
            + "another file")
      }
      // Curl would send what it reads from standard input in chunks of its own.
      if arguments.has("--curl") && body == "-" {
        throw CommandError.usage("--curl prints a command that sends a file; give --output FILE")
      }
    }
  }

  /// The checksum that follows the body.
  static func checksum(_ arguments: Arguments) throws -> SigV4.Checksum.Computation? {
    guard let name = arguments.value("--checksum") else { return nil }
    let algorithms = SigV4.Checksum.Algorithm.all.filter { SigV4.ChunkTrailer($0) != nil }
    if let algorithm = algorithms.first(where: { $0.name.lowercased() == name }) {
      return SigV4.Checksum.Computation(algorithm)
    }
    let names = algorithms.map { $0.name.lowercased() }.joined(separator: ", ")
    throw CommandError.usage("--checksum takes one of \(names), not \(name)")
  }

  /// What is known of an upload before its first byte.
  struct Form {
    let byteCount: Int
    let chunkByteCount: Int
    let trailers: [SigV4.ChunkTrailer]
    let isSigned: Bool

    func upload(_ signer: SigV4.Signer) throws -> SigV4.ChunkedUpload {
      if !isSigned {
        return try .unsigned(
          decodedByteCount: byteCount, chunkByteCount: chunkByteCount, trailers: trailers)
      }
      return try signer.preparer.algorithm.scopeHasRegion
        ? .signed(
          decodedByteCount: byteCount, chunkByteCount: chunkByteCount, trailers: trailers)
        : .multiRegionSigned(
          decodedByteCount: byteCount, chunkByteCount: chunkByteCount, trailers: trailers)
    }
  }

  static func form(
    _ arguments: Arguments, of file: String, _ checksum: SigV4.Checksum.Algorithm?
  ) throws -> Form {
    guard let byteCount = try arguments.number("--size") ?? System.byteCount(of: file) else {
      throw CommandError.usage(
        "the request states the size before the body is sent, and the size of \(file) is not known; "
          + "give --size BYTES")
    }
    let chunkByteCount = try arguments.number("--chunk-size") ?? 65_536
    if chunkByteCount > 1 << 20 {
      throw CommandError.usage("--chunk-size takes 8192 to 1048576 bytes, not \(chunkByteCount)")
    }
    let trailers = checksum.flatMap { SigV4.ChunkTrailer($0) }.map { [$0] } ?? []
    let isSigned = !arguments.has("--unsigned-payload")
    if !isSigned && trailers.isEmpty {
      throw CommandError.usage(
        "--unsigned-payload needs --checksum NAME; without it, no mistake in the body would be found"
      )
    }
    return Form(
      byteCount: byteCount, chunkByteCount: chunkByteCount, trailers: trailers, isSigned: isSigned)
  }

  static func write(_ text: String, to path: String) throws {
    try System.withOutput(path) { write in try write(Array(text.utf8)) }
  }

  static func writeBody(
    of file: String, to path: String, _ chunks: consuming SigV4.ChunkSigner,
    _ checksum: SigV4.Checksum.Computation?
  ) throws {
    var checksum = checksum
    var encoded: [UInt8] = []
    try System.withOutput(path) { write in
      try System.readPortions(of: file) { portion in
        checksum?.update(portion)
        try chunks.update(portion, into: &encoded)
        try write(encoded)
        encoded.removeAll(keepingCapacity: true)
      }
      try chunks.finish(trailers: checksum?.finalize().headers ?? [:], into: &encoded)
      try write(encoded)
    }
  }
}
