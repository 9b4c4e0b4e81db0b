// SPDX-License-Identifier: Apache-2.0
// The query in canonical order.

internal import SigningSupport

extension SigV4 {
  /// SigV4, step 1: CanonicalQueryString.
  ///
  /// A query knows the order of its parameters from the beginning. Those of a presigned URL were
  /// written before, in their order, and are put in between.
  struct CanonicalQuery {
    let query: Query

    /// Where the parameters of the signature stand that are not written yet.
    var pending: Range<Int>

    /// The query of a request, with the parameters of a signature; none for an empty range.
    init(_ query: Query, with parameters: Range<Int>) {
      self.query = query
      pending = parameters
    }

    mutating func write(to writer: inout ByteWriter) {
      let start = writer.count
      // Safety: the ranges of the parameters are ranges of the bytes.
      unsafe query.bytes.withUnsafeBytes { bytes in
        for parameter in query.sorted {
          unsafe writePending(before: bytes.part(parameter.name), after: start, to: &writer)
          if writer.count > start { writer.append(ASCIIByte.ampersand) }
          unsafe writer.append(bytes.part(parameter.whole))
          if !parameter.hasValue { writer.append(ASCIIByte.equals) }
        }
      }
      writePending(upTo: pending.upperBound, after: start, to: &writer)
    }

    /// Writes those parameters of the signature whose names come before another.
    private mutating func writePending(
      before name: UnsafeRawBufferPointer, after start: Int, to writer: inout ByteWriter
    ) {
      // Safety: the name is read only.
      if unsafe pending.isEmpty || BytewiseOrder.precedes(name, Self.prefix.bytesInUTF8) { return }
      if unsafe !name.starts(with: Self.prefix.bytesInUTF8) {
        return writePending(upTo: pending.upperBound, after: start, to: &writer)
      }
      while unsafe writer.hasParameter(in: pending, before: name) {
        writePending(upTo: writer.parameterEnd(in: pending), after: start, to: &writer)
      }
    }

    private mutating func writePending(upTo end: Int, after start: Int, to writer: inout ByteWriter)
    {
      if pending.isEmpty { return }
      if writer.count > start { writer.append(ASCIIByte.ampersand) }
      writer.appendAgain(pending.lowerBound..<end)
      pending = Swift.min(end &+ 1, pending.upperBound)..<pending.upperBound
    }

    /// How the names of all parameters of a signature begin.
    static var prefix: StaticString { "X-Amz-" }
  }
}

extension SigV4.ByteWriter {
  /// Whether the first of the parameters that stand in a range has a name before another.
  func hasParameter(in range: Range<Int>, before name: UnsafeRawBufferPointer) -> Bool {
    // Safety: the bytes are read only.
    unsafe withWritten(range) { written in
      let nameEnd = unsafe written.firstIndex(of: ASCIIByte.equals) ?? written.endIndex
      return unsafe nameEnd > 0 && BytewiseOrder.precedes(written.part(0..<nameEnd), name)
    }
  }

  /// Where the first of the parameters that stand in a range ends.
  func parameterEnd(in range: Range<Int>) -> Int {
    // Safety: the bytes are read only.
    let length = unsafe withWritten(range) { unsafe $0.firstIndex(of: ASCIIByte.ampersand) }
    return length.map { range.lowerBound &+ $0 } ?? range.upperBound
  }
}
