// SPDX-License-Identifier: Apache-2.0
// What a bucket may be called, by store and addressing: refused before it stands in a URL.

internal import RequestSigning
internal import SigningSupport

extension SigV4 {
  /// A name that somebody gave to a bucket.
  struct BucketName {
    let text: String
    let bytes: [UInt8]

    init(_ text: String) {
      self.text = text
      bytes = Array(text.utf8)
    }

    /// Where the name stands, once it is known that it can stand there.
    func isInPath(
      at endpoint: S3Endpoint, _ addressing: Bucket.Addressing
    ) throws(SigningError) -> Bool {
      switch endpoint.kind {
      case .aws(let variant):
        try checkKindOfBucket()
        try checkAllowed(addressing == .path ? oldProblem : problem)
        return try isInPathOfAWS(variant, addressing)
      case .s3ExpressZone:
        _ = try zoneID()
        return false
      case .s3ExpressControl:
        _ = try zoneID()
        try checkControl(addressing)
        return true
      case .anyStore:
        if addressing == .virtualHosted {
          try checkAllowed(problem)
          try checkHost(of: endpoint)
          return false
        }
        try checkAllowed(pathProblem)
        return true
      }
    }

    var hasDots: Bool { bytes.contains(ASCIIByte.dot) }

    func hasSuffix(_ suffix: String) -> Bool {
      bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }
  }
}

