// SPDX-License-Identifier: Apache-2.0
// The signed download as a server sees it: whose it is, and whether the signature is right.

internal import RequestVerification
internal import BenchmarkSupport
internal import RequestSigning

enum VerifyTrial {
  /// The download with the signature that somebody else has computed; what has to come out is whose
  /// it is. A server that takes another signature is not timed.
  static func trial(_ task: SigningTask) throws(BenchmarkError) -> Trial {
    let verifier = SigV4.Verifier(
      SigV4.Verifier.Policy(services: [.s3], regions: [MeasuredRequests.region]))
    do {
      let key = try task.signer.signingKey(at: task.timestamp)
      let make = try receipt(of: task) { $0 }
      let forged = try receipt(of: task) { $0.dropLast() + ($0.last == "0" ? "1" : "0") }()
      if (try? owner(of: forged, verifier, key, task.timestamp)) != nil {
        throw BenchmarkError.failure("a wrong signature is taken for right: nothing is timed")
      }
      return trial(task, make) { request throws(SigV4.VerificationError) in
        try owner(of: request, verifier, key, task.timestamp)
      }
    } catch {
      throw .failure("the download cannot be verified: \(error)")
    }
  }

  private static func trial(
    _ task: SigningTask, _ make: @escaping () -> SigV4.ReceivedRequest,
    _ verify: @escaping (SigV4.ReceivedRequest) throws(SigV4.VerificationError) -> String
  ) -> Trial {
    let request = make()
    let ours = SigningEntrant(SigningEntrant.ours) { _ in
      try verify(request)
    } signature: {
      Array($0.utf8)
    }
    let newRequest = SigningEntrant("swift-sigv4-new-request") { _ in
      try verify(make())
    } signature: {
      Array($0.utf8)
    }
    return Trial(
      operation: "verify", bytes: task.canonicalByteCount, messages: 1, baseline: HashBlocks.name,
      contenders: [
        ours.contender(task), newRequest.contender(task),
        HashBlocks(messages: [task.blocks.keyKept]).contender(HashBlocks.name),
      ],
      expected: Array(MeasuredRequests.accessKeyID.utf8), figures: .operations,
      remark: "\(task.blocks.keyKept) blocks, the signing key kept")
  }

  private static func owner(
    of request: SigV4.ReceivedRequest, _ verifier: SigV4.Verifier, _ key: SigV4.SigningKey,
    _ timestamp: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> String {
    try verifier.claim(of: request, at: timestamp).verify(with: key).claim.accessKeyID
  }

  /// Makes the request as it arrives, its Authorization header changed or not.
  private static func receipt(
    of task: SigningTask, _ change: (String) -> String
  ) throws(SigV4.SigningError) -> () -> SigV4.ReceivedRequest {
    let signed = try task.signer.sign(task.request, at: task.timestamp)
    let added = signed.headers.map { header in
      header.name == "Authorization"
        ? (header.name, change(header.value)) : (header.name, header.value)
    }
    let headers = SigV4.Headers([("Host", signed.host)]) + task.request.headers + .init(added)
    let (method, target) = (signed.method, signed.target)
    return { SigV4.ReceivedRequest(method, target: target, scheme: .https, headers: headers) }
  }
}
