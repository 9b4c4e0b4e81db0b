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
      unsafe withUnsafeBytes(at: position) { unsafe $0.textInUTF8 }
    }

    /// Calls `body` with the URL at a position, in ASCII. The bytes stay valid in `body` only.
    public func withUnsafeBytes<Result>(
      at position: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      let end = ends[position]
      let start = position == 0 ? 0 : ends[position &- 1]
      return unsafe memory.withUnsafeBytes { unsafe body($0.part(start..<end)) }
    }

    /// Appends the URL of a key with its signature.
    mutating func append(
      _ template: BatchPresigner.Template, _ lane: BatchPresigner.Lane, _ signature: SHA256.Digest
    ) {
      let start = byteCount
      let count = template.urlByteCount &+ lane.path.count
      if memory.count < start &+ count {
        memory.append(contentsOf: repeatElement(0, count: Swift.max(count, memory.count)))
      }
      unsafe memory.withUnsafeMutableBufferPointer { memory in
        var writer = unsafe ByteWriter(memory, after: start)
        unsafe template.bytes.withUnsafeBytes { texts in
          unsafe writer.append(texts.part(template.urlStart))
          unsafe lane.canonicalRequest.withUnsafeBytes { unsafe writer.append($0.part(lane.path)) }
          unsafe writer.append(texts.part(template.urlMiddle))
          writer.appendHexadecimal(signature)
          unsafe writer.append(texts.part(template.urlEnd))
        }
      }
      ends.append(start &+ count)
    }
  }
}

extension SigV4.PresignedURLs: CustomStringConvertible {
  /// How many there are. Never the URLs.
  public var description: String { "PresignedURLs(\(count))" }
}

extension SigV4.PresignedURLs: ConcealsContents {}
