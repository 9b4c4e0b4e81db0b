// SPDX-License-Identifier: Apache-2.0
// The C library of the operating system, by one name on all of them.

#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#elseif canImport(Android)
  @_exported public import Android
#elseif canImport(Darwin)
  @_exported public import Darwin
#endif
