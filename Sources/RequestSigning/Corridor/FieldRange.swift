// SPDX-License-Identifier: Apache-2.0
// Where names and values stand in one piece of memory, and how they are put in order.

internal import SigningSupport

extension SigV4 {
  /// Where a name and its value stand: in a header with ':' between them, in a query with '=', or
  /// with nothing when there is no value.
  package struct FieldRange: BitwiseCopyable, Sendable {
    package let start: Int
    let nameEnd: Int
    package let end: Int

    package var name: Range<Int> { start..<nameEnd }
    package var value: Range<Int> { Swift.min(nameEnd &+ 1, end)..<end }
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

extension [SigV4.FieldRange] {
  /// Heap sort: little code, no memory of its own, and linear-logarithmic time whoever chose the
  /// names. It does not keep the order of equal fields, such as `a` and `a=`, which canonically are
  /// one.
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

    func sort() {
      // Safety: places up to `count` are in the memory.
      let count = unsafe fields.count
      for root in (0..<count / 2).reversed() { sink(root, before: count) }
      for end in (0..<count).reversed() {
        unsafe fields.swapAt(0, end)
        sink(0, before: end)
      }
    }

    /// Puts the field at `root` in its place among those below it. It sinks to the bottom, where most
    /// fields belong, and rises from there: half the comparisons of a look at it on every level.
    private func sink(_ root: Int, before end: Int) {
      var place = root
      while 2 &* place &+ 1 < end {
        let left = 2 &* place &+ 1
        let child = left &+ 1 < end && precedes(left, left &+ 1) ? left &+ 1 : left
        // Safety: both places are below `end`.
        unsafe fields.swapAt(place, child)
        place = child
      }
      while place > root {
        let parent = (place &- 1) / 2
        if !precedes(parent, place) { return }
        // Safety: both places are below `end`.
        unsafe fields.swapAt(place, parent)
        place = parent
      }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
      // Safety: the ranges of the fields are ranges of the bytes.
      let (left, right) = unsafe (fields[left], fields[right])
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
