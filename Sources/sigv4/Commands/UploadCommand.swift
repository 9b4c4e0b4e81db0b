// SPDX-License-Identifier: Apache-2.0
// sigv4 upload: encodes a file in signed chunks and prints the headers to send, in constant memory.

internal import MultiRegionSigning
internal import RequestSigning
internal import S3Signing

/// `sigv4 upload [options] FILE URL`
enum UploadCommand {
  static func run(_ arguments: [String]) async throws {
    let arguments = try Arguments(arguments, specifications)
    let (file, url) = try operands(arguments)
    _ = try ObjectLocation(url, arguments)
    if !arguments.has("-o") && !arguments.has("--headers") {
      throw CommandError(
        .usage, "upload sends nothing, and the body and the headers can't have the same output.",
        fix: "To upload the file, use 'sigv4 curl -T \(file) \(url)'. To sign it in chunks, add "
          + "--output FILE, --headers FILE or both.")
    }
    let output = try Output(arguments, reading: file)
    let checksum = try checksum(arguments)
    let form = try form(arguments, of: file, checksum?.algorithm)
    let options = try await SigningOptions(arguments, "PUT", url: url, payload: .empty)
    if !options.signer.service.isObjectStorage {
      throw CommandError(
        .usage,
        "\(options.signer.service.name) doesn't support uploads in chunks. Only S3 and compatible "
          + "stores do.",
        fix: "Use 'sigv4 curl -T FILE URL'.")
    }
    let upload = try form.upload(options.signer)
    let request = try options.request.uploading(upload)
    let signed = try options.signer.sign(request, at: options.timestamp)
    options.tellWarnings(
      about: request, unsigned: signed.unsignedHeaders, other: signed.headersOfOtherProtocols)
    if !arguments.has("--curl") {
      try options.requireOwnAddress()
      if signed.url != url {
        arguments.tell(
          "Nothing is sent yet. Send the body and the headers to \(signed.url) (--curl prints a "
            + "command for it). 'sigv4 curl -T FILE URL' signs and sends a file at once.")
      }
    }
    let headers = signed.headers
    let head =
      arguments.has("--curl")
      ? CurlCommand.upload(
        of: output.body, to: signed.url, headers: headers, options.connectTo) + "\n"
      : CurlCommand.headerLines(headers)
    // Write headers to a file before the body. On standard output, they follow the body, to show
    // that it's complete.
    if output.headers != "-" { try write(head, to: output.headers) }
    try output.checkDistinct()
    let chunks = try SigV4.ChunkSigner(upload, following: signed, by: options.signer)
    try writeBody(of: file, to: output.body, chunks, checksum)
    if output.headers == "-" { try write(head, to: output.headers) }
  }

  private static func operands(_ arguments: Arguments) throws -> (file: String, url: String) {
    let operands = arguments.operands
    if operands.count == 2, let file = operands.last, operands[0].hasPrefix("s3://") {
      throw CommandError(
        .usage, "The file comes first.", fix: "Use sigv4 upload \(file) \(operands[0]).")
    }
    guard let file = operands.first, operands.count == 2 else {
      throw CommandError(
        .usage, "upload needs a file and its URL.",
        fix: "Use sigv4 upload FILE s3://bucket/key.")
    }
    return (file, try GivenURL.only([operands[1]]))
  }

  static var specifications: [OptionSpecification] {
    .named("-o", "--headers", "--checksum", "--chunk-size", "--size")
      + SigningOptions.requestSpecifications
  }

  /// The outputs of the body and the headers. Only one of them can be standard output.
  struct Output {
    let body: String
    let headers: String

    init(_ arguments: Arguments, reading file: String) throws {
      body = arguments.value("-o") ?? "-"
      headers = arguments.value("--headers") ?? "-"
      try checkDistinct()
      for path in [body, headers] where path != "-" && System.isSameFile(path, file) {
        throw CommandError(
          .usage, "\(path) is the file to upload, and would be overwritten before it's read.",
          fix: "Use a different file for the output.")
      }
      // curl would encode standard input in its own chunks.
      if arguments.has("--curl") && body == "-" {
        throw CommandError(
          .usage, "--curl needs a file that the command can send.", fix: "Add --output FILE.")
      }
    }

    /// Throws if both outputs are the same. Two paths of a new file are, only after it's created.
    func checkDistinct() throws {
      let paths = [body, headers].map { $0 == "-" ? "/dev/stdout" : $0 }
      if paths[0] == paths[1] || System.isSameFile(paths[0], paths[1]) {
        throw CommandError(
          .usage, "The body and the headers can't have the same output.",
          fix: "Add --output FILE, --headers FILE or both.")
      }
    }
  }

  /// The checksum to send in a trailer, or nil.
  static func checksum(_ arguments: Arguments) throws -> SigV4.Checksum.Computation? {
    guard let name = arguments.value("--checksum") else { return nil }
    let algorithms = SigV4.Checksum.Algorithm.named
    if let algorithm = algorithms.first(where: { $0.name.lowercased() == name }) {
      return SigV4.Checksum.Computation(algorithm)
    }
    let names = algorithms.map { $0.name.lowercased() }.joined(separator: ", ")
    throw CommandError(
      .usage, "--checksum doesn't support \(name).", fix: "Use one of \(names).")
  }

  /// The parameters of an upload that are known before its first byte.
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
      return try signer.preparer.regionSet == nil
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
      throw CommandError(
        .usage, "The size of \(file) is unknown, but the request's headers must contain it.",
        fix: "Add --size BYTES.")
    }
    let chunkByteCount = try arguments.number("--chunk-size") ?? 65_536
    if chunkByteCount > 1 << 20 {
      throw CommandError(
        .usage, "--chunk-size must be 8192 to 1048576 bytes, not \(chunkByteCount).",
        fix: "Use a size in this range.")
    }
    let trailers = checksum.flatMap { SigV4.ChunkTrailer($0) }.map { [$0] } ?? []
    let isSigned = !arguments.has("--unsigned-payload")
    if !isSigned && trailers.isEmpty {
      throw CommandError(
        .usage, "--unsigned-payload needs a checksum, which detects errors in the body.",
        fix: "Add --checksum NAME.")
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
