// SPDX-License-Identifier: Apache-2.0
// Hexadecimal text, both ways.

/// Hexadecimal text (RFC 4648, section 8): two digits a byte.
///
/// Neither direction branches or looks up a table by the value of a byte, so both are fit for keys.
public enum Hexadecimal {
  /// Lowercase text, two digits for each byte.
  public static func encode(_ bytes: some Collection<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 &* bytes.count)
    for byte in bytes {
      digits.append(digit(byte &>> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Writes two lowercase digits for each byte into the caller's memory; for as many bytes as find
  /// room there.
  public static func encode(
    _ bytes: UnsafeRawBufferPointer, into digits: UnsafeMutableRawBufferPointer
  ) {
    let count = Swift.min(bytes.count, digits.count / 2)
    var position = 0
    // Safety: `position` is below `count`, and two digits a byte find room.
    #if !hasFeature(Embedded)  // where vectors may be no instructions, but much code
      while position &+ 16 <= count {
        let sixteen = unsafe bytes.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
        unsafe digits.storeBytes(
          of: Self.digits(sixteen), toByteOffset: 2 &* position, as: SIMD32<UInt8>.self)
        position &+= 16
      }
    #endif
    while position < count {
      unsafe digits[2 &* position] = digit(bytes[position] &>> 4)
      unsafe digits[2 &* position &+ 1] = digit(bytes[position] & 15)
      position &+= 1
    }
  }

  /// The bytes of a text of hexadecimal digits of either case, without prefix or spaces.
  ///
  /// Throws when the number of digits is odd or a character is no hexadecimal digit.
  public static func decode(_ text: String) throws(DecodingError) -> [UInt8] {
    try decode(text.utf8)
  }

  /// The bytes of hexadecimal digits given as ASCII.
  ///
  /// Throws when the number of digits is odd or a character is no hexadecimal digit.
  public static func decode(_ digits: some Collection<UInt8>) throws(DecodingError) -> [UInt8] {
    // On concrete memory: for collections of other modules this function is not specialised.
    // Safety: the buffer is used only inside the closure.
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

  /// The digit of a value of 0 to 15: '0' is 48, and 'a' is 39 further than '9' + 1.
  static func digit(_ value: UInt8) -> UInt8 {
    value &+ 48 &+ (((9 &- value) &>> 7) &* 39)
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

  /// The value of a digit, or 255. Masks are 255 where the character lies in the range.
  static func nibble(_ character: UInt8) -> UInt8 {
    let lowered = character | 0x20
    let isDecimal = ConstantTime.mask(character, from: 48, through: 57)
    let isLetter = ConstantTime.mask(lowered, from: 97, through: 102)
    return (isDecimal & (character &- 48)) | (isLetter & (lowered &- 87)) | ~(isDecimal | isLetter)
  }
}

extension Hexadecimal {
  /// Why a text is no hexadecimal text.
  public struct DecodingError: Swift.Error, Sendable, CustomStringConvertible {
    /// What is wrong; more codes may come.
    public struct Code: Hashable, Sendable {
      let value: UInt8

      /// A byte is written with two digits, and the number of digits is odd.
      public static var oddLength: Code { Code(value: 1) }
      /// A character is no hexadecimal digit.
      public static var invalidCharacter: Code { Code(value: 2) }
    }

    /// What is wrong.
    public let code: Code

    /// What is wrong, and what to do, for people. It holds no part of the text, which may be secret.
    public let message: String

    /// The message.
    public var description: String { message }

    static func oddLength(_ count: Int) -> DecodingError {
      DecodingError(
        code: .oddLength,
        message: "the hexadecimal text has \(count) characters, an odd number; every byte takes "
          + "two digits: look for a digit that was lost, or a line end that was added")
    }

    static func invalidCharacter(in digits: some Collection<UInt8>) -> DecodingError {
      var offset = 0
      for character in digits {
        if nibble(character) > 15 { break }
        offset &+= 1
      }
      return DecodingError(
        code: .invalidCharacter,
        message: "the character at offset \(offset) of the hexadecimal text is no hexadecimal "
          + "digit; only 0 to 9, a to f and A to F are allowed, without prefix, space or line end")
    }
  }
}
