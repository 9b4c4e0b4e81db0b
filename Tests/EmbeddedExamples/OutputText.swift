// SPDX-License-Identifier: Apache-2.0
// The output of the signing functions.

/// The caller's memory. Bytes that don't fit are dropped.
struct OutputText {
  private let memory: UnsafeMutableBufferPointer<UInt8>
  private(set) var byteCount = 0

  init(_ memory: UnsafeMutablePointer<UInt8>, _ capacity: Int) {
    self.memory = UnsafeMutableBufferPointer(start: memory, count: capacity)
  }

  mutating func append(_ byte: UInt8) {
    if byteCount < memory.count {
      memory[byteCount] = byte
      byteCount += 1
    }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { append(byte) }
  }
}
