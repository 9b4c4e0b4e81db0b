// SPDX-License-Identifier: Apache-2.0
// Many signing keys, derived side by side, and signatures under many.

internal import SecureHashing
internal import SigningSupport

extension SigV4.SigningKey {
  /// The signing keys of many credentials and scopes in their order, derived side by side.
  ///
  ///     let keys = SigV4.SigningKey.batch(of: regions.map { (credentials, $0) })
  ///
  /// Each is the key that ``init(_:scope:)`` derives. Up to sixteen are derived at a time, which pays most
  /// on processors without SHA instructions.
  public static func batch(
    of owners: [(credentials: SigV4.Credentials, scope: SigV4.CredentialScope)]
  ) -> [Self] {
    var keys: [Self] = []
    keys.reserveCapacity(owners.count)
    while keys.count < owners.count {
      let end = Swift.min(keys.count + SHA256.jobCapacity, owners.count)
      derive(owners[keys.count..<end], &keys)
    }
    ConstantTime.wipeStack()
    return keys
  }

  /// SigV4, step 4: kDate, kRegion, kService, kSigning, each for all.
  @inline(never)
  private static func derive(
    _ owners: ArraySlice<(credentials: SigV4.Credentials, scope: SigV4.CredentialScope)>,
    _ keys: inout [Self]
  ) {
    let scopes = owners.map { $0.scope }
    let terminator = SigV4.CredentialScope.terminator
    let capacity = scopes.reduce(terminator.utf8CodeUnitCount) {
      Swift.max($0, $1.region.byteCountInUTF8, $1.service.byteCountInUTF8)
    }
    // Safety: there is a code for each owner, which is set before it is used.
    unsafe withUnsafeTemporaryAllocation(of: HMAC<SHA256>.MAC.self, capacity: owners.count) {
      codes in
      unsafe dateKeys(owners, codes)
      unsafe HMAC<SHA256>.advance(codes, messageCapacity: capacity) {
        unsafe copy(scopes[$0].region, to: $1)
      }
      unsafe HMAC<SHA256>.advance(codes, messageCapacity: capacity) {
        unsafe copy(scopes[$0].service, to: $1)
      }
      unsafe HMAC<SHA256>.advance(codes, messageCapacity: capacity) { _, message in
        unsafe message.copyMemory(from: terminator.bytesInUTF8)
        return terminator.utf8CodeUnitCount
      }
      for (index, owner) in owners.enumerated() {
        let key = unsafe SymmetricKey(data: codes[index])
        let accessKeyID = owner.credentials.accessKeyID
        keys.append(Self(storage: Storage(key, accessKeyID: accessKeyID, scope: owner.scope)))
      }
      unsafe ConstantTime.wipe(UnsafeMutableRawBufferPointer(codes))
    }
  }

  private static func copy(_ text: String, to message: UnsafeMutableRawBufferPointer) -> Int {
    // Safety: the message has the size of the longest text.
    unsafe text.withBytesInUTF8 {
      unsafe message.copyMemory(from: $0)
      return $0.count
    }
  }

  /// kDate of each.
  private static func dateKeys(
    _ owners: ArraySlice<(credentials: SigV4.Credentials, scope: SigV4.CredentialScope)>,
    _ codes: UnsafeMutableBufferPointer<HMAC<SHA256>.MAC>
  ) {
    let days = owners.map { $0.scope.dayCharacters.littleEndian }
    let daySize = MemoryLayout<UInt64>.size
    // Safety: the days lie still, and the owners keep the keys.
    unsafe days.withUnsafeBytes { days in
      var (next, done) = (0, 0)
      unsafe SHA256.BatchJob.run {
        if next == owners.count { return nil }
        defer { next += 1 }
        return unsafe SHA256.BatchJob(
          owners[owners.startIndex + next].credentials.derivationKey,
          appending: days.part(next * daySize..<(next + 1) * daySize))
      } _: {
        unsafe codes.initializeElement(at: done, to: HMAC.MAC(digest: $0.digest))
        done += 1
      }
    }
  }

  /// The signatures of many strings to sign, each under a key of its own, computed side by side.
  package static func signatures(
    of signed: [(key: Self, stringToSign: SigV4.StringToSign)]
  ) -> [SigV4.Signature] {
    HMAC<SHA256>.authenticationCodeBatch(
      for: signed.map { ($0.stringToSign.bytes, $0.key.storage.start) }
    ).map { SigV4.Signature($0) }
  }
}
