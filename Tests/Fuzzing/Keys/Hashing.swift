// SPDX-License-Identifier: Apache-2.0
// Digests, codes and checksums don't depend on portions, on the kernel, or on other messages of a
// batch.

internal import Checksums
internal import SecureHashing

enum HashingTargets {
  // Asking the processor takes longer than a run.
  private static let implementations = SHA256.Implementation.available
  private static let checksums = CRCImplementation.available

  static func hashing(_ input: FuzzInput) {
    var input = input
    let bytes = input.bytes
    let portions = bytes.portions(input.number())
    let (digest, key) = (SHA256.hash(data: bytes), SymmetricKey(data: bytes.prefix(100)))
    let code = HMAC<SHA256>.authenticationCode(for: bytes, using: key)
    for implementation in implementations {
      var function = SHA256(implementation: implementation)
      for portion in portions { function.update(data: portion) }
      expect(function.finalize() == digest, "SHA-256 in portions")
      let digests = SHA256.hashBatch(portions, implementation: implementation)
      expect(digests == portions.map { SHA256.hash(data: $0) }, "SHA-256 side by side")
    }
    var computation = HMAC<SHA256>(key: key)
    for portion in portions { computation.update(data: portion) }
    expect(computation.finalize() == code, "HMAC in portions")
    let prepared = HMAC<SHA256>.PreparedKey(key)
    let codes = HMAC<SHA256>.authenticationCodeBatch(
      for: [bytes, Array(input.rest)], using: prepared)
    expect(codes[0] == code, "HMAC side by side")
    check(SHA1.self, bytes, portions)
    check(Insecure.MD5.self, bytes, portions)
    check(CRC32.self, bytes, portions)
    check(CRC32C.self, bytes, portions)
    check(CRC64NVME.self, bytes, portions)
  }

  private static func check<Function: HashFunction>(
    _ type: Function.Type, _ bytes: [UInt8], _ portions: [ArraySlice<UInt8>]
  ) {
    var function = Function()
    for portion in portions { function.update(data: portion) }
    expect(Array(function.finalize()) == Array(Function.hash(data: bytes)), "\(type) in portions")
  }

  private static func check<Check: CyclicRedundancyCheck>(
    _ type: Check.Type, _ bytes: [UInt8],
    _ portions: [ArraySlice<UInt8>]
  ) {
    let checksum = type.checksum(of: bytes)
    for implementation in checksums {
      var function = Check(implementation: implementation)
      for portion in portions { function.update(data: portion) }
      expect(function.finalize() == checksum, "\(type) in portions")
    }
    let combined = portions.reduce(type.checksum(of: [])) {
      type.combine($0, type.checksum(of: $1), secondByteCount: UInt64($1.count))
    }
    expect(combined == checksum, "\(type) of parts, combined")
  }
}
