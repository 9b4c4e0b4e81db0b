// SPDX-License-Identifier: Apache-2.0
// Where names and values stand in one piece of memory, and how they are put in order.

nonisolated extension SigV4 {
  /// Where a name and its value stand: in a header with ':' between them, in a query with '=', or
  /// with nothing when there is no value.
  struct FieldRange: BitwiseCopyable, Sendable {
    let start: Int
    let nameEnd: Int
    let end: Int

    var name: Range<Int> { start..<nameEnd }
    var value: Range<Int> { Swift.min(nameEnd &+ 1, end)..<end }
    var whole: Range<Int> { start..<end }
    var hasValue: Bool { nameEnd < end }

    /// In which order fields are put: by their names, and then?
    enum Order {
      /// As they came.
      case nameThenPlace
      /// By their values.
      case nameThenValue
    }
  }
}

nonisolated extension [SigV4.FieldRange] {
  /// Heap sort: little code, no memory of its own, and linear-logarithmic time whoever chose the
  /// names. It does not keep the order of equal fields, such as `a` and `a=`, which canonically are
  /// one.
  mutating func sort(by order: SigV4.FieldRange.Order, in bytes: [UInt8]) {
    // Safety: the array lives as long as the closure runs.
    unsafe bytes.withUnsafeBytes { bytes in
      for root in (0..<count / 2).reversed() { unsafe sink(root, before: count, order, bytes) }
      for end in indices.reversed() {
        swapAt(0, end)
        unsafe sink(0, before: end, order, bytes)
      }
    }
  }

  /// Lets the field at `root` change places until none below it comes after it.
  private mutating func sink(
    _ root: Int, before end: Int, _ order: SigV4.FieldRange.Order, _ bytes: UnsafeRawBufferPointer
  ) {
    var parent = root
    while 2 &* parent &+ 1 < end {
      let left = 2 &* parent &+ 1
      // Safety: the bytes are read only.
      let isRight = unsafe left &+ 1 < end && precedes(left, left &+ 1, order, bytes)
      let child = isRight ? left &+ 1 : left
      if unsafe !precedes(parent, child, order, bytes) { return }
      swapAt(parent, child)
      parent = child
    }
  }

  private func precedes(
    _ left: Int, _ right: Int, _ order: SigV4.FieldRange.Order, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let (left, right) = (self[left], self[right])
    // Safety: the ranges of the fields are ranges of the bytes.
    let names = unsafe SigV4.ByteOrder.compare(bytes.part(left.name), bytes.part(right.name))
    if names != 0 { return names < 0 }
    switch order {
    case .nameThenPlace: return left.start < right.start
    case .nameThenValue:
      return unsafe SigV4.ByteOrder.precedes(bytes.part(left.value), bytes.part(right.value))
    }
  }
}
