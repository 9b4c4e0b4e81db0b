// SPDX-License-Identifier: Apache-2.0
// The signed download as a server sees it: whose it is, and whether the signature is right.

internal import RequestVerification
internal import BenchmarkSupport
internal import RequestSigning

enum VerifyTrial {
  /// The download, whose signature is the one that somebody else has computed; what has to come out is
  /// whose it is. A server that takes another signature is not timed.
  static func trial(
    _ operation: String, _ task: SigningTask
  ) throws(BenchmarkError) -> Trial {
    let verifier = SigV4.Verifier(services: [.s3], regions: [MeasuredRequests.region])
    do {
      let key = try task.signer.signingKey(at: task.timestamp)
      let message = try ReceivedBytes(task)
      if (try? owner(of: message.forged.request, verifier, key, task.timestamp)) != nil {
        throw BenchmarkError.failure("a wrong signature is taken for right: nothing is timed")
      }
      return trial(operation, task, message) { request throws(SigV4.VerificationError) in
        try owner(of: request, verifier, key, task.timestamp)
      }
    } catch {
      throw .failure("the download cannot be verified: \(error)")
    }
  }

  private static func trial(
    _ operation: String, _ task: SigningTask, _ message: ReceivedBytes,
    _ verify: @escaping (SigV4.ReceivedRequest) throws(SigV4.VerificationError) -> String
  ) -> Trial {
    let ours = SigningEntrant(SigningEntrant.ours) { _ in
      try verify(message.request)
    } signature: {
      Array($0.utf8)
    }
    return Trial(
      operation: operation, bytes: task.canonicalByteCount, messages: 1, baseline: HashBlocks.name,
      contenders: [
        ours.contender(task),
        HashBlocks(messages: [task.blocks.keyKept]).contender(HashBlocks.name),
      ],
      expected: Array(MeasuredRequests.accessKeyID.utf8), figures: .operations,
      remark: "\(task.blocks.keyKept) blocks, from received bytes, the signing key kept")
  }

  /// A hundred downloads at once, with the keys at hand and with credentials.
  static func batchTrial(_ task: SigningTask) throws(BenchmarkError) -> Trial {
    let count = 100
    let verifier = SigV4.Verifier(services: [.s3], regions: [MeasuredRequests.region])
    do {
      let (key, credentials) = (
        try task.signer.signingKey(at: task.timestamp), try MeasuredRequests.credentials()
      )
      let message = try ReceivedBytes(task)
      func claims() -> [SigV4.Claim] {
        (0..<count).compactMap { _ in
          try? verifier.claim(of: message.request, at: task.timestamp)
        }
      }
      let contenders = [
        contender(SigningEntrant.ours, baseline: HashBlocks.name) { body in
          SigV4.Claim.verifyBatch(claims().map { ($0, key, nil, nil) }, body)
        },
        contender(SigningEntrant.derived, baseline: HashBlocks.nameWithDerivation) { body in
          SigV4.Claim.verifyBatch(claims().map { ($0, credentials, nil) }, body)
        },
        HashBlocks(messages: [Int](repeating: task.blocks.keyKept, count: count))
          .contender(HashBlocks.name),
        HashBlocks(messages: [Int](repeating: task.blocks.keyDerived, count: count))
          .contender(HashBlocks.nameWithDerivation),
      ]
      return Trial(
        operation: "batch-verify", bytes: task.canonicalByteCount, messages: 1,
        baseline: HashBlocks.name, contenders: contenders,
        expected: (0..<count).flatMap { _ in Array(MeasuredRequests.accessKeyID.utf8) },
        figures: .operations, operationsInRun: count,
        remark:
          "\(count) requests at once from received bytes, \(task.blocks.keyKept) blocks each with "
          + "the signing key kept, \(task.blocks.keyDerived) with a derived one")
    } catch {
      throw .failure("the downloads cannot be verified: \(error)")
    }
  }

  /// What comes out is whose the proved requests are.
  private static func contender(
    _ name: String, baseline: String,
    _ verify: @escaping ((Int, consuming SigV4.Claim.Verdict) -> Void) -> Void
  ) -> Contender {
    var owners: [UInt8] = []
    return Contender(
      name: name, baseline: baseline,
      run: { repetitions in
        for _ in 0..<repetitions {
          owners.removeAll(keepingCapacity: true)
          verify { _, verdict in
            if case .success(let verified) = consume verdict {
              owners += verified.claim.accessKeyID.utf8
            }
          }
        }
      }, output: { owners })
  }

  private static func owner(
    of request: SigV4.ReceivedRequest, _ verifier: SigV4.Verifier, _ key: SigV4.SigningKey,
    _ timestamp: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> String {
    try verifier.claim(of: request, at: timestamp).verify(with: key).claim.accessKeyID
  }
}

/// A request as a server has it: a method, and the bytes of the target and of each header.
private struct ReceivedBytes {
  var method: String
  var target: [UInt8]
  var headers: [(name: [UInt8], value: [UInt8])]

  init(_ task: SigningTask) throws {
    var fields = task.request.headers
    if let lifetime = task.lifetime {
      let url = try task.signer.presign(task.request, expiresIn: lifetime, at: task.timestamp)
      (method, target) = (url.method, Array(url.target.utf8))
      fields = [:]
    } else {
      let signed = try task.signer.sign(task.request, at: task.timestamp)
      (method, target) = (signed.method, Array(signed.target.utf8))
      fields = fields + signed.addedHeaders
    }
    headers = [(Array("Host".utf8), Array(task.request.host.utf8))]
    headers += fields.map { (Array($0.name.utf8), Array($0.value.utf8)) }
  }

  /// What is timed begins here.
  var request: SigV4.ReceivedRequest {
    var request = SigV4.ReceivedRequest(method, target: target, scheme: .https)
    for header in headers { request.append(header.name, header.value) }
    return request
  }

  /// The same with another last digit of the signature, which ends the target or the last header.
  var forged: ReceivedBytes {
    var copy = self
    let isURL = headers.count == 1
    let digits = isURL ? target : headers[headers.count - 1].value
    let last: UInt8 = digits.last == 0x30 ? 0x31 : 0x30
    let changed = Array(digits.dropLast()) + [last]
    if isURL { copy.target = changed } else { copy.headers[headers.count - 1].value = changed }
    return copy
  }
}
