// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What Apple adds to Darwin in Swift: macros that the importer leaves out, variadic functions.
// The headers: <errno.h>, <sys/stat.h>, <fcntl.h>, <signal.h>.
// https://developer.apple.com/documentation/darwin

@_exported import Darwin
public var errno: Int32 {
  get { __error().pointee }
  set { __error().pointee = newValue }
}
public var S_IFMT: mode_t { 0o170000 }
public var S_IFIFO: mode_t { 0o010000 }
public var S_IFREG: mode_t { 0o100000 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { 0 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { 0 }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { 0 }
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Sendable {
  public init(booleanLiteral v: Bool) {}
}
