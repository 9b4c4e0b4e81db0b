// SPDX-License-Identifier: Apache-2.0
// A program that tells how much more many operations allocate than a few.

import SecureHashing

@main
enum AllocationDriver {
  static let key = SymmetricKey(data: [UInt8](repeating: 7, count: 32))
  static let message = [UInt8](repeating: 1, count: 1 << 20)
  static let short = [UInt8](repeating: 2, count: 1_000)
  static let text = String(repeating: "text ", count: 40)

  static func main() {
    precondition(SHA256.selfTest() && HMAC<SHA256>.selfTest())
    precondition(message.count + short.count + text.utf8.count > 0 && key.bitCount == 256)
    measure("control", "a key", times: 1_000) { keep(SymmetricKey(data: short).bitCount) }
    for implementation in SHA256.Implementation.available { measureAll(implementation) }
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
    let messages = (0..<1_000).map { message[..<($0 % 300)] }
    let few = Array(messages[..<10])
    compare(name, "batch", few: { keep(SHA256.hashBatch(few)) }) {
      keep(SHA256.hashBatch(messages))
    }
    compare(
      name, "batch of HMAC",
      few: { keep(HMAC<SHA256>.authenticationCodeBatch(for: few, using: prepared)) }
    ) {
      keep(HMAC<SHA256>.authenticationCodeBatch(for: messages, using: prepared))
    }
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
    compare(name, operation, few: body) { for _ in 0..<times { body() } }
  }

  static func compare(_ name: String, _ operation: String, few: () -> Void, many: () -> Void) {
    few()
    let start = allocationCount()
    few()
    let between = allocationCount()
    many()
    let difference = (allocationCount() - between) - (between - start)
    print("\(name), \(operation): \(difference)")
  }
}

/// Stores a result where nobody looks at it.
@inline(never)
@_optimize(none)
func keep<Value>(_ value: Value) {}

/// How often the C library was asked for memory: see CountingAllocator.c.
@_silgen_name("allocation_count")
func allocationCount() -> Int
