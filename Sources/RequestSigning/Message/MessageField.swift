// SPDX-License-Identifier: Apache-2.0
// The places of header lines and parameters in a text, and their order.

/// A header line `name:value`, or a parameter `name=value`, in a text.
///
/// Fields precede the text in the same memory, and are trivial: any bytes are a valid field. The
/// first eight bytes of their names nearly always determine their order.
@usableFromInline package struct MessageField: BitwiseCopyable, Sendable {
  /// The first eight bytes of the name, the first one highest, padded with zeros.
  let key: UInt64

  // Three words, to be copied in registers.
  @usableFromInline var place: UInt64
  @usableFromInline var name: UInt64

  @inlinable package static var byteCount: Int { 24 }

  @inline(__always)
  init(_ key: UInt64, _ start: Int, nameEnd: Int, end: Int, _ header: KnownHeader = .other) {
    self.key = key
    place = Self.place(start, end)
    let nameCount = UInt64(UInt32(truncatingIfNeeded: nameEnd &- start))
    name = UInt64(header.rawValue) | (nameEnd < end ? 0x100 : 0) | nameCount &<< 32
  }

  @inline(__always)
  private static func place(_ start: Int, _ end: Int) -> UInt64 {
    UInt64(UInt32(truncatingIfNeeded: start)) | UInt64(UInt32(truncatingIfNeeded: end)) &<< 32
  }

  @inlinable @inline(__always) package var header: KnownHeader {
    KnownHeader(rawValue: UInt8(truncatingIfNeeded: name)) ?? .other
  }
  @inlinable @inline(__always) package func isHeader(_ header: KnownHeader) -> Bool {
    UInt8(truncatingIfNeeded: name) == header.rawValue
  }
  @inline(__always) package var bit: UInt32 { 1 &<< UInt32(name & 31) }
  @inlinable @inline(__always) package var hasValue: Bool { name & 0x100 != 0 }
  @inlinable @inline(__always) package var nameCount: Int { Int(name &>> 32) }
  @inlinable @inline(__always) package var start: Int { Int(UInt32(truncatingIfNeeded: place)) }
  @inlinable @inline(__always) package var nameEnd: Int { start &+ nameCount }
  @inlinable @inline(__always) package var end: Int { Int(place &>> 32) }
  @inlinable @inline(__always) package var valueStart: Int { hasValue ? nameEnd &+ 1 : end }
  @inlinable @inline(__always) package var nameRange: Range<Int> { start..<nameEnd }
  @inlinable @inline(__always) package var valueRange: Range<Int> { valueStart..<end }
  @inlinable @inline(__always) package var range: Range<Int> { start..<end }

  /// A header line with its newline.
  @inlinable @inline(__always) package var line: Range<Int> { start..<end &+ 1 }

  /// The value with its newline.
  @inlinable @inline(__always) package var valueLine: Range<Int> { valueStart..<end &+ 1 }

  /// Sets the end of a value that wasn't known before.
  @inline(__always)
  mutating func setEnd(_ end: Int) { place = Self.place(start, end) }

  /// Returns the same field in a text that was copied to another place.
  @inline(__always)
  package func moved(by distance: Int) -> MessageField {
    var copy = self
    copy.place = Self.place(start &+ distance, end &+ distance)
    return copy
  }

  /// The same field, marked as added by signing instead of part of the request.
  @inline(__always)
  var asAdded: MessageField {
    var copy = self
    copy.name |= 0x200
    return copy
  }
  @inline(__always) var isAdded: Bool { name & 0x200 != 0 }

  /// A field that isn't in any text.
  static var none: MessageField { MessageField(0, 0, nameEnd: 0, end: 0) }

  /// The order of fields with the same name.
  enum Order {
    /// In the original order, for headers.
    case place
    /// By value, for parameters.
    case value
  }
}

extension TextSpan {
  /// Returns a field before the text.
  @inlinable @inline(__always)
  package func field(_ index: Int) -> MessageField {
    // Safety: any bytes are a valid field.
    unsafe bytes.unsafeLoadUnaligned(
      fromByteOffset: index &* MessageField.byteCount, as: MessageField.self)
  }

  @inline(__always)
  package func hasSameName(_ left: MessageField, _ right: MessageField) -> Bool {
    left.key == right.key && left.nameCount == right.nameCount
      && (left.nameCount <= 8
        || extracting(left.nameRange).hasSameBytes(as: extracting(right.nameRange)))
  }

  /// Returns whether a field comes before another.
  @inline(__always)
  func precedes(_ left: MessageField, _ right: MessageField, by order: MessageField.Order) -> Bool {
    left.key == right.key
      ? precedesWithSameKey(left, right, by: order) : left.key < right.key
  }

  @inline(never)
  private func precedesWithSameKey(
    _ left: MessageField, _ right: MessageField, by order: MessageField.Order
  ) -> Bool {
    let names = extracting(left.nameRange).compare(to: extracting(right.nameRange))
    if names != 0 { return names < 0 }
    switch order {
    case .place: return left.start < right.start
    case .value:
      return extracting(left.valueRange).compare(to: extracting(right.valueRange)) < 0
    }
  }

  /// Returns whether a field of this text comes before a field of another text, by name.
  @inline(__always)
  package func precedes(_ field: MessageField, _ other: MessageField, of text: TextSpan) -> Bool {
    if field.key != other.key { return field.key < other.key }
    return extracting(field.nameRange).compare(to: text.extracting(other.nameRange)) < 0
  }
}

extension TextOutput {
  @inline(__always)
  package func field(_ index: Int) -> MessageField { span.field(index) }

  @inline(__always)
  package mutating func set(_ field: MessageField, at index: Int) {
    store(field, at: index &* MessageField.byteCount)
  }

  /// Sorts fields of this text. Returns whether they were already in order.
  mutating func sortFields(_ range: Range<Int>, by order: MessageField.Order) -> Bool {
    for index in range.dropFirst() where span.precedes(field(index), field(index &- 1), by: order) {
      if range.count > 16 { sortMany(range, by: order) } else { insert(range, by: order) }
      return false
    }
    return true
  }

  /// Sorts a few fields by insertion.
  private mutating func insert(_ range: Range<Int>, by order: MessageField.Order) {
    for end in range.dropFirst() {
      let field = field(end)
      var place = end
      while place > range.lowerBound, span.precedes(field, self.field(place &- 1), by: order) {
        set(self.field(place &- 1), at: place)
        place &-= 1
      }
      set(field, at: place)
    }
  }

  /// Sorts many fields in linearithmic time, whatever their names.
  @inline(never)
  private mutating func sortMany(_ range: Range<Int>, by order: MessageField.Order) {
    var fields = ContiguousArray(range.map { field($0) })
    fields.sort { span.precedes($0, $1, by: order) }
    for index in fields.indices { set(fields[index], at: range.lowerBound &+ index) }
  }
}
