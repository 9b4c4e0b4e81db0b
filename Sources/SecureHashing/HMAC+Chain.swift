// SPDX-License-Identifier: Apache-2.0
// Chains of keys, many side by side: each code is the key of the next.

extension HMAC where H == SHA256 {
  /// A step of up to ``SHA256/jobCapacity`` chains: puts in place of each code that of a message under it.
  ///
  /// The caller overwrites the codes and the stack: both are secret.
  ///
  /// - Parameters:
  ///   - codes: the keys, which become codes.
  ///   - capacity: the size of the longest message in bytes.
  ///   - write: writes the message for the code at an index, and returns its size.
  package static func advance(
    _ codes: UnsafeMutableBufferPointer<MAC>, messageCapacity capacity: Int,
    _ write: (Int, UnsafeMutableRawBufferPointer) -> Int
  ) {
    let (blockSize, digestSize) = (SHA256.blockByteCount, SHA256.byteCount)
    let size = blockSize + Swift.max(capacity, digestSize)
    // Safety: each code has `size` bytes: a padded key, and a message or a digest behind it.
    unsafe withUnsafeTemporaryAllocation(byteCount: codes.count * size, alignment: 16) { memory in
      func part(_ index: Int) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: memory[index * size..<(index + 1) * size])
      }
      /// FIPS 198-1, 4, steps 4 and 7: K0 xor ipad, or K0 xor opad; the memory behind it.
      func padKey(_ index: Int, with byte: UInt8) -> UnsafeMutableRawBufferPointer {
        let block = unsafe UnsafeMutableRawBufferPointer(rebasing: part(index)[..<blockSize])
        unsafe codes[index].withUnsafeBytes { unsafe pad($0, into: block) }
        unsafe combine(block, with: byte)
        return unsafe UnsafeMutableRawBufferPointer(rebasing: part(index)[blockSize...])
      }
      func hash(
        _ messageSize: (Int) -> Int, _ body: (Int, SHA256.Digest) -> Void
      ) {
        var (next, done) = (0, 0)
        unsafe SHA256.BatchJob.run {
          if next == codes.count { return nil }
          defer { next += 1 }
          let message = unsafe part(next)[..<(blockSize + messageSize(next))]
          return unsafe SHA256.BatchJob(
            SHA256(), appending: UnsafeRawBufferPointer(rebasing: message))
        } _: {
          unsafe body(done, $0.digest)
          done += 1
        }
      }
      // Steps 5 and 6, and 8 and 9
      hash {
        unsafe write($0, padKey($0, with: 0x36))
      } _: { index, digest in
        unsafe padKey(index, with: 0x5C).storeBytes(of: digest, as: SHA256.Digest.self)
      }
      hash { _ in
        digestSize
      } _: {
        unsafe codes[$0] = MAC(digest: $1)
      }
      unsafe ConstantTime.wipe(memory)  // Secret: the padded keys
    }
  }
}
