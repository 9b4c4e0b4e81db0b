// SPDX-License-Identifier: Apache-2.0
// Sends bytes unchanged to a server on this machine, and returns its response.

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// One request and its response on a separate connection. URLSession would rewrite paths and
/// headers, and send something other than the signed request.
enum LoopbackExchange {
  struct Failure: Error {
    let what: String
    let number: Int32
  }

  static func answer(to request: [UInt8], fromPort port: UInt16) throws -> [UInt8] {
    let descriptor = socket(AF_INET, stream, 0)
    if descriptor < 0 { throw Failure(what: "socket", number: errno) }
    defer { close(descriptor) }
    try limitWaiting(descriptor)
    try open(descriptor, port)
    write(request, to: descriptor)
    return try read(descriptor)
  }

  /// A server that doesn't respond fails a test instead of blocking it.
  private static func limitWaiting(_ descriptor: Int32) throws {
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      // Safety: the size is that of the value, which outlives the call.
      let result = unsafe setsockopt(
        descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
      if result < 0 { throw Failure(what: "setsockopt", number: errno) }
    }
  }

  private static func open(_ descriptor: Int32, _ port: UInt16) throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    // Safety: an address of the internet is an address, and its size is given.
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        unsafe connect(descriptor, general, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result < 0 { throw Failure(what: "connect", number: errno) }
  }

  /// A server that rejects a request may close before it reads everything: its response counts.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var written = 0
    while written < bytes.count {
      // Safety: the pointer is only used during the call, and the count is the number of bytes
      // left.
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe send(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written, noSignal)
      }
      if count <= 0 { return }
      written += count
    }
  }

  private static func read(_ descriptor: Int32) throws -> [UInt8] {
    var answer: [UInt8] = []
    var portion = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Safety: the portion's count is its size in bytes.
      let count = unsafe portion.withUnsafeMutableBytes { buffer in
        unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      }
      if count == 0 || (count < 0 && errno == ECONNRESET && !answer.isEmpty) { return answer }
      if count < 0 { throw Failure(what: "recv", number: errno) }
      answer.append(contentsOf: portion[..<count])
    }
  }

  // A process that writes to a closed connection shall get an error and no signal.
  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #elseif canImport(Musl)
    private static let stream = SOCK_STREAM
    private static let noSignal = MSG_NOSIGNAL
  #else
    private static let stream = SOCK_STREAM
    private static let noSignal: Int32 = 0x80000
  #endif
}
