// SPDX-License-Identifier: Apache-2.0
// A form whose policy is proved, and what remains to be checked: its file.

public import RequestSigning
public import S3Signing
internal import SigningSupport

extension SigV4 {
  /// A form whose policy has the right signature. Its file is not checked yet: that is what
  /// ``file(_:)`` and ``fileCheck()`` are for, and they take the value, which cannot be copied.
  public struct VerifiedForm: ~Copyable, Sendable {
    /// Who signed, for what, and until when: proved from here on.
    public let claim: FormClaim

    /// How many bytes the file may have, up to 5 GiB.
    public var byteCounts: ClosedRange<Int64> { claim.byteCounts }

    /// The fields that the policy allows, with the name of the file in place of `${filename}`. What
    /// the client sent beside them, `x-ignore-` fields, is not among them.
    public var fields: [PostForm.Field] {
      claim.fields.fields.filter { !ReceivedPolicy.isOpen($0.name) }
    }

    /// The key of the object.
    public var key: String { value("key") ?? "" }

    /// The value of a field, whose name has no case; nil when the form does not have it.
    public func value(_ name: String) -> String? {
      ReceivedPolicy.isOpen(name) ? nil : claim.fields.value(name)
    }

    /// Checks a file that is in memory, and returns it.
    ///
    /// Throws `fileTooLarge`, `fileTooSmall`, and `checksumMismatch` when a field such as
    /// `x-amz-checksum-sha256` names another checksum.
    public consuming func file(
      _ bytes: some Collection<UInt8>
    ) throws(VerificationError) -> [UInt8] {
      var check = FileVerifier(claim)
      try check.update(bytes)
      try check.finish()
      return Array(bytes)
    }

    /// What has to be done with a file that arrives in portions.
    public consuming func fileCheck() -> FileVerifier { FileVerifier(claim) }
  }

  /// Compares the length and the checksums of a file with what its form allows.
  ///
  ///     while let portion = read() { try file.update(portion) }
  ///     try file.finish()       // before anything of the file is kept
  public struct FileVerifier: ~Copyable, Sendable {
    private let byteCounts: ClosedRange<Int64>

    /// Never more than the upper bound and one, however much there is.
    private var byteCount: Int64 = 0

    private var checksums: [(computation: Checksum.Computation, expected: String)]

    init(_ claim: FormClaim) {
      byteCounts = claim.byteCounts
      checksums = claim.fields.fields.compactMap { field in
        Checksum.Computation(trailer: field.name.utf8.map(ASCIIByte.lowercased)).map {
          ($0, field.value)
        }
      }
    }

    /// Takes the next bytes of the file. Throws `fileTooLarge` as soon as it is.
    public mutating func update(_ bytes: some Collection<UInt8>) throws(VerificationError) {
      byteCount += min(Int64(bytes.count), byteCounts.upperBound + 1 - byteCount)
      try checkLargest()
      for index in checksums.indices { checksums[index].computation.update(bytes) }
    }

    private func checkLargest() throws(VerificationError) {
      if byteCount <= byteCounts.upperBound { return }
      throw VerificationError(
        .fileTooLarge,
        "the file has more than \(byteCounts.upperBound) bytes, and its policy allows no more; keep "
          + "nothing of it, and ask the client for another file",
        elements: [("MaxSizeAllowed", String(byteCounts.upperBound))])
    }

    /// Ends the file. Throws `fileTooLarge`, `fileTooSmall` and `checksumMismatch`.
    public consuming func finish() throws(VerificationError) {
      try checkLargest()
      if byteCount < byteCounts.lowerBound {
        throw VerificationError(
          .fileTooSmall,
          "the file has \(byteCount) bytes, and its policy wants \(byteCounts.lowerBound) or "
            + "more; keep nothing of it, and ask the client for another file",
          elements: [
            ("ProposedSize", String(byteCount)),
            ("MinSizeAllowed", String(byteCounts.lowerBound)),
          ])
      }
      for checksum in checksums
      where !checksum.computation.finalize().text.utf8.elementsEqual(checksum.expected.utf8) {
        throw VerificationError(
          .checksumMismatch,
          "the file does not have the checksum of the field "
            + "\(checksum.computation.algorithm.headerName); keep nothing of it, and ask the "
            + "client for another file")
      }
    }
  }
}
