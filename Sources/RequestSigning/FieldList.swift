// SPDX-License-Identifier: Apache-2.0
// Names and values in one piece of memory, and how they are put in order.

internal import SigningSupport

extension SigV4 {
  /// Where a name and its value stand: in a header with ':' between them, in a query with '=', or
  /// with nothing when there is no value.
  package struct FieldRange: BitwiseCopyable, Sendable {
    package let start: Int
    let nameEnd: Int
    package let end: Int

    package var name: Range<Int> { start..<nameEnd }
    package var value: Range<Int> { Swift.min(nameEnd + 1, end)..<end }
    package var whole: Range<Int> { start..<end }
    var hasValue: Bool { nameEnd < end }

    /// In which order fields are put: by their names, and then?
    enum Order {
      /// As they came.
      case nameThenPlace
      /// By their values.
      case nameThenValue
    }
  }

  /// A short list of fields that signing adds, in memory that is used again.
  struct FieldList: Sendable {
    /// The fields one after the other, each with a terminator after it.
    var bytes: [UInt8] = []

    private(set) var fields: [FieldRange] = []

    mutating func removeAll() {
      if fields.isEmpty { return }
      bytes.clear()
      fields.removeAll(keepingCapacity: true)
    }

    /// Appends a field, whose value takes `capacity` bytes at most, with a terminator after it.
    #if !hasFeature(Embedded)  // where size counts
      @inline(__always)
    #endif
    mutating func append(
      _ name: StaticString, _ separator: UInt8, _ terminator: UInt8, upTo capacity: Int,
      _ value: (inout OutputSpan<UInt8>) -> Void
    ) {
      if fields.isEmpty {  // most often enough
        fields.reserveCapacity(8)
        bytes.reserve(256)
      }
      let start = bytes.count
      let nameEnd = start + name.utf8CodeUnitCount
      bytes.append(upTo: name.utf8CodeUnitCount + capacity + 2) { text in
        text.appendUTF8(name)
        text.append(byte: separator)
        value(&text)
        text.append(byte: terminator)
      }
      fields.append(FieldRange(start: start, nameEnd: nameEnd, end: bytes.count - 1))
    }

    /// The index of the first field, from `first` on, that does not sort before `name`. Most often all do,
    /// or none does.
    func end(of first: Int, before name: UnsafeRawBufferPointer) -> Int {
      // Safety: the fields are ranges of the bytes.
      if first == fields.count { return first }
      return unsafe bytes.withUnsafeBytes { bytes in
        func precedes(_ index: Int) -> Bool {
          unsafe BytewiseOrder.precedes(bytes.part(fields[index].name), name)
        }
        if precedes(fields.count - 1) { return fields.count }
        var end = first
        while precedes(end) { end += 1 }
        return end
      }
    }

    /// Where some of the fields stand, with the terminator after each.
    func range(of part: Range<Int>) -> Range<Int> {
      part.isEmpty ? 0..<0 : fields[part.lowerBound].start..<fields[part.upperBound - 1].end + 1
    }

    /// Takes back the field that was appended last.
    mutating func removeLast() {
      guard let last = fields.popLast() else { return }
      bytes.removeLast(bytes.count - last.start)
    }
  }
}

extension [SigV4.FieldRange] {
  /// In linear-logarithmic time whatever the names are. It does not keep the order of equal fields, such
  /// as `a` and `a=`, which canonically are one.
  mutating func sort(by order: SigV4.FieldRange.Order, in bytes: [UInt8]) {
    // Safety: both arrays live as long as the closures run.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe withUnsafeMutableBufferPointer { fields in
        unsafe SigV4.FieldHeap(fields: fields, order: order, bytes: bytes).sort()
      }
    }
  }
}

extension SigV4 {
  /// Fields that are being sorted.
  @safe
  fileprivate struct FieldHeap {
    let fields: UnsafeMutableBufferPointer<FieldRange>
    let order: FieldRange.Order
    let bytes: UnsafeRawBufferPointer

    /// Insertion of few; of more heap sort: little code and no memory of its own.
    func sort() {
      let count = unsafe fields.count
      #if !hasFeature(Embedded)  // where size counts
        if count <= 8 { return insert() }
      #endif
      for root in (0..<count / 2).reversed() { sink(root, before: count) }
      for end in (0..<count).reversed() {
        unsafe fields.swapAt(0, end)
        sink(0, before: end)
      }
    }

    private func insert() {
      // Safety: all places are at most `end`.
      for end in unsafe fields.indices {
        let field = unsafe fields[end]
        var place = end
        while unsafe place > 0 && precedes(field, fields[place - 1]) {
          unsafe fields[place] = fields[place - 1]
          place -= 1
        }
        unsafe fields[place] = field
      }
    }

    /// Puts the field at `root` in its place among those below it. It sinks to the bottom, where most
    /// fields belong, and rises from there: half the comparisons of a look at it on every level.
    private func sink(_ root: Int, before end: Int) {
      var place = root
      while 2 * place + 1 < end {
        let left = 2 * place + 1
        let child = left + 1 < end && precedes(at: left, left + 1) ? left + 1 : left
        // Safety: both places are below `end`.
        unsafe fields.swapAt(place, child)
        place = child
      }
      while place > root {
        let parent = (place - 1) / 2
        if !precedes(at: parent, place) { return }
        // Safety: both places are below `end`.
        unsafe fields.swapAt(place, parent)
        place = parent
      }
    }

    private func precedes(at left: Int, _ right: Int) -> Bool {
      unsafe precedes(fields[left], fields[right])
    }

    #if hasFeature(Embedded)  // where size counts
      @inline(never)
    #endif
    private func precedes(_ left: FieldRange, _ right: FieldRange) -> Bool {
      // Safety: the ranges of the fields are ranges of the bytes.
      let names = unsafe BytewiseOrder.compare(bytes.part(left.name), bytes.part(right.name))
      if names != 0 { return names < 0 }
      switch order {
      case .nameThenPlace: return left.start < right.start
      case .nameThenValue:
        return unsafe BytewiseOrder.precedes(bytes.part(left.value), bytes.part(right.value))
      }
    }
  }
}
