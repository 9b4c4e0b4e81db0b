// SPDX-License-Identifier: Apache-2.0
// What secrets have in common: memory that is erased, and nothing of it in a debugger's dump.

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
