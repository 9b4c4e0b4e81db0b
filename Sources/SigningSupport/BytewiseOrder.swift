// SPDX-License-Identifier: Apache-2.0
// The order of what is signed: that of bytes, which is not the one of Swift's strings.
// Public, because package functions are not inlined into other modules; the module is not a product.

/// Comparison of texts byte by byte, a shorter one before those that begin with it.
public enum BytewiseOrder {
  /// Whether one text comes before another.
  #if !hasFeature(Embedded)
    @inlinable
  #endif
  public static func precedes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  )
    -> Bool
  {
    unsafe compare(left, right) < 0
  }

  /// Below 0, 0 or above 0, as one text comes before the other, equals it, or comes after it.
  #if hasFeature(Embedded)  // where size counts
    @inline(never)
  #else
    @inlinable
  #endif
  public static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  )
    -> Int
  {
    let common = Swift.min(left.count, right.count)
    var position = 0
    // Safety: 8 bytes from the position on, or one, are inside of both texts.
    #if !hasFeature(Embedded)  // where size counts
      while position &+ 8 <= common {
        let word = unsafe left.loadUnaligned(fromByteOffset: position, as: UInt64.self).bigEndian
        let other = unsafe right.loadUnaligned(fromByteOffset: position, as: UInt64.self).bigEndian
        if word != other { return word < other ? -1 : 1 }
        position &+= 8
      }
    #endif
    while position < common {
      let (byte, other) = unsafe (left[position], right[position])
      if byte != other { return byte < other ? -1 : 1 }
      position &+= 1
    }
    return left.count &- right.count
  }
}
