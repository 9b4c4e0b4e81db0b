// SPDX-License-Identifier: Apache-2.0
// What secrets need: memory that is erased, nothing of it in a debugger's dump, and comparison that does not tell
// by its duration what it saw.

/// The memory of a secret, which all copies of a value share.
///
/// Only the initialisers write it, so threads may share it. It is overwritten before it is given back.
@usableFromInline
@safe
package final class SecretMemory: @unchecked Sendable {
  /// Secret.
  @usableFromInline package let start: UnsafeMutableRawPointer
  @usableFromInline package let byteCount: Int

  /// Zeros, which the caller replaces before anything else knows this memory.
  @usableFromInline
  init(byteCount: Int, alignment: Int = 16) {
    self.byteCount = byteCount
    // Safety: the memory has at least byteCount bytes; the deinitialiser gives it back.
    unsafe start = .allocate(byteCount: Swift.max(byteCount, 1), alignment: alignment)
    unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  /// A copy of bytes.
  @usableFromInline
  package convenience init(copying bytes: UnsafeRawBufferPointer, alignment: Int = 16) {
    self.init(byteCount: bytes.count, alignment: alignment)
    // Safety: the memory has as many bytes.
    unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount).copyMemory(from: bytes)
  }

  /// A copy of the bytes of a collection that does not keep them side by side.
  @inlinable
  convenience init(elementsOf data: some Collection<UInt8>) {
    // Counted here: a collection of another module may say something else.
    self.init(byteCount: data.reduce(into: 0) { count, _ in count += 1 })
    // Safety: no more bytes are written than the memory has.
    for (index, byte) in data.enumerated() where index < byteCount {
      unsafe start.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
  }

  /// A copy of a value of plain bytes, whose original on the stack is overwritten.
  @inlinable
  package static func moving<Value: BitwiseCopyable>(_ value: consuming Value) -> SecretMemory {
    var value = value
    // Safety: the bytes are copied before the closure ends.
    return unsafe withUnsafeMutableBytes(of: &value) { bytes in
      unsafe SecretMemory(erasing: bytes, alignment: MemoryLayout<Value>.alignment)
    }
  }

  /// A copy of bytes, which are then overwritten.
  @usableFromInline
  convenience init(erasing bytes: UnsafeMutableRawBufferPointer, alignment: Int) {
    unsafe self.init(copying: UnsafeRawBufferPointer(bytes), alignment: alignment)
    unsafe ConstantTime.wipe(bytes)
  }

  /// The value that ``moving(_:)`` was given. The pointer is valid while this object is alive.
  @inlinable
  package func value<Value: BitwiseCopyable>(as type: Value.Type) -> UnsafePointer<Value> {
    // Safety: the caller names the type of the value that the memory was made of.
    unsafe UnsafePointer(start.assumingMemoryBound(to: type))
  }

  deinit {
    // Secret: erased before it is given back.
    unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(start: start, count: byteCount))
    unsafe start.deallocate()
  }
}

#if hasFeature(Embedded)
  /// A value that may hold a secret: what is printed of it is its description. (There are no mirrors.)
  package protocol Redacted: CustomStringConvertible {}
#else
  /// A value that may hold a secret: `dump`, debuggers and mirrors show its description, and nothing of
  /// what is inside.
  package protocol Redacted: CustomStringConvertible, CustomReflectable {}

  extension Redacted {
    /// No children.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

/// Operations whose time depends on sizes only, never on the bytes.
public enum ConstantTime {
  /// Whether two byte strings are equal. The time depends on the two lengths, which are public.
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

  /// Not inlined, so that the compiler sees no use of the difference inside the loop above.
  @inline(never)
  @usableFromInline
  static func isZero(_ difference: UInt8) -> Bool { difference == 0 }

  /// 255 when a byte lies in a range, 0 when not, without a branch. `first` is not above `last`.
  static func mask(_ byte: UInt8, from first: UInt8, through last: UInt8) -> UInt8 {
    let belowFirst = Int32(byte) &- Int32(first)
    let aboveLast = Int32(last) &- Int32(byte)
    // Either difference is negative outside of the range; its sign fills the upper bits.
    return ~UInt8(truncatingIfNeeded: (belowFirst | aboveLast) &>> 8)
  }

  /// Overwrites what functions that have returned left on the stack: 4 KiB below the caller.
  ///
  /// The secrets have to be computed by a function that is not inlined into the caller. In Embedded Swift
  /// nothing is done: a microcontroller may have no 4 KiB left.
  @inline(never)
  package static func wipeStack() {
    #if !hasFeature(Embedded)
      typealias Kibibyte = (SIMD64<UInt64>, SIMD64<UInt64>)
      let zeros: Kibibyte = (.zero, .zero)
      var space = (zeros, zeros, zeros, zeros)
      // Safety: the space has more bytes. That some are wiped forces the compiler to store all of them.
      unsafe withUnsafeMutableBytes(of: &space) {
        unsafe wipe(UnsafeMutableRawBufferPointer(rebasing: $0[..<8]))
      }
    #endif
  }

  /// What is overwritten at once: 64 bytes.
  private typealias EightWords = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Overwrites a secret with zeros. Neither inlined nor optimised: the compiler may not drop it.
  @inline(never)
  @_optimize(none)
  public static func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    let count = bytes.count
    // Safety: only positions of the buffer are written. Plain loops over plain pointers: anything else
    // stands here stays a call for every byte, since nothing is optimised.
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
