// SPDX-License-Identifier: Apache-2.0
// Hexadecimal text, both ways.

/// Hexadecimal text (RFC 4648, section 8): two digits a byte.
///
/// Neither direction branches or looks up a table by the value of a byte, so both are fit for keys.
public enum Hexadecimal {
  /// Why a text is not accepted: `oddLength`, `invalidCharacter`, or `wrongLength` where a value of a
  /// certain size is read.
  public typealias DecodingError = TextDecodingError

  /// Lowercase text, two digits for each byte.
  ///
  /// The standard library makes the `String`: it looks at each digit only to see that it is ASCII, which
  /// all of them are, and copies it. Neither this memory nor the array of the digits is overwritten:
  /// for a key, write them into memory of your own, and erase it afterwards.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.count)
    append(bytes, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends two lowercase digits for each byte, as ASCII.
  package static func append(_ bytes: some Collection<UInt8>, to digits: inout [UInt8]) {
    unsafe withPortions(of: bytes) { unsafe append($0, to: &digits) }
  }

  /// Appends two lowercase digits for each byte, as ASCII.
  package static func append(_ bytes: UnsafeRawBufferPointer, to digits: inout [UInt8]) {
    digits.append(addingCapacity: 2 * bytes.count) { unsafe append(bytes, to: &$0) }
  }

  /// Appends two lowercase digits for each byte, as ASCII. Traps unless the span has the capacity.
  package static func append(
    _ bytes: UnsafeRawBufferPointer, to digits: inout OutputSpan<UInt8>
  ) {
    precondition(2 * bytes.count <= digits.freeCapacity)
    // Safety: so many bytes are free, and `encode` writes to all of them.
    unsafe digits.withUnsafeMutableBufferPointer { memory, count in
      let free = unsafe UnsafeMutableBufferPointer(rebasing: memory[count...])
      unsafe encode(bytes, into: UnsafeMutableRawBufferPointer(free))
      count += 2 * bytes.count
    }
  }

  /// Writes two lowercase digits for each byte into the caller's memory, for as many bytes as fit.
  public static func encode(
    _ bytes: UnsafeRawBufferPointer, into digits: UnsafeMutableRawBufferPointer
  ) {
    let count = Swift.min(bytes.count, digits.count / 2)
    var position = 0
    // Safety: `position` is below `count`, and two digits a byte fit.
    #if !hasFeature(Embedded)  // where vectors may be no instructions, but much code
      while count - position >= 16 {
        let sixteen = unsafe bytes.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
        unsafe digits.storeBytes(
          of: Self.digits(sixteen), toByteOffset: 2 * position, as: SIMD32<UInt8>.self)
        position += 16
      }
    #endif
    while position < count {
      unsafe digits[2 * position] = digit(bytes[position] >> 4)
      unsafe digits[2 * position + 1] = digit(bytes[position] & 15)
      position += 1
    }
  }

  /// The bytes of a text of hexadecimal digits of either case, without prefix or spaces.
  ///
  /// Throws when the number of digits is odd or a character is not a hexadecimal digit.
  public static func decode(_ text: String) throws(DecodingError) -> [UInt8] {
    try decode(text.utf8)
  }

  /// The bytes of hexadecimal digits given as ASCII.
  ///
  /// Throws when the number of digits is odd or a character is not a hexadecimal digit.
  public static func decode(_ digits: some Collection<UInt8>) throws(DecodingError) -> [UInt8] {
    // On concrete memory: for collections of other modules this function is not specialised.
    let bytes = digits.withContiguousStorageIfAvailable { unsafe decodeBuffer($0) }
    if let bytes { return try bytes.get() }
    return try unsafe Array(digits).withUnsafeBufferPointer { unsafe decodeBuffer($0) }.get()
  }

  static func decodeBuffer(
    _ digits: UnsafeBufferPointer<UInt8>
  ) -> Swift.Result<[UInt8], DecodingError> {
    if digits.count & 1 != 0 { return .failure(.oddLength(digits.count)) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8 = 0
    var invalid: UInt8 = 0
    // Safety: only positions of the buffer are read.
    for offset in digits.indices {
      let value = unsafe nibble(digits[offset])
      invalid |= value
      if offset & 1 == 0 { high = value &<< 4 } else { bytes.append(high | value) }
    }
    return invalid > 15 ? .failure(unsafe .invalidCharacter(in: digits)) : .success(bytes)
  }

  /// The four bytes that eight lowercase digits spell, and whether they are such digits; the first of each
  /// lowest. All eight are computed side by side, without a branch.
  @inline(__always)
  static func decodeLowercase(_ digits: UInt64) -> (UInt32, isValid: Bool) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let low = digits & ~(ones &<< 7)
    // The highest bit of each byte: whether it lies in the range.
    let isDecimal = (low &+ ones &* (0x80 - 48)) & ~(low &+ ones &* (0x80 - 58))
    let isLetter = (low &+ ones &* (0x80 - 97)) & ~(low &+ ones &* (0x80 - 103))
    let isDigit = (isDecimal | isLetter) & ~digits & (ones &<< 7)
    let values = (digits & (ones &* 15)) &+ ((isLetter &>> 7) & ones) &* 9
    let bytes = (values &<< 4 | values &>> 8) & 0x00FF_00FF_00FF_00FF
    let pairs = (bytes | bytes &>> 8) & 0x0000_FFFF_0000_FFFF
    return (UInt32(truncatingIfNeeded: pairs | pairs &>> 16), isDigit == (ones &<< 7))
  }

  /// The lowercase digit of a value of 0 to 15: '0' is 48, and 'a' is 39 further than '9' + 1.
  package static func digit(_ value: UInt8) -> UInt8 {
    // The difference wraps around for values above 9: its highest bit tells.
    value &+ 48 &+ (((9 &- value) &>> 7) &* 39)
  }

  /// The uppercase digit of a value of 0 to 15: 'A' is 7 further than '9' + 1.
  package static func uppercaseDigit(_ value: UInt8) -> UInt8 {
    value &+ 48 &+ (((9 &- value) &>> 7) &* 7)
  }

  #if !hasFeature(Embedded)
    /// The digits of sixteen bytes, computed side by side.
    @inline(__always)
    static func digits(_ bytes: SIMD16<UInt8>) -> SIMD32<UInt8> {
      var digits = SIMD32<UInt8>()
      digits.evenHalf = digit(bytes &>> 4)
      digits.oddHalf = digit(bytes & 15)
      return digits
    }

    /// The digits of values of 0 to 15.
    @inline(__always)
    static func digit(_ values: SIMD16<UInt8>) -> SIMD16<UInt8> {
      // 1 where the value is above 9, then 255: there 'a' is 39 further than '9' + 1.
      let isLetter = 0 &- ((values &+ 6) &>> 4)
      return values &+ 48 &+ (isLetter & 39)
    }
  #endif

  /// The value of a digit of either case, or 255. Masks are 255 where the character lies in the range.
  package static func nibble(_ character: UInt8) -> UInt8 {
    let lowered = character | 0x20
    let isDecimal = ConstantTime.mask(character, from: 48, through: 57)
    let isLetter = ConstantTime.mask(lowered, from: 97, through: 102)
    return (isDecimal & (character &- 48)) | (isLetter & (lowered &- 87)) | ~(isDecimal | isLetter)
  }
}

/// Why a text is not accepted as hexadecimal or base64.
public struct TextDecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong; more codes may come.
  public struct Code: Hashable, Sendable {
    let value: UInt8

