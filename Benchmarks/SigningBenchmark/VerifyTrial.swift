// SPDX-License-Identifier: Apache-2.0
// The signed download as a server sees it: whose it is, and whether the signature is right.

internal import RequestVerification
internal import BenchmarkSupport
internal import RequestSigning

enum VerifyTrial {
  /// The download, with a signature that an independent implementation computed. The result must be
  /// the signer's access key ID. A server that accepts a different signature isn't timed.
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
    _ verify: @escaping (consuming SigV4.ReceivedRequest) throws(SigV4.VerificationError) -> String
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

  private static func owner(
    of request: consuming SigV4.ReceivedRequest, _ verifier: SigV4.Verifier,
    _ key: SigV4.SigningKey,
    _ timestamp: SigV4.Timestamp
  ) throws(SigV4.VerificationError) -> String {
    try verifier.check(request, at: timestamp).verify(with: key).request.accessKeyID
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
      let url = try task.signer.presignedURL(
        for: task.request, expiresIn: lifetime, at: task.timestamp)
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

  /// The timed part begins here.
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
