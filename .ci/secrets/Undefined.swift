// SPDX-License-Identifier: Apache-2.0
// Secrets that memcheck regards as undefined, and what the optimiser must not see through.

/// Memory that was never written. The optimiser must not know it: it would make anything of it.
@inline(never)
@_optimize(none)
func undefinedBytes(_ count: Int) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(
    start: UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 16), count: count)
}

/// Stores a result where it is never looked at.
@inline(never)
@_optimize(none)
func keep<Value: BitwiseCopyable>(_ value: Value) {
  UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 16)
    .storeBytes(of: value, as: Value.self)
}
