// SPDX-License-Identifier: Apache-2.0
// The credential scope of a signature: a day, a region and a service.

extension SigV4 {
  /// The credential scope: `20130524/us-east-1/s3/aws4_request`.
  public struct CredentialScope: Sendable, CustomStringConvertible {
    /// The UTC day, in 8 digits.
    public var day: String { Timestamp.bytes(of: dayCharacters).textInUTF8 }

    /// The digits of the day, the first one lowest.
    let dayCharacters: UInt64

    /// The region, such as "us-east-1", or "auto" for Cloudflare R2. Empty for an algorithm whose
    /// scope has no region.
    public let region: String

    /// The service's signing name, such as "s3".
    public let service: String

    /// The names in the signature, which determine the last part.
    package let names: SignatureNames

    /// Creates the scope of a day, region and service.
    ///
    /// - Throws: `invalidRegion` or `invalidService` unless the string consists of ASCII letters,
    ///   digits, '-', '_' and '.'.
    public init(
      dayOf timestamp: Timestamp, region: String, service: String
    ) throws(SigningError) {
      try Self.checkRegion(region)
      try Self.checkService(service)
      self.init(dayOf: timestamp, checkedRegion: region, checkedService: service)
    }

    /// Creates a scope from a string such as `20130524/us-east-1/s3/aws4_request`.
    ///
    /// The last part can also be `goog4_request`, for ``Service/googleCloudStorage``, or `request`,
    /// for ``Service/tos``.
    ///
    /// - Throws: `invalidScope` unless the string has these four parts, or the errors of the other
    ///   initializer.
    public init(_ text: String) throws(SigningError) {
      let bytes = text.bytesInUTF8[...]
      let end = bytes[(bytes.lastIndex(of: ASCIIByte.slash).map { $0 + 1 } ?? 0)...]
      let names = SignatureNames.allCases.first { end.spells($0.scopeEnd) }
      try self.init(bytes: bytes, names: names ?? .aws)
    }

    /// Creates a scope from bytes. Some algorithms use a scope without a region,
    /// `20130524/s3/aws4_request`.
    package init(
      bytes text: ArraySlice<UInt8>, hasRegion: Bool = true, names: SignatureNames = .aws
    ) throws(SigningError) {
      let bytes = text.span
      guard let parts = Parts(of: 0..<bytes.count, in: bytes, hasRegion: hasRegion, names) else {
        throw SigningError(
          .invalidScope,
          "\(quoted: text) isn't a valid credential scope.",
          fix: """
            Use the form 20130524/us-east-1/s3/aws4_request: day, region, service, aws4_request.
            """)
      }
      self.init(parts, of: bytes)
      if hasRegion { try Self.checkRegion(region) }
      try Self.checkService(service)
    }

    /// Creates a scope from its parts.
    package init(_ parts: Parts, of text: TextSpan) {
      dayCharacters = parts.dayCharacters
      region = text.extracting(parts.region).string
      service = text.extracting(parts.service).string
      names = parts.names
    }

    init(
      dayOf timestamp: Timestamp, checkedRegion region: String, checkedService service: String,
      _ names: SignatureNames = .aws
    ) {
      dayCharacters = timestamp.characters.day
      self.region = region
      self.service = service
      self.names = names
    }

    /// The scope, as it appears in the string to sign.
    public var text: String {
      let region: UTF8Text = region.utf8.isEmpty ? "" : "\(region)/"
      let text: UTF8Text = "\(day)/\(region)\(service)/\(names.scopeEnd)"
      return text.string
    }

    /// The parts of the scope in order: day, region (if any), service, and usually "aws4_request".
    public var parts: [String] {
      [day] + (region.utf8.isEmpty ? [] : [region]) + [service, names.scopeEnd.textInUTF8]
    }

    /// The scope, as it appears in the string to sign.
    public var description: String { text }

    package static func checkRegion(_ region: String) throws(SigningError) {
      if !isName(region) {
        throw SigningError(
          .invalidRegion,
          """
          \(quoted: region) isn't a valid region: only ASCII letters, digits, '-', '_' and '.' are \
          allowed.
          """,
          fix: "Use the endpoint's region, such as us-east-1, or auto for Cloudflare R2.")
      }
    }

    static func checkService(_ service: String) throws(SigningError) {
      if !isName(service) {
        throw SigningError(
          .invalidService,
          """
          \(quoted: service) isn't a valid service signing name: only ASCII letters, digits, '-', \
          '_' and '.' are allowed.
          """,
          fix: "Use the name in the service's credential scope, such as s3 or execute-api.")
      }
    }

    package static func isName(_ text: String) -> Bool { text.withUTF8Bytes { isName($0) } }

    /// Returns whether the bytes are a valid region or service.
    package static func isName(_ text: TextSpan) -> Bool {
      for position in 0..<text.count {
        let byte = text.byte(at: position)
        if !ASCIIByte.isUnreserved(byte) || byte == 0x7E { return false }
      }
      return text.count > 0
    }
  }
}

extension SigV4.CredentialScope {
  /// The parts of a scope in a text.
  package struct Parts: Sendable {
    /// The digits of the day, the first one lowest.
    let dayCharacters: UInt64

    /// The region, empty if the scope has none, and the service.
    package let region: Range<Int>
    package let service: Range<Int>
    package let names: SignatureNames

    /// Finds the parts of a scope, or returns nil if it has another form. Doesn't check the names.
    package init?(
      of scope: Range<Int>, in text: TextSpan, hasRegion: Bool, _ names: SignatureNames
    ) {
      let text = text.extracting(0..<scope.upperBound)
      let dayEnd = text.position(of: ASCIIByte.slash, from: scope.lowerBound)
      let regionEnd = hasRegion ? text.position(of: ASCIIByte.slash, from: dayEnd + 1) : dayEnd
      let serviceEnd = text.position(of: ASCIIByte.slash, from: regionEnd + 1)
      guard serviceEnd < text.count,
        text.extracting(serviceEnd + 1..<text.count).spells(names.scopeEnd),
        let midnight = SigV4.Timestamp(day: text.extracting(scope.lowerBound..<dayEnd))
      else { return nil }
      dayCharacters = midnight.characters.day
      region = hasRegion ? dayEnd + 1..<regionEnd : dayEnd..<dayEnd
      service = regionEnd + 1..<serviceEnd
      self.names = names
    }

    /// Returns whether a timestamp is on the scope's day.
    package func isDay(of timestamp: SigV4.Timestamp) -> Bool {
      dayCharacters == timestamp.characters.day
    }
  }

  /// Returns whether the scope has the parts of another one, which are in a text.
  package func has(_ parts: Parts, of text: TextSpan) -> Bool {
    dayCharacters == parts.dayCharacters && names == parts.names
      && region.hasSameBytes(as: text.extracting(parts.region))
      && service.hasSameBytes(as: text.extracting(parts.service))
  }
}
