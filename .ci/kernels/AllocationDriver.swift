// SPDX-License-Identifier: Apache-2.0
// Prints how many more allocations many operations make than a few.

import S3Signing
import SecureHashing

@main
enum AllocationDriver {
  static let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  static let message = [UInt8](repeating: 1, count: 1 << 20)
  static let short = [UInt8](repeating: 2, count: 1_000)
  static let text = String(repeating: "text ", count: 40)

  static func main() throws {
    precondition(SHA256.selfTest() && HMAC<SHA256>.selfTest())
    precondition(message.count + short.count + text.utf8.count > 0 && key.bitCount == 256)
    measure("control", "a key", times: 1_000) { keep(SymmetricKey(data: short).bitCount) }
    for implementation in SHA256.Implementation.available { measureAll(implementation) }
    try measureSigning()
  }

  static func measureSigning() throws {
    let credentials = try SigV4.Credentials(
      accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "token")
    let now = try SigV4.Timestamp("20150830T123600Z")
    let bucket = try SigV4.Bucket.aws("examplebucket", region: "us-east-1")
    let signer = try bucket.signer(credentials: credentials)
    let put = try bucket.object("photos/été +1.jpg").putRequest(
      .bytes(short), headers: ["content-type": "image/jpeg", "x-amz-meta-a": "b"])
    var buffer = SigV4.SigningBuffer()
    measure("signing", "in the headers", times: 1_000) {
      keep(try? signer.sign(put, at: now, into: &buffer))
    }
    measure("signing", "in the query", times: 1_000) {
      keep(try? signer.presignedURL(for: put, expiresIn: .seconds(900), at: now, into: &buffer))
    }
    precondition(buffer.url.contains("X-Amz-Signature="))
    measureBatch(signer, bucket, now)
  }

  /// A URL of a batch allocates only its string. The memory for all URLs doubles when it's full,
  /// which takes a few more allocations for a thousand further URLs.
  static func measureBatch(
    _ signer: SigV4.Signer, _ bucket: SigV4.Bucket, _ now: SigV4.Timestamp
  ) {
    let keys = (0..<2_000).map { "photos/2013/05/été +\($0 + 10_000).jpg" }
    func count(_ keys: some Sequence<String>) -> Int {
      let start = allocationCount()
      keep(try? signer.presignedURLs(for: keys, in: bucket, at: now))
      return allocationCount() - start
    }
    let half = Array(keys[..<1_000])
    _ = count(keys)
    let difference = count(keys) - count(half)
    print("control, a batch of URLs: \(difference)")
    print("signing, a batch, except a string for each URL: \(max(0, difference - 1_000 - 8))")
  }

  static func measureAll(_ implementation: SHA256.Implementation) {
    let name = implementation.name
    let empty = SHA256(implementation: implementation)
    let prepared = HMAC<SHA256>.PreparedKey(key, implementation: implementation)
    measure(name, "1 MiB", times: 30) { keep(empty.finalize(appending: message)) }
    measure(name, "1 MiB in portions of 1,000 bytes", times: 30) { keep(inPortions(empty)) }
    measure(name, "text", times: 1_000) { keep(empty.finalize(appending: text.utf8)) }
    measure(name, "pair", times: 1_000) {
      keep(SHA256.finalizePair(empty, appending: short, empty, appending: text.utf8))
    }
    measure(name, "HMAC, prepared key", times: 1_000) {
      keep(HMAC<SHA256>.authenticationCode(for: short, using: prepared))
    }
    measure(name, "HMAC, pair", times: 1_000) {
      keep(HMAC<SHA256>.authenticationCodePair(for: short, text.utf8, using: prepared))
    }
    measure(name, "HMAC, key in the caller's memory", times: 1_000) { keep(codeUnderBytes()) }
    measure(name, "one-shot", times: 1_000) { keep(SHA256.hash(data: short)) }
    measure(name, "one-shot pair", times: 1_000) { keep(SHA256.hashPair(short, short)) }
  }

  static func inPortions(_ empty: SHA256) -> SHA256.Digest {
    var computation = empty
    for start in stride(from: 0, to: message.count, by: 1_000) {
      computation.update(data: message[start..<min(start + 1_000, message.count)])
    }
    return computation.finalize()
  }

  static func codeUnderBytes() -> HMAC<SHA256>.MAC {
    short.withUnsafeBytes { key in
      var computation = HMAC<SHA256>(keyBytes: key)
      computation.update(data: text.utf8)
      computation.update(data: short)
      return computation.finalize()
    }
  }

  /// Prints how many more allocations `times` operations make than one.
  static func measure(_ name: String, _ operation: String, times: Int, _ body: () -> Void) {
    body()
    let start = allocationCount()
    body()
    let between = allocationCount()
    for _ in 0..<times { body() }
    let difference = (allocationCount() - between) - (between - start)
    print("\(name), \(operation): \(difference)")
  }
}

/// Uses a result, so that the compiler can't omit its computation.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: Value) {}

/// The number of allocations in the C library: see CountingAllocator.c.
@_silgen_name("allocation_count")
func allocationCount() -> Int
