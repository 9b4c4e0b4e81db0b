// SPDX-License-Identifier: Apache-2.0
// Support for secrets: memory that is wiped, values that debuggers don't show, and comparison in
// constant time.

/// The memory of a secret, shared by all copies of a value.
///
/// Only the initializers write to it, so threads can share it. It's wiped before it's deallocated.
@usableFromInline
@safe
package final class SecretMemory: @unchecked Sendable {
  /// Secret.
  @usableFromInline package let start: UnsafeMutableRawPointer
  @usableFromInline package let byteCount: Int

  /// Allocates zeros, which the caller overwrites before sharing this memory.
  @usableFromInline
  init(byteCount: Int, alignment: Int = 16) {
    self.byteCount = byteCount
    // Safety: the memory is at least byteCount bytes long, and the deinitializer deallocates it.
    unsafe start = .allocate(byteCount: Swift.max(byteCount, 1), alignment: alignment)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  /// Copies bytes.
  @usableFromInline
  package convenience init(copying bytes: UnsafeRawBufferPointer, alignment: Int = 16) {
    self.init(byteCount: bytes.count, alignment: alignment)
    // Safety: the memory has the same size as `bytes`.
    unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount).copyMemory(from: bytes)
  }

  /// Copies the bytes of a noncontiguous collection.
  @inlinable
  convenience init(elementsOf data: some Collection<UInt8>) {
    // Counted here, because the `count` of another module's collection may be wrong.
    self.init(byteCount: data.reduce(into: 0) { count, _ in count += 1 })
    // Safety: at most byteCount bytes are written.
    for (index, byte) in data.enumerated() where index < byteCount {
      unsafe start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Copies a value of plain bytes and wipes the original on the stack.
  @inlinable
  package static func moving<Value: BitwiseCopyable>(_ value: consuming Value) -> SecretMemory {
    var value = value
    // Safety: the bytes are copied before the closure ends.
    return unsafe withUnsafeMutableBytes(of: &value) { bytes in
      unsafe SecretMemory(erasing: bytes, alignment: MemoryLayout<Value>.alignment)
    }
  }

  /// Copies bytes, then wipes them.
  @usableFromInline
  convenience init(erasing bytes: UnsafeMutableRawBufferPointer, alignment: Int) {
    unsafe self.init(copying: UnsafeRawBufferPointer(bytes), alignment: alignment)
    unsafe ConstantTime.wipe(bytes)
  }

  /// Returns a pointer to the value passed to ``moving(_:)``, valid while this object is alive.
  @inlinable
  package func value<Value: BitwiseCopyable>(as type: Value.Type) -> UnsafePointer<Value> {
    // Safety: the caller passes the type of the value that the memory was created from.
    unsafe UnsafePointer(start.assumingMemoryBound(to: type))
  }

  deinit {
    // Secret: wiped before it's deallocated.
    unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(start: start, count: byteCount))
    unsafe start.deallocate()
  }
}

#if hasFeature(Embedded)
  /// A value that may contain a secret. It prints as its description. (Embedded Swift has no
  /// mirrors.)
  package protocol Redacted: CustomStringConvertible {}
#else
  /// A value that may contain a secret. `dump`, debuggers and mirrors show only its description.
  package protocol Redacted: CustomStringConvertible, CustomReflectable {}

  extension Redacted {
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

/// Operations whose time depends only on sizes, never on the bytes.
public enum ConstantTime {
  /// Returns whether two byte strings are equal. The time depends on the two lengths, which are
  /// public.
  @inlinable
  public static func equal(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool
  {
    var difference: UInt8 = 0
    var leftIndex = left.startIndex
    var rightIndex = right.startIndex
    while leftIndex != left.endIndex && rightIndex != right.endIndex {
      difference |= left[leftIndex] ^ right[rightIndex]
      left.formIndex(after: &leftIndex)
      right.formIndex(after: &rightIndex)
    }
    let sameLength = leftIndex == left.endIndex && rightIndex == right.endIndex
    return isZero(difference) && sameLength
  }

  /// Not inlined, so that the compiler doesn't see how the result is used and leave the loop above
  /// early.
  @inline(never)
  @usableFromInline
  static func isZero(_ difference: UInt8) -> Bool { difference == 0 }

  /// Returns 255 if a byte is in a range and 0 otherwise, without a branch. `first` must not exceed
  /// `last`.
  static func mask(_ byte: UInt8, from first: UInt8, through last: UInt8) -> UInt8 {
    let belowFirst = Int32(byte) &- Int32(first)
    let aboveLast = Int32(last) &- Int32(byte)
    // Outside the range, one of the differences is negative, and its sign fills the upper bits.
    return ~UInt8(truncatingIfNeeded: (belowFirst | aboveLast) &>> 8)
  }

  /// Wipes the stack memory of functions that have returned: 4 KiB below the caller.
  ///
  /// The secrets must be computed in a function that isn't inlined into the caller. In Embedded
  /// Swift, this does nothing, because a microcontroller may not have 4 KiB left.
  @inline(never)
  package static func wipeStack() {
    #if !hasFeature(Embedded)
      wipeStack(quarter: (SIMD64<UInt64>.zero, SIMD64<UInt64>.zero))
    #endif
  }

  /// Wipes 8 KiB, which SHA-512 may need.
  @inline(never)
  @usableFromInline
  package static func wipeLargeStack() {
    #if !hasFeature(Embedded)
      let kibibyte = (SIMD64<UInt64>.zero, SIMD64<UInt64>.zero)
      wipeStack(quarter: (kibibyte, kibibyte))
    #endif
  }

  #if !hasFeature(Embedded)
    @inline(__always)
    private static func wipeStack<Zeros: BitwiseCopyable>(quarter zeros: Zeros) {
      var space = (zeros, zeros, zeros, zeros)
      // Safety: the space is larger than 8 bytes. Wiping some of them forces the compiler to store
      // all.
      unsafe withUnsafeMutableBytes(of: &space) {
        unsafe wipe(UnsafeMutableRawBufferPointer(rebasing: $0[..<8]))
      }
    }
  #endif

  /// The unit of wiping: 64 bytes.
  private typealias EightWords = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Overwrites a secret with zeros. Neither inlined nor optimized, so that the compiler can't
  /// remove it.
  @inline(never)
  @_optimize(none)
  public static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    let count = bytes.count
    // Safety: only positions of the buffer are written. The loops and pointers are plain, because
    // anything else would remain a function call for every byte: nothing here is optimized.
    let first = unsafe start.assumingMemoryBound(to: UInt8.self)
    var lead = (8 &- Int(bitPattern: start) & 7) & 7
    if lead > count { lead = count }
    let words = unsafe (start + lead).assumingMemoryBound(to: UInt64.self)
    let rows = unsafe (start + lead).assumingMemoryBound(to: EightWords.self)
    let wordCount = (count &- lead) &>> 3
    let rowCount = wordCount &>> 3
    var index = 0
    while index < lead {
      unsafe first[index] = 0
      index &+= 1
    }
    index = 0
    while index < rowCount {
      unsafe rows[index] = (0, 0, 0, 0, 0, 0, 0, 0)
      index &+= 1
    }
    index = rowCount &* 8
    while index < wordCount {
      unsafe words[index] = 0
      index &+= 1
    }
    index = lead &+ wordCount &* 8
    while index < count {
      unsafe first[index] = 0
      index &+= 1
    }
  }
}
