// SPDX-License-Identifier: Apache-2.0
// The time and expiration of a request's signature, and whether they're valid now.

internal import RequestSigning

extension SigV4 {
  /// The time and expiration of a request's signature.
  struct ClaimedLife {
    let timestamp: Timestamp
    private(set) var expiration: Timestamp?

    init(
      _ fields: SignatureFields, _ text: TextSpan, _ credential: ClaimedCredential,
      _ service: borrowing Service, _ verifier: borrowing Verifier, at now: Timestamp
    ) throws(VerificationError) {
      timestamp = try Self.timestamp(fields, text)
      try credential.checkDay(of: timestamp, in: text, fields.source)
      let window = verifier.window(of: service)
      let age = now.unixSeconds - timestamp.unixSeconds
      if age < -window {
        throw fields.lifetime == nil
          ? .skewed(timestamp, now, window) : .notYetValid(timestamp, now)
      }
      if fields.source == .query && service.lifetimeRule == .required {
        expiration = try Self.expiration(fields, text, timestamp, verifier, at: now)
      } else if fields.lifetime != nil {
        throw VerificationError(
          .invalidLifetime,
          "URLs for \(service.name) have no lifetime, but this one sets X-Amz-Expires.",
          fix: "Ask the client to presign without X-Amz-Expires.")
      } else if age > window {
        throw .skewed(timestamp, now, window)
      }
    }

    /// Parses X-Amz-Date, or the Date header, which may also use HTTP's date formats.
    private static func timestamp(
      _ fields: SignatureFields, _ text: TextSpan
    ) throws(VerificationError) -> Timestamp {
      if let timestamp = Timestamp(text.extracting(fields.date)) { return timestamp }
      let date = text.extracting(fields.date).array
      if fields.isDatedByDateHeader,
        let timestamp = try? Timestamp(
          httpDate: unfolded(inGMT(String(decoding: date.prefix(64), as: UTF8.self))))
      {
        return timestamp
      }
      throw VerificationError(
        fields.source.malformed,
        "The date \(shown(date)) isn't valid.",
        fix: "Ask the client to use the form 20130524T000000Z.")
    }

    /// Replaces a numeric zone, which some clients write in a Date header (RFC 5322, 3.3).
    private static func inGMT(_ text: String) -> String {
      let isNumber = text.hasSuffix(" +0000") || text.hasSuffix(" -0000")
      return isNumber ? text.dropLast(5) + "GMT" : text
    }

    /// Restores the second space of `Sun Sep  6`, asctime()'s format (RFC 9110, 5.6.7), since runs
    /// of spaces have been collapsed.
    private static func unfolded(_ text: String) -> String {
      var bytes = Array(text.utf8)
      let isFolded =
        bytes.count == "Sun Sep 6 12:36:00 2015".utf8.count
        && bytes[7] == ASCIIByte.space && bytes[9] == ASCIIByte.space
      if isFolded { bytes.insert(ASCIIByte.space, at: 8) }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses X-Amz-Expires: 1 to 604,800 seconds after the date, in at most six decimal digits.
    private static func expiration(
      _ fields: SignatureFields, _ text: TextSpan, _ timestamp: Timestamp,
      _ verifier: borrowing Verifier, at now: Timestamp
    ) throws(VerificationError) -> Timestamp {
      let digits = text.extracting(fields.lifetime ?? 0..<0)
      let longest = verifier.maximumLifetimeInSeconds
      guard let seconds = number(digits, digitCount: 6), seconds >= 1, seconds <= longest,
        let expiration = try? timestamp.advanced(bySeconds: seconds)
      else {
        throw VerificationError(
          .invalidLifetime,
          "X-Amz-Expires must be 1 to \(longest) seconds in decimal digits, not "
            + "\(shown(digits.array)).",
          fix: "Ask the client to send a lifetime in this range, in decimal digits.")
      }
      if expiration < now { throw .urlExpired(expiration, now) }
      return expiration
    }
  }
}
