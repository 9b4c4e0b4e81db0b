// SPDX-License-Identifier: Apache-2.0
// Hexadecimal encoding and decoding, and the error of both string formats.

/// Hexadecimal (RFC 4648, section 8): two digits per byte.
///
/// Neither encoding nor decoding branches or looks up a table by the value of a byte, so both are
/// safe for keys.
public enum Hexadecimal {
  /// The reason a string was rejected: `oddLength`, `invalidCharacter`, or `wrongLength` for a
  /// value of a fixed size.
  public typealias DecodingError = TextDecodingError

  /// Encodes bytes as lowercase hexadecimal, two digits per byte.
  ///
  /// The standard library creates the `String`: it inspects each digit only to check that it's
  /// ASCII, which all of them are, and copies it. Neither its memory nor the array of digits is
  /// wiped. For a key, write the digits into your own memory and wipe it afterward.
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
    // The standard library writes the count of zero bytes, too: into memory shared by all empty
    // arrays, which the thread sanitizer reports in your program.
    if unsafe bytes.isEmpty { return }
    digits.append(addingCapacity: 2 * bytes.count) { unsafe append(bytes, to: &$0) }
  }

  /// Appends two lowercase digits for each byte, as ASCII. Traps unless the span has enough
  /// capacity.
  package static func append(
    _ bytes: UnsafeRawBufferPointer, to digits: inout OutputSpan<UInt8>
  ) {
    precondition(2 * bytes.count <= digits.freeCapacity)
    // Safety: that many bytes are free, and `encode` writes all of them.
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
    // Safety: `position` is below `count`, and two digits per byte fit.
    #if !hasFeature(Embedded)  // where vectors may be much code instead of instructions
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

  /// Decodes a string of hexadecimal digits, uppercase or lowercase, without prefix or spaces.
  ///
  /// - Throws: ``DecodingError`` if the number of digits is odd or a character isn't a hexadecimal
  ///   digit.
  public static func decode(_ text: String) throws(DecodingError) -> [UInt8] {
    try decode(text.utf8)
  }

  /// Decodes hexadecimal digits in ASCII.
  ///
  /// - Throws: ``DecodingError`` if the number of digits is odd or a character isn't a hexadecimal
  ///   digit.
  public static func decode(_ digits: some Collection<UInt8>) throws(DecodingError) -> [UInt8] {
    // Decodes concrete memory, because this function isn't specialized for collections of other
    // modules.
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

  /// Encodes four bytes as eight lowercase digits. The first byte and the first digit are the
  /// lowest. All eight are computed in parallel, without a branch.
  @inline(__always)
  static func encodeLowercase(_ bytes: UInt32) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let pairs = (UInt64(bytes) | UInt64(bytes) &<< 16) & 0x0000_FFFF_0000_FFFF
    let four = (pairs | pairs &<< 8) & 0x00FF_00FF_00FF_00FF
    // The higher half of a byte is the first digit.
    let values = (four &>> 4 | four &<< 8) & (ones &* 15)
    // A value above 9 sets bit 4 of its sum with 6.
    let isLetter = (values &+ ones &* 6) &>> 4 & ones
    return values &+ ones &* 48 &+ isLetter &* 39
  }

  /// Returns the lowercase digit of a value of 0 to 15: '0' is 48, and 'a' is 39 after '9' + 1.
  package static func digit(_ value: UInt8) -> UInt8 {
    // For values above 9, the difference wraps around, which sets its highest bit.
    value &+ 48 &+ (((9 &- value) &>> 7) &* 39)
  }

  /// Returns the uppercase digit of a value of 0 to 15: 'A' is 7 after '9' + 1.
  package static func uppercaseDigit(_ value: UInt8) -> UInt8 {
    value &+ 48 &+ (((9 &- value) &>> 7) &* 7)
  }

  #if !hasFeature(Embedded)
    /// Returns the digits of sixteen bytes, computed in parallel.
    @inline(__always)
    static func digits(_ bytes: SIMD16<UInt8>) -> SIMD32<UInt8> {
      var digits = SIMD32<UInt8>()
      digits.evenHalf = digit(bytes &>> 4)
      digits.oddHalf = digit(bytes & 15)
      return digits
    }

    /// Returns the digits of values of 0 to 15.
    @inline(__always)
    static func digit(_ values: SIMD16<UInt8>) -> SIMD16<UInt8> {
      // 1 if the value is above 9, negated to 255: in that case, 'a' is 39 after '9' + 1.
      let isLetter = 0 &- ((values &+ 6) &>> 4)
      return values &+ 48 &+ (isLetter & 39)
    }
  #endif

  /// Returns the value of an uppercase or lowercase digit, or 255. Masks are 255 if the character
  /// is in the range.
  package static func nibble(_ character: UInt8) -> UInt8 {
    let lowered = character | 0x20
    let isDecimal = ConstantTime.mask(character, from: 48, through: 57)
    let isLetter = ConstantTime.mask(lowered, from: 97, through: 102)
    return (isDecimal & (character &- 48)) | (isLetter & (lowered &- 87)) | ~(isDecimal | isLetter)
  }
}

/// The reason a hexadecimal or base64 string was rejected.
public struct TextDecodingError: Swift.Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason. New codes may be added. Include a default in a switch.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    let value: UInt8

    /// A hexadecimal string has an odd number of digits, but each byte needs two. Check for a
    /// missing digit or an added newline.
    public static var oddLength: Code { Code(value: 1) }
    /// The string's length isn't possible, or the value has a different size: a SHA-256 digest
    /// needs 64 digits. Check for missing characters, for padding, and for the digest of a
    /// different hash function.
    public static var wrongLength: Code { Code(value: 2) }
    /// A character isn't in the alphabet. Check for a prefix, a space or a newline, and for the
    /// other base64 alphabet.
    public static var invalidCharacter: Code { Code(value: 3) }
    /// The last base64 character sets bits that don't belong to any byte. Check for missing
    /// characters.
    public static var trailingBits: Code { Code(value: 4) }

    /// The name of the code, as it's spelled here.
    public var name: String {
      switch self {
      case .oddLength: "oddLength"
      case .wrongLength: "wrongLength"
      case .invalidCharacter: "invalidCharacter"
      default: "trailingBits"
      }
    }

    /// The name of the code.
    public var description: String { name }
  }

  /// The reason, as a code.
  public let code: Code

  /// What is wrong. Contains no part of the string, which may be secret.
  public let problem: String

  /// How to fix it.
  public let fix: String

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The message.
  public var description: String { message }

  /// Compares all fields. (In Embedded Swift, `==` on strings links the Unicode tables.)
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
      fix: "Check for missing digits, a newline, or the digest of a different hash function.")
  }

  static func invalidCharacter(in digits: UnsafeBufferPointer<UInt8>) -> Self {
    let offset = unsafe digits.firstIndex { Hexadecimal.nibble($0) > 15 } ?? digits.count
    return Self(
      code: .invalidCharacter,
      problem: "The character at offset \(offset) isn't a hexadecimal digit.",
      fix: "Pass only 0 to 9, a to f and A to F. Check for a prefix, a space or a newline.")
  }
}
