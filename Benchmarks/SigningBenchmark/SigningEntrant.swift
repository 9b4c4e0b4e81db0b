// SPDX-License-Identifier: Apache-2.0
// What competes: the ways in which this package signs, a few lines each.

internal import BenchmarkSupport
internal import RequestSigning
internal import SecureHashing

/// A way to sign, under its name.
struct SigningEntrant {
  let contender: (SigningTask) -> Contender

  static let ours = "swift-sigv4"
  static let derived = "swift-sigv4-derived"

  /// In the caller's buffer, and as a value.
  static var header: [SigningEntrant] {
    [
      SigningEntrant(ours, into: SigV4.SigningBuffer()) {
        try $0.signer.sign($0.request, at: $0.timestamp, into: &$1)
      } signature: {
        hexadecimalEnd(of: $0.authorization)
      },
      SigningEntrant("swift-sigv4-value") {
        try $0.signer.sign($0.request, at: $0.timestamp)
      } signature: {
        $0.signature.bytes
      },
      SigningEntrant(
        derived, baseline: HashBlocks.nameWithDerivation, into: SigV4.SigningBuffer()
      ) {
        try $0.derivingSigner.sign($0.request, at: $0.timestamp, into: &$1)
      } signature: {
        hexadecimalEnd(of: $0.authorization)
      },
    ]
  }

  /// From the text of a URL and headers to the signature: in the caller's buffer, and as a value. The
  /// request is made each time, checks included.
  static var headerText: [SigningEntrant] {
    [
      SigningEntrant(ours, into: SigV4.SigningBuffer()) {
        try $0.signer.sign($0.makeRequest(), at: $0.timestamp, into: &$1)
      } signature: {
        hexadecimalEnd(of: $0.authorization)
      },
      fromTextAsValue("swift-sigv4-value"),
      SigningEntrant(derived, baseline: HashBlocks.nameWithDerivation) {
        try $0.derivingSigner.sign($0.makeRequest(), at: $0.timestamp)
      } signature: {
        $0.signature.bytes
      },
    ]
  }

  static func fromTextAsValue(_ name: String) -> SigningEntrant {
    SigningEntrant(name) {
      try $0.signer.sign($0.makeRequest(), at: $0.timestamp)
    } signature: {
      $0.signature.bytes
    }
  }

  /// From the text of a URL to the presigned one as a string. The request is made each time.
  static var presignText: [SigningEntrant] {
    [
      SigningEntrant(ours) {
        try $0.signer.presignedURL(
          for: $0.makeRequest(), expiresIn: $0.lifetime ?? .zero, at: $0.timestamp
        )
        .url
      } signature: {
        hexadecimalEnd(of: $0)
      },
      SigningEntrant(derived, baseline: HashBlocks.nameWithDerivation) {
        try $0.derivingSigner.presignedURL(
          for: $0.makeRequest(), expiresIn: $0.lifetime ?? .zero, at: $0.timestamp
        ).url
      } signature: {
        hexadecimalEnd(of: $0)
      },
    ]
  }

  /// The Authorization header as a string, and all headers to be added.
  static var headerStrings: [SigningEntrant] {
    [
      SigningEntrant(ours) {
        try $0.signer.sign($0.request, at: $0.timestamp).authorization
      } signature: {
        hexadecimalEnd(of: $0)
      },
      SigningEntrant("swift-sigv4-all-headers") {
        try $0.signer.sign($0.request, at: $0.timestamp).addedHeaders
      } signature: { headers in
        hexadecimalEnd(of: headers.values(named: "authorization").last ?? "")
      },
    ]
  }

  /// The presigned URL in the caller's buffer, and as a string.
  static var presign: [SigningEntrant] {
    [
      SigningEntrant(ours, into: SigV4.SigningBuffer()) {
        try $0.signer.presignedURL(
          for: $0.request, expiresIn: $0.lifetime ?? .zero, at: $0.timestamp, into: &$1)
      } signature: {
        hexadecimalEnd(of: $0.url)
      },
      SigningEntrant("swift-sigv4-url") {
        try $0.signer.presignedURL(
          for: $0.request, expiresIn: $0.lifetime ?? .zero, at: $0.timestamp
        ).url
      } signature: {
        hexadecimalEnd(of: $0)
      },
      SigningEntrant(
        derived, baseline: HashBlocks.nameWithDerivation, into: SigV4.SigningBuffer()
      ) {
        try $0.derivingSigner.presignedURL(
          for: $0.request, expiresIn: $0.lifetime ?? .zero, at: $0.timestamp, into: &$1)
      } signature: {
        hexadecimalEnd(of: $0.url)
      },
    ]
  }

  /// Checks the signing key itself.
  static var keyDerivation: [SigningEntrant] {
    [
      SigningEntrant(ours) {
        try $0.derivingSigner.signingKey(at: $0.timestamp)
      } signature: { key in
        // Safety: the bytes are copied at once. Public: they belong to an example.
        unsafe key.key.withUnsafeBytes { unsafe Array($0) }
      }
    ]
  }

  /// Returns the signature at the end of a string.
  static func hexadecimalEnd(of text: String) -> [UInt8] {
    (try? Hexadecimal.decode(String(text.suffix(64)))) ?? []
  }
}

extension SigningEntrant {
  /// `sign` is timed. `signature` reads the signature from its last result.
  init<Output>(
    _ name: String, baseline: String? = nil,
    _ sign: @escaping (SigningTask) throws -> Output,
    signature: @escaping (Output) -> [UInt8]
  ) {
    self.init(name, baseline: baseline, into: Output?.none) { task, output in
      output = try sign(task)
    } signature: {
      $0.map(signature) ?? []
    }
  }

  /// `sign` writes into the caller's buffer, a new one for each sample.
  init<Output>(
    _ name: String, baseline: String? = nil, into empty: @autoclosure @escaping () -> Output,
    _ sign: @escaping (SigningTask, inout Output) throws -> Void,
    signature: @escaping (Output) -> [UInt8]
  ) {
    contender = { task in
      let last = LastOutput<Output>()
      let run = { (repetitions: Int) in
        do {
          var output = empty()
          for _ in 0..<repetitions { try sign(task, &output) }
          last.value = output
        } catch {
          last.value = nil
        }
      }
      return Contender(
        name: name, baseline: baseline, run: run, output: { last.value.map(signature) ?? [] })
    }
  }
}

/// The result of the last repetition, or nil if one failed.
final class LastOutput<Value> {
  var value: Value?
}