    /// Hexadecimal: a byte is written with two digits, and the number of digits is odd. Look for a
    /// digit that was lost, or a line end that was added.
    public static var oddLength: Code { Code(value: 1) }
    /// No number of bytes gives a text of this length, or the value has another size: a SHA-256
    /// digest takes 64 digits. Look for characters that were lost, padding, or the digest of
    /// another function.
    public static var wrongLength: Code { Code(value: 2) }
    /// A character is not in the alphabet. Look for a prefix, a space or a line end, and for the
    /// other base64 alphabet.
    public static var invalidCharacter: Code { Code(value: 3) }
    /// Base64: the last character has bits that belong to no byte. Look for characters that were
    /// lost.
    public static var trailingBits: Code { Code(value: 4) }
  }

  /// What is wrong.
  public let code: Code

  /// What is wrong. It contains no part of the text, which may be secret.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The message.
  public var description: String { message }

  /// Whether all fields are the same. (In Embedded Swift, `==` of strings links Unicode's tables.)
  public static func == (left: Self, right: Self) -> Bool {
    left.code == right.code && left.problem.utf8.elementsEqual(right.problem.utf8)
      && left.fix.utf8.elementsEqual(right.fix.utf8)
  }

  /// Hashes the code.
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension TextDecodingError {
  static func oddLength(_ count: Int) -> Self {
    Self(
      code: .oddLength,
      problem: "The hexadecimal string has an odd number of characters: \(count).",
      fix: "Check for a missing digit or a newline.")
  }

  static func wrongLength(_ count: Int, of name: String, expected: Int) -> Self {
    Self(
      code: .wrongLength,
      problem: "The hexadecimal string has \(count) characters, but \(name) needs \(expected).",
      fix: "Check for missing digits, a newline, or another hash function.")
  }

  static func invalidCharacter(in digits: UnsafeBufferPointer<UInt8>) -> Self {
    let offset = unsafe digits.firstIndex { Hexadecimal.nibble($0) > 15 } ?? digits.count
    return Self(
      code: .invalidCharacter,
      problem: "The character at offset \(offset) isn't a hexadecimal digit.",
      fix: "Pass only 0 to 9, a to f and A to F. Check for a prefix, a space or a newline.")
  }
}
