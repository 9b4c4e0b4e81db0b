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

    /// Heap sort: little code, no memory of its own, and linear-logarithmic time whoever chose the
    /// names. It does not keep the order of fields of which none precedes the other.
    static func sort(_ fields: inout [FieldRange], by precedes: (FieldRange, FieldRange) -> Bool) {
      for root in (0..<fields.count / 2).reversed() {
        sink(root, of: &fields, before: fields.count, precedes)
      }
      for end in fields.indices.reversed() {
        fields.swapAt(0, end)
        sink(0, of: &fields, before: end, precedes)
      }
    }

    /// Lets the field at `root` change places until none below it comes after it.
    private static func sink(
      _ root: Int, of fields: inout [FieldRange], before end: Int,
      _ precedes: (FieldRange, FieldRange) -> Bool
    ) {
      var parent = root
      while 2 &* parent &+ 1 < end {
        var child = 2 &* parent &+ 1
        if child &+ 1 < end && precedes(fields[child], fields[child &+ 1]) { child &+= 1 }
        if !precedes(fields[parent], fields[child]) { return }
        fields.swapAt(parent, child)
        parent = child
      }
    }
  }
}
