// SPDX-License-Identifier: Apache-2.0
// The one percent-encoder: strict, on bytes, uppercase.

internal import SecureHashing

/// Percent-encoding (RFC 3986, 2.1) as Signature Version 4 asks: every byte that is not
/// unreserved is written as '%' and two uppercase digits, a space as `%20`.
package enum URIEncoding {
  /// What plain bytes are for.
  package enum Part {
    /// A name or value in a query, or a segment of a path.
    case component
    /// A whole path, in which '/' stays as it is.
    case path

    /// Whether a byte stays as it is.
    @inline(__always)
    fileprivate func keeps(_ byte: UInt8) -> Bool {
      ASCIIByte.isUnreserved(byte) || byte == ASCIIByte.slash && self == .path
    }
  }

  /// The encoded form of plain bytes, in ASCII: one to three bytes for each.
  package static func encode(_ plain: [UInt8], as part: Part = .component) -> [UInt8] {
    if plain.allSatisfy(part.keeps) { return plain }
    var text: [UInt8] = []
    text.append(addingCapacity: 3 * plain.count) { append(plain, as: part, to: &$0) }
    return text
  }

  /// Appends the encoded form of plain bytes: one to three bytes for each.
  package static func append(
    _ plain: [UInt8], as part: Part = .component, to text: inout OutputSpan<UInt8>
  ) {
    unsafe plain.withUnsafeBytes { unsafe append($0, as: part, to: &text) }
  }

  /// Appends the encoded form of plain bytes: one to three bytes for each. Traps unless the span has the
  /// capacity.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package static func append(
    _ plain: UnsafeRawBufferPointer, as part: Part = .component,
    to text: inout OutputSpan<UInt8>
  ) {
    precondition(plain.count <= text.freeCapacity / 3)
    // Safety: three bytes are free for each of those that are read.
    unsafe text.withUnsafeMutableBufferPointer { memory, count in
      var (position, end) = (0, count)
      while position < plain.count {
        if unsafe ASCIIByte.isUnreserved(plain[position])
          && copyUnreserved(plain, &position, to: memory, &end)
        {
          break
        }
        unsafe write(plain[position], as: part, to: memory, at: &end)
        position &+= 1
      }
      count = end
    }
  }

  /// Whether a path is in strict form already.
  package static func isStrictPath(_ path: UnsafeRawBufferPointer) -> Bool {
    var position = 0
    unsafe skipStrict(path, &position, as: .path)
    return position == path.count
  }

  /// Goes to the first byte that is neither unreserved nor a part of an escape in strict form, or to the
  /// end.
  package static func skipStrict(
    _ bytes: UnsafeRawBufferPointer, _ position: inout Int, as part: Part
  ) {
    // Safety: only positions of the bytes are read.
    while position < bytes.count {
      #if !hasFeature(Embedded)  // where size counts
        let run = unsafe EightBytes.run(
          EightBytes.unreserved(bytes.word(at: position), slash: part == .path))
        position &+= run
        if run == 8 { continue }
        if position == bytes.count { return }
      #endif
      let byte = unsafe bytes[position]
      if part.keeps(byte) {
        position &+= 1
      } else if unsafe byte == ASCIIByte.percent
        && isStrictEscape(bytes, after: position &+ 1, in: part)
      {
        position &+= 3
      } else {
        return
      }
    }
  }

  /// Whether two uppercase digits at a position mean a byte that has to be escaped.
  private static func isStrictEscape(
    _ bytes: UnsafeRawBufferPointer, after position: Int, in part: Part
  ) -> Bool {
    // Safety: two more bytes are there.
    if bytes.count &- position < 2 { return false }
    let high = unsafe uppercaseNibble(bytes[position])
    let low = unsafe uppercaseNibble(bytes[position &+ 1])
    return high | low < 16 && !part.keeps(high &<< 4 | low)
  }

  /// The value of an uppercase digit, 255 for every other byte. The text is public, so neither this nor what
  /// follows takes the constant time of `Hexadecimal`, or a call of another module: 1 to 3 % of a signature.
  @inline(__always)
  private static func uppercaseNibble(_ byte: UInt8) -> UInt8 {
    if byte &- 0x30 < 10 { return byte &- 0x30 }
    return byte &- 0x41 < 6 ? byte &- 0x37 : 0xFF
  }

  /// Appends the strict form of bytes that are encoded somehow: three bytes for each at most. A '%'
  /// without two hexadecimal digits stands for itself; in a path an encoded '/' becomes a plain one. Traps
  /// unless the span has the capacity.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  package static func append(
    reencoding bytes: UnsafeRawBufferPointer, as part: Part = .component,
    plusMeaning plus: UInt8 = ASCIIByte.plus, to text: inout OutputSpan<UInt8>
  ) {
    precondition(bytes.count <= text.freeCapacity / 3)
    // Safety: three bytes are free for each of those that are read.
    unsafe text.withUnsafeMutableBufferPointer { memory, count in
      var (position, end) = (0, count)
      while position < bytes.count {
        if unsafe ASCIIByte.isUnreserved(bytes[position])
          && copyUnreserved(bytes, &position, to: memory, &end)
        {
          break
        }
        var plain = unsafe bytes[position]
        position &+= 1
        if plain == ASCIIByte.plus { plain = plus }
        if plain == ASCIIByte.percent, let escaped = unsafe escapedByte(bytes, after: position) {
          plain = escaped
          position &+= 2
        }
        unsafe write(plain, as: part, to: memory, at: &end)
      }
      count = end
    }
  }

  /// Copies letters, digits, '-' and '.', eight at a time, up to the first other byte, or until fewer than
  /// eight are left. Returns whether none is left.
  #if hasFeature(Embedded)  // where size counts
    @inline(__always)
    private static func copyUnreserved(
      _ bytes: UnsafeRawBufferPointer, _ position: inout Int,
      to memory: UnsafeMutableBufferPointer<UInt8>, _ end: inout Int
    ) -> Bool { false }
  #else
    @inline(__always)
    private static func copyUnreserved(
      _ bytes: UnsafeRawBufferPointer, _ position: inout Int,
      to memory: UnsafeMutableBufferPointer<UInt8>, _ end: inout Int
    ) -> Bool {
      // Safety: as many bytes are free as are left, which are eight or more.
      while position &+ 8 <= bytes.count {
        let word = unsafe UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        unsafe UnsafeMutableRawBufferPointer(memory).storeBytes(
          of: word.littleEndian, toByteOffset: end, as: UInt64.self)
        let count = EightBytes.run(EightBytes.unreserved(word, slash: false))
        position &+= count
        end &+= count
        if count < 8 { return false }
      }
      return position == bytes.count
    }
  #endif

  /// Writes a byte, or three where it has to be escaped.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #else
    @inline(__always)
  #endif
  private static func write(
    _ plain: UInt8, as part: Part, to memory: UnsafeMutableBufferPointer<UInt8>,
    at end: inout Int
  ) {
    // Safety: the caller looked after the memory.
    if part.keeps(plain) {
      unsafe memory[end] = plain
      end &+= 1
    } else {
      unsafe memory[end] = ASCIIByte.percent
      unsafe memory[end &+ 1] = ASCIIByte.uppercaseDigit(plain &>> 4)
      unsafe memory[end &+ 2] = ASCIIByte.uppercaseDigit(plain & 15)
      end &+= 3
    }
  }

  /// The plain bytes. A '%' without two hexadecimal digits stands for itself.
  package static func decode(
    _ bytes: ArraySlice<UInt8>, plusMeaning plus: UInt8 = ASCIIByte.plus
  ) -> [UInt8] {
    var decoded: [UInt8] = []
    append(decoding: bytes, plusMeaning: plus, to: &decoded)
    return decoded
  }

  /// Appends the plain bytes. A '%' without two hexadecimal digits stands for itself.
  package static func append(
    decoding bytes: ArraySlice<UInt8>, plusMeaning plus: UInt8 = ASCIIByte.plus,
    to text: inout [UInt8]
  ) {
    text.append(addingCapacity: bytes.count) { text in
      // Safety: only positions of the bytes are read, and a byte is free for each.
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe text.withUnsafeMutableBufferPointer { memory, count in
          var (position, end) = (0, count)
          while position < bytes.count {
            if unsafe copyUnreserved(bytes, &position, to: memory, &end) { break }
            var byte = unsafe bytes[position]
            position &+= 1
            if byte == ASCIIByte.plus { byte = plus }
            if byte == ASCIIByte.percent, let escaped = unsafe escapedByte(bytes, after: position) {
              byte = escaped
              position &+= 2
            }
            unsafe memory[end] = byte
            end &+= 1
          }
          count = end
        }
      }
    }
  }

  /// The position of the first '%' without two hexadecimal digits after it, or nil.
  package static func positionOfStrayPercent(in bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    while true {
      let position = rest.firstPosition(of: ASCIIByte.percent)
      if position == bytes.endIndex { return nil }
      rest = bytes[(position + 1)...]
      // Safety: only positions of the bytes are read.
      if unsafe rest.withUnsafeBytes({ unsafe escapedByte($0, after: 0) }) == nil {
        return position
      }
    }
  }

  /// The byte that two hexadecimal digits at a position mean, or nil when there is something else.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #endif
  private static func escapedByte(_ bytes: UnsafeRawBufferPointer, after position: Int) -> UInt8? {
    // Safety: two more bytes are there.
    if bytes.count &- position < 2 { return nil }
    let high = unsafe nibble(bytes[position])
    let low = unsafe nibble(bytes[position &+ 1])
    return high | low > 15 ? nil : high &<< 4 | low
  }

  /// The value of a digit in either case, 255 for every other byte.
  @inline(__always)
  private static func nibble(_ byte: UInt8) -> UInt8 {
    if byte &- 0x30 < 10 { return byte &- 0x30 }
    let lowered = byte | 0x20
    return lowered &- 0x61 < 6 ? lowered &- 0x57 : 0xFF
  }
}
