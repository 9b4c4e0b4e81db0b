// SPDX-License-Identifier: Apache-2.0
// The rules for bucket names, by store and addressing.

internal import RequestSigning

extension SigV4 {
  /// A bucket name to check.
  struct BucketName {
    let text: String
    private let bytes: [UInt8]

    init(_ text: String) {
      self.text = text
      bytes = Array(text.utf8)
    }

    /// Checks the name. Returns whether it belongs in the path instead of the host.
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
      case .accessPoint(let name, _):
        try checkAccessPoint(name, addressing)
        return false
      case .s3ExpressZone(let zoneID):
        try checkZone(zoneID, addressing)
        return false
      case .s3ExpressControl:
        _ = try zoneID()
        try checkControl(addressing)
        return true
      case .pathStore:
        if addressing == .virtualHosted { throw inPathOnly(endpoint) }
        try refuse(pathProblem)
        return true
      case .hostStore where addressing == .path:
        throw inHostOnly(endpoint)
      case .anyStore, .hostStore, .hostFirstStore:
        if addressing == .path || addressing == .automatic && endpoint.kind == .anyStore {
          try refuse(pathProblem)
          return true
        }
        try refuse(problem)
        try checkHost(of: endpoint)
        return false
      }
    }

    private func checkAccessPoint(
      _ name: String, _ addressing: Bucket.Addressing
    ) throws(SigningError) {
      if addressing == .path || text != name {
        throw SigningError(
          .conflictingEndpoint,
          """
          This endpoint belongs to the access point \(quoted: name). It can't be used for \
          \(quoted: text) or with path addressing.
          """,
          fix: "Use SigV4.Bucket.accessPoint with the ARN of the access point.")
      }
    }

    private func checkZone(_ zoneID: String, _ addressing: Bucket.Addressing) throws(SigningError) {
      if try self.zoneID() != zoneID || addressing == .path {
        throw SigningError(
          .conflictingEndpoint,
          """
          This endpoint belongs to the zone \(quoted: zoneID). It can't be used for \
          \(quoted: text) or with path addressing.
          """,
          fix: "Use SigV4.Bucket.directory with the name of the bucket.")
      }
    }

    private func isInPathOfAWS(
      _ variant: S3Endpoint.Variant, _ addressing: Bucket.Addressing
    ) throws(SigningError) -> Bool {
      if variant.isAccelerated && (addressing == .path || hasDots) {
        throw SigningError(
          .conflictingEndpoint,
          """
          S3 Accelerate requires the bucket name in the host, but \(quoted: text) has dots or uses \
          .path addressing.
          """,
          fix: """
            Use .automatic addressing and a bucket without dots, or a different variant of the \
            endpoint.
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
          The S3 Express control plane supports only directory buckets, in the path, but \
          \(quoted: text) is an access point or uses .virtualHosted addressing.
          """,
          fix: "Use .automatic addressing. For an access point, use SigV4.Bucket.directory.")
      }
    }

    private func inPathOnly(_ endpoint: S3Endpoint) -> SigningError {
      SigningError(
        .conflictingEndpoint,
        """
        \(quoted: endpoint.host) supports bucket names only in the path, because its certificate \
        doesn't cover subdomains.
        """,
        fix: "Use .automatic or .path addressing.")
    }

    private func inHostOnly(_ endpoint: S3Endpoint) -> SigningError {
      SigningError(
        .conflictingEndpoint,
        "\(quoted: endpoint.host) supports bucket names only in the host.",
        fix: "Use .automatic or .virtualHosted addressing.")
    }

    /// Checks whether the host can follow a bucket name. With TLS, certificates cover one label at
    /// most.
    private func checkHost(of endpoint: S3Endpoint) throws(SigningError) {
      if endpoint.scheme == .https { try checkCertificate() }
      let host = endpoint.host.utf8.prefix { $0 != ASCIIByte.colon }
      let lastLabel = host.split(separator: ASCIIByte.dot).last
      if host.first == 0x5B || lastLabel?.allSatisfy(ASCIIByte.isDigit) == true {
        throw SigningError(
          .conflictingEndpoint,
          "\(quoted: endpoint.host) is an IP address, so a bucket name can't precede it.",
          fix: "Use .path or .automatic addressing.")
      }
    }

    private func checkCertificate() throws(SigningError) {
      if hasDots {
        throw SigningError(
          .conflictingEndpoint,
          """
          The bucket name \(quoted: text) has dots, so the store's TLS certificate doesn't cover \
          its host.
          """,
          fix: "Use .path addressing, or a bucket without dots if the store doesn't support that.")
      }
    }

    private func refuse(_ defect: Defect?) throws(SigningError) {
      if let defect {
        throw SigningError(.invalidBucketName, defect.problem, fix: defect.fix)
      }
    }

    /// Returns the zone in the name of a directory bucket, `name--use1-az4--x-s3`, or of its access
    /// point (S3, User Guide, "Directory bucket naming rules").
    func zoneID() throws(SigningError) -> String {
      let suffix = text.hasSuffix("--x-s3") ? "--x-s3" : "--xa-s3"
      let base = bytes.dropLast(suffix.utf8.count)
      let separator = base.indices.dropLast().last { base[$0] == 0x2D && base[$0 + 1] == 0x2D }
      let zone = base.suffix(from: separator.map { $0 + 2 } ?? base.endIndex)
      let isWhole = text.hasSuffix(suffix) && separator.map { $0 > 0 } == true
      if !isWhole || !DNSLabel.isValid(zone) || !DNSLabel.isValid(bytes) {
        throw SigningError(
          .invalidBucketName,
          """
          \(quoted: text) isn't a valid directory bucket name: up to 63 characters from a to z, \
          0 to 9 and '-', ending with the zone ID and --x-s3.
          """,
          fix: "Use the whole name, such as photos--use1-az4--x-s3.")
      }
      if let separator, suffix == "--xa-s3" {
        try Self(String(decoding: base[..<separator], as: UTF8.self)).checkAccessPointName()
      }
      return String(decoding: zone, as: UTF8.self)
    }

    /// Checks how the name of an access point ends, which its host doesn't show: the account or the
    /// zone follows (S3, User Guide, "Access points naming rules").
    func checkAccessPointName() throws(SigningError) {
      if bytes.last != 0x2D { return }
      throw SigningError(
        .invalidBucketName,
        "The access point name \(quoted: text) ends with a hyphen, which S3 doesn't allow.",
        fix: "Use the whole name or ARN, as the console shows it.")
    }
  }
}

