// SPDX-License-Identifier: Apache-2.0
// The pen of the corridor: writes bytes one after the other, and counts those that find no room.

package import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// Writes into memory of a fixed size. What does not fit is counted and not written, so that
  /// whoever owns the memory can provide more and write again.
  @safe
  package struct ByteWriter {
    let start: UnsafeMutablePointer<UInt8>?
    let capacity: Int

    /// How many bytes there are, those without room included.
    package private(set) var count: Int

    package init(_ memory: UnsafeMutableBufferPointer<UInt8>, after count: Int) {
      // Safety: whoever owns the memory keeps it for as long as there is writing.
      unsafe start = memory.baseAddress
      capacity = memory.count
      self.count = count
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
      // Safety: `claim` says that there is room for one byte.
      if let place = unsafe claim(1) { unsafe place.pointee = byte }
    }

    @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
      // Safety: `claim` says that there is room for all of them.
      guard let source = bytes.baseAddress, let place = unsafe claim(bytes.count) else { return }
      unsafe UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: bytes.count)
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
      // Safety: the array lives as long as the closure runs.
      unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
      // Safety: the bytes of a static string are there for ever.
      unsafe append(text.bytesInUTF8)
    }

    @inline(__always)
    package mutating func append(_ text: String) {
      // Safety: the text lives as long as the closure runs.
      unsafe text.withBytesInUTF8 { unsafe append($0) }
    }

    /// The percent-encoded form of plain bytes, in which unreserved characters and one more stay.
    mutating func append(encoding bytes: UnsafeRawBufferPointer, keeping kept: UInt8) {
      let start = count
      // Safety: `claim` says that there is room when every byte takes three; otherwise each byte is
      // written with a check of its own.
      guard let place = unsafe claim(3 &* bytes.count) else {
        count = start
        return unsafe appendOneByOne(encoding: bytes, keeping: kept)
      }
      var next = unsafe place
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        if ASCIIByte.isUnreserved(byte) || byte == kept {
          unsafe next[0] = byte
          unsafe next += 1
        } else {
          unsafe next[0] = ASCIIByte.percent
          unsafe next[1] = ASCIIByte.uppercaseDigit(byte &>> 4)
          unsafe next[2] = ASCIIByte.uppercaseDigit(byte & 15)
          unsafe next += 3
        }
      }
      count = unsafe start &+ (next - place)
    }

    private mutating func appendOneByOne(
      encoding bytes: UnsafeRawBufferPointer, keeping kept: UInt8
    ) {
      // Safety: only positions of the buffer are read.
      for index in bytes.indices {
        unsafe URIEncoding.encode(bytes[index], keeping: kept) { append($0) }
      }
    }

    /// A number of 0 to 99,999,999 in decimal digits.
    mutating func append(decimal number: Int) {
      var (rest, digits, count) = (number, UInt64(0), 0)
      repeat {
        digits = digits &<< 8 | UInt64(truncatingIfNeeded: rest % 10 &+ 0x30)
        rest /= 10
        count &+= 1
      } while rest > 0
      for _ in 0..<count {
        append(UInt8(truncatingIfNeeded: digits))
        digits &>>= 8
      }
    }

    /// Eight characters, the first one lowest.
    @inline(__always)
    mutating func append(characters: UInt64) {
      // Safety: `claim` says that there is room for 8 bytes.
      if let place = unsafe claim(8) {
        unsafe UnsafeMutableRawPointer(place).storeBytes(
          of: characters.littleEndian, as: UInt64.self)
      }
    }

    /// Bytes that were written earlier, once more.
    @inline(__always)
    mutating func appendAgain(_ range: Range<Int>) {
      // Safety: `claim` says that there is room; the bytes stand before it.
      guard let place = unsafe claim(range.count) else { return }
      unsafe withWritten(range) { written in
        guard let source = written.baseAddress else { return }
        unsafe UnsafeMutableRawPointer(place).copyMemory(from: source, byteCount: written.count)
      }
    }

    /// Calls `body` with bytes that were written earlier.
    @inline(__always)
    func withWritten<Result>(
      _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
      // Safety: the range is cut to the memory.
      unsafe body(UnsafeRawBufferPointer(start: start, count: capacity).part(range))
    }

    /// 64 lowercase hexadecimal digits.
    @inline(__always)
    package mutating func appendHexadecimal(_ digest: SHA256.Digest) {
      // Safety: `claim` says that there is room for 64 bytes.
      guard let place = unsafe claim(2 &* SHA256.byteCount) else { return }
      let digits = unsafe UnsafeMutableRawBufferPointer(start: place, count: 2 &* SHA256.byteCount)
      unsafe digest.withUnsafeBytes { unsafe Hexadecimal.encode($0, into: digits) }
    }

    /// The place of the next bytes, or nil when they find no room.
    @inline(__always)
    private mutating func claim(_ number: Int) -> UnsafeMutablePointer<UInt8>? {
      let position = count
      count &+= number
      // Safety: the place and the bytes after it are inside of the memory.
      return count <= capacity ? unsafe start.map { unsafe $0 + position } : nil
    }
  }
}
