// SPDX-License-Identifier: Apache-2.0
// The SHA-256 and the checksum of a body that's known before it's sent, in one pass.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

/// The signed digest of a body, and its checksum.
struct BodyDigest {
  private var hash = SHA256()
  private var computation: SigV4.Checksum.Computation?

  private init(_ algorithm: SigV4.Checksum.Algorithm?) {
    computation = algorithm.map { SigV4.Checksum.Computation($0) }
  }

  /// Reads a file, or a range of it, in constant memory. Stops if the task is cancelled.
  init(
    of file: URL, _ algorithm: SigV4.Checksum.Algorithm?, in range: Range<Int>? = nil
  ) throws {
    self.init(algorithm)
    var reader = try FileReader(file, range)
    while let portion = try reader.next() { try update(portion) }
  }

  /// Reads data. Stops if the task is cancelled.
  init(of data: Data, _ algorithm: SigV4.Checksum.Algorithm?) throws {
    self.init(algorithm)
    var rest = data[...]
    while !rest.isEmpty {
      try update(rest.prefix(FileReader.portionByteCount))
      rest = rest.dropFirst(FileReader.portionByteCount)
    }
  }

  private mutating func update(_ portion: Data) throws {
    try Task.checkCancellation()
    hash.update(data: portion)
    computation?.update(portion)
  }

  var payload: SigV4.Payload { .digest(hash.finalize()) }

  /// The checksum header, if there is a checksum.
  var headers: [SigV4.Header] { computation.map { Array($0.finalize().headers) } ?? [] }
}