extension SigV4.BucketName {
  func isInPathOfAWS(
    _ variant: SigV4.S3Endpoint.Variant, _ addressing: SigV4.Bucket.Addressing
  ) throws(SigV4.SigningError) -> Bool {
    if variant.isAccelerated && (addressing == .path || hasDots) {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        """
        S3 Accelerate finds a bucket by its host only, and \(UTF8Text.quoted(text)) would have to \
        stand in the path; use .automatic addressing and a bucket without dots, or another variant \
        of the endpoint
        """)
    }
    switch addressing {
    case .automatic: return hasDots
    case .path: return true
    case .virtualHosted:
      try checkCertificate()
      return false
    }
  }

  func checkControl(_ addressing: SigV4.Bucket.Addressing) throws(SigV4.SigningError) {
    if addressing == .virtualHosted || hasSuffix("--xa-s3") {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        """
        the control plane of S3 Express knows directory buckets only, in the path; use .automatic \
        addressing, and SigV4.DirectoryBucket for an access point such as \(UTF8Text.quoted(text))
        """)
    }
  }

  /// A store behind TLS has a certificate for one label before its own host, if any.
  func checkHost(of endpoint: SigV4.S3Endpoint) throws(SigV4.SigningError) {
    if endpoint.scheme == .https { try checkCertificate() }
    let host = endpoint.host.utf8.prefix { $0 != ASCIIByte.colon }
    let lastLabel = host.split(separator: ASCIIByte.dot).last
    if host.first == 0x5B || lastLabel?.allSatisfy(ASCIIByte.isDigit) == true {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        """
        \(UTF8Text.quoted(endpoint.host)) is an address and not a name, so no bucket can stand before \
        it; use .path or .automatic addressing
        """)
    }
  }

  func checkCertificate() throws(SigV4.SigningError) {
    if hasDots {
      throw SigV4.SigningError(
        .conflictingEndpoint,
        """
        the bucket \(UTF8Text.quoted(text)) has dots, and the certificate of the store covers one \
        label before its host, so https would fail; use .automatic or .path addressing
        """)
    }
  }

  /// Names that belong to something else than a bucket of Amazon S3.
  func checkKindOfBucket() throws(SigV4.SigningError) {
    if hasSuffix("--x-s3") || hasSuffix("--xa-s3") {
      throw invalid(
        "belongs to S3 Express, which has endpoints and sessions of its own; use "
          + "SigV4.DirectoryBucket")
    }
    if hasSuffix(".mrap") {
      throw invalid(
        "is a multi-region access point, which is signed with SigV4a; use a bucket behind it")
    }
    if hasSuffix("--op-s3") {
      throw invalid(
        "is an access point of S3 on Outposts, which has hosts of its own; use "
          + "SigV4.S3Endpoint.custom with its host and the service .s3Outposts")
    }
    if bytes.starts(with: "arn:".utf8) {
      throw invalid(
        "is an ARN, which no URL can hold; use the name of the bucket or, for an access point, its "
          + "alias, which ends in -s3alias")
    }
  }

  func checkAllowed(_ problem: String?) throws(SigV4.SigningError) {
    if let problem { throw invalid(problem) }
  }

  func invalid(_ problem: String) -> SigV4.SigningError {
    SigV4.SigningError(
      .invalidBucketName, "the bucket name \(quoted: text) \(problem)")
  }

  /// S3, User Guide, "General purpose bucket naming rules". Not refused are the reserved suffixes
  /// of aliases, which may stand for a bucket, and the reserved prefix of the documents' examples.
  var problem: String? {
    if bytes.count < 3 || bytes.count > 63 { return Self.wrongLength + Self.oldBuckets }
    let labels = bytes.split(separator: ASCIIByte.dot, omittingEmptySubsequences: false)
    if !bytes.allSatisfy({ SigV4.DNSLabel.isLowercaseOrDigit($0) || $0 == 0x2D || $0 == 0x2E }) {
      return "has a character other than a to z, 0 to 9, '-' and '.'; give the name alone, without "
        + "s3:// and without a key" + Self.oldBuckets
    }
    let isFramed =
      bytes.first.map(SigV4.DNSLabel.isLowercaseOrDigit) == true
      && bytes.last.map(SigV4.DNSLabel.isLowercaseOrDigit) == true
    if !isFramed || labels.contains(where: { $0.isEmpty }) {
      return "does not begin and end with a letter or digit, or has two dots in a row; correct it"
        + Self.oldBuckets
    }
    if labels.count == 4 && labels.allSatisfy({ $0.allSatisfy(ASCIIByte.isDigit) }) {
      return "has the form of an IP address, which no bucket has; give the name of the bucket"
    }
    if bytes.starts(with: "xn--".utf8) || bytes.starts(with: "sthree-".utf8) {
      return "begins with xn-- or sthree-, which no bucket does; give the name of the bucket"
    }
    return nil
  }

  /// S3, User Guide: buckets in us-east-1 from before March 2018.
  var oldProblem: String? {
    let isOld = bytes.allSatisfy {
      ASCIIByte.isLetter($0) || ASCIIByte.isDigit($0) || $0 == 0x2D || $0 == 0x2E
        || $0 == 0x5F
    }
    if bytes.count < 3 || bytes.count > 255 || !isOld || isDots {
      return
        "is none of 3 to 255 letters, digits, '-', '.' and '_', as even old buckets have; give "
        + "the name alone, without s3:// and without a key"
    }
    return nil
  }

  /// What no path can hold as one segment; stores differ in all else.
  var pathProblem: String? {
    let isIllegal = bytes.contains { ASCIIByte.isControl($0) || $0 == ASCIIByte.slash }
    if bytes.isEmpty || bytes.count > 255 || isIllegal || isDots {
      return "is none: it is empty, longer than 255 bytes, '.' or '..', or has a '/' or a control "
        + "character; give the name alone, without s3:// and without a key"
    }
    return nil
  }

  /// The zone in the name of a directory bucket, `name--use1-az4--x-s3`, or of its access point
  /// (S3, User Guide, "Directory bucket naming rules").
  func zoneID() throws(SigV4.SigningError) -> String {
    let suffix = hasSuffix("--x-s3") ? "--x-s3" : "--xa-s3"
    let base = bytes.dropLast(suffix.utf8.count)
    let separator = base.indices.dropLast().last { base[$0] == 0x2D && base[$0 &+ 1] == 0x2D }
    let zone = base[(separator.map { $0 &+ 2 } ?? base.endIndex)...]
    let isWhole = hasSuffix(suffix) && separator.map { $0 > 0 } == true
    if !isWhole || !SigV4.DNSLabel.isValid(zone) || !SigV4.DNSLabel.isValid(bytes) {
      throw invalid(
        "is none of a directory bucket: up to 63 characters a to z, 0 to 9 and '-' that end in the "
          + "zone and --x-s3; give the whole name, such as photos--use1-az4--x-s3")
    }
    return String(decoding: zone, as: UTF8.self)
  }

  /// "." or "..", which HTTP stacks would take out of the path.
  var isDots: Bool { bytes.count <= 2 && bytes.allSatisfy { $0 == ASCIIByte.dot } }

  static var wrongLength: String { "is shorter than 3 or longer than 63 characters; correct it" }

  static var oldBuckets: String {
    ". A bucket from before these rules can be reached with .path addressing"
  }
}
