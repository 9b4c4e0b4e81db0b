// SPDX-License-Identifier: Apache-2.0
// What is signed and sent of a body that is known before: its SHA-256 and its checksum, in one pass.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

/// The digest of a body that is signed, and its checksum.
struct BodyDigest {
  private var hash = SHA256()
  private var computation: SigV4.Checksum.Computation?

  private init(_ algorithm: SigV4.Checksum.Algorithm?) {
    computation = algorithm.map { SigV4.Checksum.Computation($0) }
  }

  /// Reads a file, or a range of it, in constant memory; a cancelled task stops.
  init(
    of file: URL, _ algorithm: SigV4.Checksum.Algorithm?, in range: Range<Int>? = nil
  ) throws {
    self.init(algorithm)
    var reader = try FileReader(file, range)
    while let portion = try reader.next() { try update(portion) }
  }

  /// Reads data; a cancelled task stops.
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

  /// The header of the checksum, or none.
  var headers: [SigV4.Header] { computation.map { Array($0.finalize().headers) } ?? [] }
}
