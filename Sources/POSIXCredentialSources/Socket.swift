// SPDX-License-Identifier: Apache-2.0
// A connection that waits no longer than it may.

internal import CredentialProviders
internal import SigningSupport

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Until when something may take.
struct Deadline: Sendable {
  let end: ContinuousClock.Instant
  let isCancelled: CancellationFlag

  /// How many milliseconds may be waited at once: at most a tenth of a second, to see a cancellation.
  func millisecondsLeft() throws(Socket.Failure) -> Int32 {
    if isCancelled.withLock({ $0 }) { throw .cancelled }
    let left = end - ContinuousClock.now
    if left <= .zero { throw .timedOut }
    return left < .milliseconds(100) ? Int32(left / .milliseconds(1)) + 1 : 100
  }
}

/// A connection over TCP.
final class Socket {
  private let descriptor: Int32

  enum Failure: Error {
    case cancelled
    case timedOut
    /// The other side has closed the connection.
    case ended
    /// What the system says, by its number.
    case system(Int32)
    case invalidResponse(CredentialError)
  }

  /// Connects. An address that leads nowhere ends by the deadline.
  init(to address: NearAddress, port: UInt16, _ deadline: Deadline) throws(Failure) {
    // Where the system can, from the first moment on: a program that another thread runs meanwhile would
    // inherit it otherwise.
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
      // Safety: the number is read during the call only.
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(4))
    #endif
    let number = Self.connect(descriptor, address, port)
    if number == 0 { return }
    if number != EINPROGRESS && number != EINTR { throw .system(number) }
    try wait(for: POLLOUT, deadline)
    var outcome: Int32 = 0
    var size = socklen_t(4)
    // Safety: the outcome is a number of 4 bytes, as its size says.
    if unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &outcome, &size) != 0 { outcome = errno }
    if outcome != 0 { throw .system(outcome) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends all bytes. A server that closes the connection meanwhile may have answered already.
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

  /// The next bytes; none when the other side has closed the connection.
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
      // Safety: it is one entry.
      let count = unsafe poll(&entry, 1, milliseconds)
      if count > 0 { return }
      if count < 0 && errno != EINTR && errno != EAGAIN { throw .system(errno) }
    }
  }
}

extension Socket {
  /// Begins to connect, and gives the number of the error, or 0.
  private static func connect(_ descriptor: Int32, _ address: NearAddress, _ port: UInt16) -> Int32
  {
    if address.family == AF_INET {
      var place = sockaddr_in()
      #if canImport(Darwin)
        place.sin_len = UInt8(MemoryLayout<sockaddr_in>.size)
      #endif
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      // Safety: an IPv4 address has 4 bytes.
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
    // Safety: an IPv6 address has 16 bytes.
    unsafe withUnsafeMutableBytes(of: &place.sin6_addr) { unsafe $0.copyBytes(from: address.bytes) }
    return connect(descriptor, &place)
  }

  private static func connect<Place>(_ descriptor: Int32, _ place: inout Place) -> Int32 {
    // Safety: each kind of address begins as a sockaddr does, and is as long as is said here.
    let status = unsafe withUnsafePointer(to: &place) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe begin(descriptor, $0, socklen_t(MemoryLayout<Place>.size))
      }
    }
    return status == 0 ? 0 : errno
  }

  /// Sends some of the bytes, without a signal when the other side has closed the connection.
  private static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    // Safety: the bytes are used during the call only.
    return unsafe bytes.withUnsafeBytes {
      unsafe sendBytes(descriptor, $0.baseAddress, $0.count, flags)
    }
  }
}

// Functions of the C library whose names Socket has too.

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
