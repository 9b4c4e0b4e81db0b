// SPDX-License-Identifier: Apache-2.0
// Secrets that memcheck regards as undefined, and what the optimiser must not see through.

/// Memory that was never written. The optimiser must not know it: it would make anything of it.
@inline(never)
@_optimize(none)
func undefinedBytes(_ count: Int) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(
    start: UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16), count: count)
}

/// A word with its value, which memcheck regards as undefined: it does not look for a zero in a product. (Of a
/// difference of a number and itself it makes a zero.)
@inline(never)
@_optimize(none)
func undefined(_ word: UInt64) -> UInt64 {
  word &+ undefinedBytes(8).load(as: UInt64.self) &* zeroInMemory
}

nonisolated(unsafe) private var zeroInMemory: UInt64 = 0

/// Stores a result where it is never looked at.
@inline(never)
@_optimize(none)
func keep<Value: BitwiseCopyable>(_ value: Value) {
  UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    .storeBytes(of: value, as: Value.self)
}
