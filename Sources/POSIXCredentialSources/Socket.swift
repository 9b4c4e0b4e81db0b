// SPDX-License-Identifier: Apache-2.0
// TCP connections with deadlines.

internal import CredentialProviders
internal import RequestSigning

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A time limit that also checks for cancellation.
struct Deadline: Sendable {
  let end: ContinuousClock.Instant
  let isCancelled: CancellationFlag

  /// The number of milliseconds to wait, up to 100, so that a cancellation is noticed.
  func millisecondsLeft() throws(Socket.Failure) -> Int32 {
    if isCancelled.withLock({ $0 }) { throw .cancelled }
    let left = end - ContinuousClock.now
    if left <= .zero { throw .timedOut }
    return left < .milliseconds(100) ? Int32(left / .milliseconds(1)) + 1 : 100
  }
}

/// A TCP connection.
final class Socket {
  private let descriptor: Int32

  enum Failure: Error {
    case cancelled
    case timedOut
    /// The server closed the connection.
    case ended
    /// An error number of the system.
    case system(Int32)
    case invalidResponse(CredentialError)
  }

  /// Connects to an address. Throws at the deadline if nothing responds.
  init(to address: NearAddress, port: UInt16, _ deadline: Deadline) throws(Failure) {
    // Set SOCK_CLOEXEC here if possible. Otherwise a command started by a different thread could
    // inherit the socket before fcntl() sets the flag.
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #else
      let kind = SOCK_STREAM
    #endif
    descriptor = socket(address.family, kind, 0)
    if descriptor < 0 { throw .system(errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    if fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0 { throw .system(errno) }
    #if canImport(Darwin)
      var isOn: Int32 = 1
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(4))
    #endif
    let number = Self.connect(descriptor, address, port)
    if number == 0 { return }
    if number != EINPROGRESS && number != EINTR { throw .system(number) }
    try wait(for: POLLOUT, deadline)
    var outcome: Int32 = 0
    var size = socklen_t(4)
    // Safety: the size is that of the outcome, 4 bytes.
    if unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &outcome, &size) != 0 { outcome = errno }
    if outcome != 0 { throw .system(outcome) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends all bytes. Returns if the server closes the connection, because it may have already
  /// responded.
  func write(_ bytes: [UInt8], _ deadline: Deadline) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      try wait(for: POLLOUT, deadline)
      let count = Self.send(descriptor, rest)
      if count < 0 {
        if errno == EPIPE || errno == ECONNRESET { return }
        if ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno) { throw .system(errno) }
      }
      rest = rest.dropFirst(max(count, 0))
    }
  }

  /// Returns the next bytes, or no bytes if the server closed the connection.
  func read(_ deadline: Deadline) throws(Failure) -> ArraySlice<UInt8> {
    var portion = [UInt8](repeating: 0, count: 8_192)
    while true {
      try wait(for: POLLIN, deadline)
      let count = readBytes(descriptor, into: &portion)
      if count >= 0 { return portion[..<count] }
      if ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno) { throw .system(errno) }
    }
  }

  private func wait(for events: Int32, _ deadline: Deadline) throws(Failure) {
    while true {
      let milliseconds = try deadline.millisecondsLeft()
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let count = unsafe poll(&entry, 1, milliseconds)
      if count > 0 { return }
      if count < 0 && errno != EINTR && errno != EAGAIN { throw .system(errno) }
    }
  }
}

extension Socket {
  /// Starts to connect. Returns 0 or the error number.
  private static func connect(_ descriptor: Int32, _ address: NearAddress, _ port: UInt16) -> Int32
  {
    if address.family == AF_INET {
      var place = sockaddr_in()
      #if canImport(Darwin)
        place.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
      #endif
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      // Safety: an IPv4 address is 4 bytes long.
      unsafe withUnsafeMutableBytes(of: &place.sin_addr) {
        unsafe $0.copyBytes(from: address.bytes)
      }
      return connect(descriptor, &place)
    }
    var place = sockaddr_in6()
    #if canImport(Darwin)
      place.sin6_len = UInt8(MemoryLayout<sockaddr_in6>.size)
    #endif
    place.sin6_family = sa_family_t(AF_INET6)
    place.sin6_port = port.bigEndian
    // Safety: an IPv6 address is 16 bytes long.
    unsafe withUnsafeMutableBytes(of: &place.sin6_addr) { unsafe $0.copyBytes(from: address.bytes) }
    return connect(descriptor, &place)
  }

  private static func connect<Place>(_ descriptor: Int32, _ place: inout Place) -> Int32 {
    // Safety: each address type starts like a sockaddr, and the size is passed.
    let status = unsafe withUnsafePointer(to: &place) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe begin(descriptor, $0, socklen_t(MemoryLayout<Place>.size))
      }
    }
    return status == 0 ? 0 : errno
  }

  /// Sends some of the bytes, without SIGPIPE if the server closed the connection.
  private static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    return unsafe bytes.withUnsafeBytes {
      unsafe sendBytes(descriptor, $0.baseAddress, $0.count, flags)
    }
  }
}

// C functions whose names are also methods of Socket.

private func begin(_ descriptor: Int32, _ place: UnsafePointer<sockaddr>, _ size: socklen_t)
  -> Int32
{
  unsafe connect(descriptor, place, size)
}

private func sendBytes(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(descriptor, bytes, count, flags)
}
