// SPDX-License-Identifier: Apache-2.0
// A list of presigned URLs in one piece of memory.

public import RequestSigning
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Presigned URLs one after the other in memory that can be used again. Secret: anyone who has a
  /// URL can use it.
  public struct PresignedURLs: RandomAccessCollection, Sendable {
    var memory: [UInt8] = []
    var ends: [Int] = []

    /// How much of the memory is written, in bytes.
    var byteCount: Int { ends.last ?? 0 }

    /// An empty list.
    public init() {}

    /// Removes all URLs; the memory stays for the next ones.
    public mutating func removeAll() {
      ends.removeAll(keepingCapacity: true)
    }

    /// The position of the first URL: 0.
    public var startIndex: Int { 0 }

    /// The position after the last URL.
    public var endIndex: Int { ends.count }

    /// The URL at a position.
    public subscript(position: Int) -> String {
      // Safety: the text is copied before the closure ends.
      unsafe withUnsafeBytes(at: position) { unsafe $0.textInUTF8 }
    }

    /// Calls `body` with the URL at a position, in ASCII. The bytes stay valid in `body` only.
    public func withUnsafeBytes<Result>(
      at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      let end = ends[position]
      let start = position == 0 ? 0 : ends[position &- 1]
      // Safety: the memory lives as long as the closure runs.
      return unsafe memory.withUnsafeBytes { unsafe body($0.part(start..<end)) }
    }

    /// SigV4, step 6.
    mutating func append(
      _ template: BatchPresigner.Template, _ lane: BatchPresigner.Lane, _ signature: SHA256.Digest
    ) {
      memory.removeLast(memory.count - byteCount)
      memory.append(contentsOf: template.urlStart)
      memory.append(contentsOf: lane.canonicalRequest[lane.path])
      memory.append(contentsOf: template.urlMiddle)
      signature.append(hexadecimalTo: &memory)
      memory.append(contentsOf: template.urlEnd)
      ends.append(memory.count)
    }
  }
}

extension SigV4.PresignedURLs: CustomStringConvertible {
  /// How many there are. Never the URLs.
  public var description: String { "PresignedURLs(\(count))" }
}

extension SigV4.PresignedURLs: Redacted {}