extension SigV4.BucketName {
  private typealias Defect = (problem: UTF8Text, fix: UTF8Text)

  /// Names of resources other than general purpose buckets.
  private var otherKindProblem: Defect? {
    if text.hasSuffix("--x-s3") || text.hasSuffix("--xa-s3") {
      return (
        """
        \(quoted: text) is an S3 Express bucket or access point, which uses separate endpoints \
        and sessions.
        """,
        fix: "Use SigV4.Bucket.directory."
      )
    }
    if text.hasSuffix(".mrap") {
      return (
        """
        \(quoted: text) is a Multi-Region Access Point, which uses a different host and signature.
        """,
        fix: "Use SigV4.Bucket.multiRegionAccessPoint, or the name of one of its buckets."
      )
    }
    if text.hasSuffix("--op-s3") {
      return (
        "\(quoted: text) is an S3 on Outposts access point, which uses different hosts.",
        fix: "Use SigV4.Bucket.accessPoint with its ARN."
      )
    }
    if text.hasPrefix("arn:") {
      return (
        "\(quoted: text) is an ARN, which can't be part of a URL.",
        fix: """
        For an access point, use SigV4.Bucket.accessPoint, or its alias, which ends in -s3alias. \
        For a Multi-Region Access Point, use SigV4.Bucket.multiRegionAccessPoint.
        """
      )
    }
    return nil
  }

  /// S3, User Guide, "General purpose bucket naming rules". The reserved suffixes of aliases are
  /// valid, because an alias works like a bucket, and so is the reserved prefix of AWS's examples.
  private var problem: Defect? {
    let isLetterOrDigit = SigV4.DNSLabel.isLowercaseOrDigit
    if bytes.count < 3 || bytes.count > 63 {
      return (
        "The bucket name \(quoted: text) isn't 3 to 63 characters long.", fix: Self.correction
      )
    }
    if !bytes.allSatisfy({ isLetterOrDigit($0) || $0 == 0x2D || $0 == ASCIIByte.dot }) {
      return (
        """
        The bucket name \(quoted: text) has a character other than a to z, 0 to 9, '-' and '.'.
        """,
        fix: """
        Pass only the name, without s3:// or a key. For a bucket older than these rules, use \
        .path addressing, if the endpoint supports it.
        """
      )
    }
    let labels = bytes.split(separator: ASCIIByte.dot, omittingEmptySubsequences: false)
    if !isLetterOrDigit(bytes[0]) || !isLetterOrDigit(bytes[bytes.count - 1])
      || labels.contains(where: { $0.isEmpty })
    {
      return (
        """
        The bucket name \(quoted: text) doesn't begin and end with a letter or digit, or has \
        consecutive dots.
        """,
        fix: Self.correction
      )
    }
    if labels.count == 4 && labels.allSatisfy({ $0.allSatisfy(ASCIIByte.isDigit) }) {
      return (
        "Bucket names can't look like an IP address: \(quoted: text).",
        fix: "Pass the name of the bucket."
      )
    }
    if text.hasPrefix("xn--") || text.hasPrefix("sthree-") {
      return (
        "Bucket names can't begin with xn-- or sthree-: \(quoted: text).",
        fix: "Pass the name of the bucket."
      )
    }
    return nil
  }

  private static var correction: UTF8Text {
    """
    Correct the name. For a bucket older than these rules, use .path addressing, if the endpoint \
    supports it.
    """
  }

  /// S3, User Guide: buckets in us-east-1 from before March 2018.
  private var oldProblem: Defect? {
    let isOld = bytes.allSatisfy {
      ASCIIByte.isLetter($0) || ASCIIByte.isDigit($0) || "-._".utf8.contains($0)
    }
    if bytes.count >= 3 && bytes.count <= 255 && isOld && !isDots { return nil }
    return (
      """
      The bucket name \(quoted: text) isn't 3 to 255 letters, digits, '-', '.' and '_', which S3 \
      requires even of older buckets.
      """,
      fix: "Pass only the name, without s3:// or a key."
    )
  }

  /// Names that can't be a path segment. Other rules differ by store.
  private var pathProblem: Defect? {
    let isIllegal = bytes.contains { ASCIIByte.isControl($0) || $0 == ASCIIByte.slash }
    if !bytes.isEmpty && bytes.count <= 255 && !isIllegal && !isDots { return nil }
    return (
      """
      The bucket name \(quoted: text) can't be used in a path: it's empty, longer than 255 bytes, \
      '.' or '..', or has a '/' or a control character.
      """,
      fix: "Pass only the name, without s3:// or a key."
    )
  }

  private var hasDots: Bool { bytes.contains(ASCIIByte.dot) }

  /// Whether the name is "." or "..", which HTTP stacks remove from the path.
  private var isDots: Bool { text == "." || text == ".." }
}
