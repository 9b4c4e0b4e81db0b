// SPDX-License-Identifier: Apache-2.0
// What a bucket may be called, by store and addressing: refused before it stands in a URL.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A name that is proposed for a bucket.
  struct BucketName {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
      self.text = text
      bytes = Array(text.utf8)
    }

    /// Whether the name stands in the path, and not in the host, once it can stand there.
    func isInPath(
      at endpoint: S3Endpoint, _ addressing: Bucket.Addressing
    ) throws(SigningError) -> Bool {
      switch endpoint.kind {
      case .aws(let variant):
        try refuse(otherKindProblem)
        try refuse(addressing == .path ? oldProblem : problem)
        return try isInPathOfAWS(variant, addressing)
      case .multiRegion:
        try checkMultiRegion(addressing)
        return false
      case .s3ExpressZone:
        _ = try zoneID()
        return false
      case .s3ExpressControl:
        _ = try zoneID()
        try checkControl(addressing)
        return true
      case .pathStore:
        if addressing == .virtualHosted { throw inPathOnly(endpoint) }
        try refuse(pathProblem)
        return true
      case .anyStore:
        if addressing != .virtualHosted {
          try refuse(pathProblem)
          return true
        }
        try refuse(problem)
        try checkHost(of: endpoint)
        return false
      }
    }

    private func isInPathOfAWS(
      _ variant: S3Endpoint.Variant, _ addressing: Bucket.Addressing
    ) throws(SigningError) -> Bool {
      if variant.isAccelerated && (addressing == .path || hasDots) {
        throw SigningError(
          .conflictingEndpoint,
          """
          S3 Accelerate finds a bucket by its host only, and \(quoted: text) would have to stand in \
          the path; use .automatic addressing and a bucket without dots, or another variant of the \
          endpoint
          """)
      }
      if addressing == .virtualHosted { try checkCertificate() }
      return addressing == .path || hasDots
    }

    private func checkControl(_ addressing: Bucket.Addressing) throws(SigningError) {
      if addressing == .virtualHosted || text.hasSuffix("--xa-s3") {
        throw SigningError(
          .conflictingEndpoint,
          """
          the control plane of S3 Express knows directory buckets only, in the path; use .automatic \
          addressing, and SigV4.DirectoryBucket for an access point such as \(quoted: text)
          """)
      }
    }

    private func inPathOnly(_ endpoint: S3Endpoint) -> SigningError {
      SigningError(
        .conflictingEndpoint,
        """
        \(quoted: endpoint.host) takes buckets in the path only, since its certificate covers no host \
        before it; use .automatic or .path addressing
        """)
    }

    /// A store behind TLS has a certificate for one label before its own host, if any.
    private func checkHost(of endpoint: S3Endpoint) throws(SigningError) {
      if endpoint.scheme == .https { try checkCertificate() }
      let host = endpoint.host.utf8.prefix { $0 != ASCIIByte.colon }
      let lastLabel = host.split(separator: ASCIIByte.dot).last
      if host.first == 0x5B || lastLabel?.allSatisfy(ASCIIByte.isDigit) == true {
        throw SigningError(
          .conflictingEndpoint,
          """
          \(quoted: endpoint.host) is an address and not a name, so no bucket can stand before it; \
          use .path or .automatic addressing
          """)
      }
    }

    private func checkCertificate() throws(SigningError) {
      if hasDots {
        throw SigningError(
          .conflictingEndpoint,
          """
          the bucket \(quoted: text) has dots, and the certificate of the store covers one label \
          before its host, so https would fail; use .automatic or .path addressing
          """)
      }
    }

    private func refuse(_ problem: String?) throws(SigningError) {
      if let problem {
        throw SigningError(.invalidBucketName, "the bucket name \(quoted: text) \(problem)")
      }
    }

    /// The zone in the name of a directory bucket, `name--use1-az4--x-s3`, or of its access point
    /// (S3, User Guide, "Directory bucket naming rules").
    func zoneID() throws(SigningError) -> String {
      let suffix = text.hasSuffix("--x-s3") ? "--x-s3" : "--xa-s3"
      let base = bytes.dropLast(suffix.utf8.count)
      let separator = base.indices.dropLast().last { base[$0] == 0x2D && base[$0 + 1] == 0x2D }
      let zone = base.suffix(from: separator.map { $0 + 2 } ?? base.endIndex)
      let isWhole = text.hasSuffix(suffix) && separator.map { $0 > 0 } == true
      if !isWhole || !DNSLabel.isValid(zone) || !DNSLabel.isValid(bytes) {
        try refuse(
          "is not that of a directory bucket: up to 63 characters a to z, 0 to 9 and '-' that end "
            + "in the zone and --x-s3; give the whole name, such as photos--use1-az4--x-s3")
      }
      return String(decoding: zone, as: UTF8.self)
    }
  }
}

