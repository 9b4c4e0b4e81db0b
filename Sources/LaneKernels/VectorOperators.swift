// SPDX-License-Identifier: Apache-2.0
// Operators that the standard library computes element by element. The compiler merges the elements
// again, which takes 40 seconds and leaves more instructions. Without the compiler's module
// Builtin, those are used. The Builtin functions have the width in their names, so each width needs
// its own operators.

#if CompilerBuiltins
  // Public, so that the module's interface imports it, too: a library evolution build compiles
  // these bodies from there.
  public import Builtin

  /// A declaration that uses the import. Without one, the compiler warns that nothing does.
  @usableFromInline typealias FourWords = Builtin.Vec4xInt32

  extension SIMD4 where Scalar == UInt32 {
    /// The exclusive or of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func ^ (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.xor_Vec4xInt32(left._storage._value, right._storage._value))
    }

    /// The and of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func & (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.and_Vec4xInt32(left._storage._value, right._storage._value))
    }

    /// The or of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func | (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.or_Vec4xInt32(left._storage._value, right._storage._value))
    }

    /// Each lane's word, shifted right by a number of bits modulo 32.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func &>> (_ left: Self, _ right: Self) -> Self {
      let count = right & Self(repeating: 31)
      return Builtin.reinterpretCast(
        Builtin.lshr_Vec4xInt32(left._storage._value, count._storage._value))
    }

    /// Each lane's word, shifted left by a number of bits modulo 32.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func &<< (_ left: Self, _ right: Self) -> Self {
      let count = right & Self(repeating: 31)
      return Builtin.reinterpretCast(
        Builtin.shl_Vec4xInt32(left._storage._value, count._storage._value))
    }
  }

  extension SIMD8 where Scalar == UInt32 {
    /// The exclusive or of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func ^ (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.xor_Vec8xInt32(left._storage._value, right._storage._value))
    }

    /// The and of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func & (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.and_Vec8xInt32(left._storage._value, right._storage._value))
    }

    /// The or of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func | (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.or_Vec8xInt32(left._storage._value, right._storage._value))
    }

    /// Each lane's word, shifted right by a number of bits modulo 32.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func &>> (_ left: Self, _ right: Self) -> Self {
      let count = right & Self(repeating: 31)
      return Builtin.reinterpretCast(
        Builtin.lshr_Vec8xInt32(left._storage._value, count._storage._value))
    }

    /// Each lane's word, shifted left by a number of bits modulo 32.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func &<< (_ left: Self, _ right: Self) -> Self {
      let count = right & Self(repeating: 31)
      return Builtin.reinterpretCast(
        Builtin.shl_Vec8xInt32(left._storage._value, count._storage._value))
    }
  }

  extension SIMD16 where Scalar == UInt32 {
    /// The exclusive or of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func ^ (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.xor_Vec16xInt32(left._storage._value, right._storage._value))
    }

    /// The and of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func & (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.and_Vec16xInt32(left._storage._value, right._storage._value))
    }

    /// The or of each lane's words.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func | (_ left: Self, _ right: Self) -> Self {
      Builtin.reinterpretCast(Builtin.or_Vec16xInt32(left._storage._value, right._storage._value))
    }

    /// Each lane's word, shifted right by a number of bits modulo 32.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func &>> (_ left: Self, _ right: Self) -> Self {
      let count = right & Self(repeating: 31)
      return Builtin.reinterpretCast(
        Builtin.lshr_Vec16xInt32(left._storage._value, count._storage._value))
    }

    /// Each lane's word, shifted left by a number of bits modulo 32.
    @_alwaysEmitIntoClient
    @inline(__always)
    package static func &<< (_ left: Self, _ right: Self) -> Self {
      let count = right & Self(repeating: 31)
      return Builtin.reinterpretCast(
        Builtin.shl_Vec16xInt32(left._storage._value, count._storage._value))
    }
  }
#endif
