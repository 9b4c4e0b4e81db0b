// SPDX-License-Identifier: Apache-2.0
// What the page and its module hand each other: texts of any bytes, each after its size.

/// Memory for the fields of a call.
@c(allocate)
public func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16)
}

/// Fields that JavaScript wrote: four bytes of size, the lowest first, and the bytes.
struct PageFields {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ input: UnsafePointer<UInt8>, _ byteCount: Int) {
    bytes = UnsafeBufferPointer(start: input, count: byteCount)
  }

  var isAtEnd: Bool { position + 4 > bytes.count }

  /// The bytes of the next field; none behind the last one.
  mutating func nextBytes() -> [UInt8] {
    if isAtEnd { return [] }
    let size = bytes[position..<(position + 4)].reversed().reduce(0) { $0 << 8 | Int($1) }
    let start = position + 4
    let end = min(start + size, bytes.count)
    position = end
    return Array(bytes[start..<end])
  }

  mutating func next() -> String { String(decoding: nextBytes(), as: UTF8.self) }
}

/// Fields for JavaScript, a name and a text in turns.
struct PageOutput {
  private var bytes: [UInt8] = []

  mutating func add(_ name: String, _ text: String) {
    for part in [name, text] {
      let size = part.utf8.count
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: size >> shift)) }
      bytes += part.utf8
    }
  }

  /// The size of all fields, and the fields, in memory that is not given back: each call has a memory of
  /// its own, which is dropped with the instance of the module.
  func memory() -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count + 4, alignment: 4)
    memory.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
    (memory + 4).copyMemory(from: bytes, byteCount: bytes.count)
    return memory
  }
}