extension SigV4.BucketName {
  /// Names that belong to something else than a bucket of Amazon S3.
  private var otherKindProblem: String? {
    if text.hasSuffix("--x-s3") || text.hasSuffix("--xa-s3") {
      return "belongs to S3 Express, which has endpoints and sessions of its own; use "
        + "SigV4.DirectoryBucket"
    }
    if text.hasSuffix(".mrap") {
      return "is a multi-region access point, which has a host and a signature of its own; use "
        + "SigV4.Bucket.multiRegionAccessPoint, or a bucket behind it"
    }
    if text.hasSuffix("--op-s3") {
      return "is an access point of S3 on Outposts, which has hosts of its own; use "
        + "SigV4.S3Endpoint.custom with its host and the service .s3Outposts"
    }
    if text.hasPrefix("arn:") {
      return "is an ARN, which no URL can hold; use the name of the bucket or, for an access "
        + "point, its alias, which ends in -s3alias; SigV4.Bucket.multiRegionAccessPoint takes "
        + "the ARN of one in many regions"
    }
    return nil
  }

  /// S3, User Guide, "General purpose bucket naming rules". Not refused are the reserved suffixes
  /// of aliases, which may stand for a bucket, and the reserved prefix of the documents' examples.
  private var problem: String? {
    let oldBuckets = ", or reach a bucket from before these rules with .path addressing"
    let isLetterOrDigit = SigV4.DNSLabel.isLowercaseOrDigit
    if bytes.count < 3 || bytes.count > 63 {
      return "is shorter than 3 or longer than 63 characters; correct it" + oldBuckets
    }
    if !bytes.allSatisfy({ isLetterOrDigit($0) || $0 == 0x2D || $0 == ASCIIByte.dot }) {
      return "has a character other than a to z, 0 to 9, '-' and '.'; give the name alone, without "
        + "s3:// and without a key" + oldBuckets
    }
    let labels = bytes.split(separator: ASCIIByte.dot, omittingEmptySubsequences: false)
    if !isLetterOrDigit(bytes[0]) || !isLetterOrDigit(bytes[bytes.count - 1])
      || labels.contains(where: { $0.isEmpty })
    {
      return "does not begin and end with a letter or digit, or has two dots in a row; correct it"
        + oldBuckets
    }
    if labels.count == 4 && labels.allSatisfy({ $0.allSatisfy(ASCIIByte.isDigit) }) {
      return "has the form of an IP address, which no bucket has; give the name of the bucket"
    }
    if text.hasPrefix("xn--") || text.hasPrefix("sthree-") {
      return "begins with xn-- or sthree-, which no bucket does; give the name of the bucket"
    }
    return nil
  }

  /// S3, User Guide: buckets in us-east-1 from before March 2018.
  private var oldProblem: String? {
    let isOld = bytes.allSatisfy {
      ASCIIByte.isLetter($0) || ASCIIByte.isDigit($0) || "-._".utf8.contains($0)
    }
    if bytes.count >= 3 && bytes.count <= 255 && isOld && !isDots { return nil }
    return "does not consist of 3 to 255 letters, digits, '-', '.' and '_', as even old buckets "
      + "do; give the name alone, without s3:// and without a key"
  }

  /// What no path can hold as one segment; stores differ in all else.
  private var pathProblem: String? {
    let isIllegal = bytes.contains { ASCIIByte.isControl($0) || $0 == ASCIIByte.slash }
    if !bytes.isEmpty && bytes.count <= 255 && !isIllegal && !isDots { return nil }
    return "cannot stand in a path: it is empty, longer than 255 bytes, '.' or '..', or has a '/' "
      + "or a control character; give the name alone, without s3:// and without a key"
  }

  private var hasDots: Bool { bytes.contains(ASCIIByte.dot) }

  /// "." or "..", which HTTP stacks would take out of the path.
  private var isDots: Bool { text == "." || text == ".." }
}
