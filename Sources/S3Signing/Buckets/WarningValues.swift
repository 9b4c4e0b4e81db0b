// SPDX-License-Identifier: Apache-2.0
// Warnings about values that S3 misreads or rejects: response headers, copy sources, tags and keys.

internal import RequestSigning

extension SigV4.Request {
  /// S3 API Reference, GetObject: the parameters that become headers of the response.
  static var responseParameters: [StaticString] {
    [
      "response-cache-control", "response-content-disposition", "response-content-encoding",
      "response-content-language", "response-content-type", "response-expires",
    ]
  }

  /// S3: "Header value cannot be represented using ISO-8859-1" (guardian/grid 1716, IQSS/dataverse
  /// 4524). Control characters can't be in a header (RFC 9110, 5.5).
  var responseHeaderWarnings: [SigV4.Bucket.Warning] {
    query.parameters.compactMap { name, value in
      if !Self.responseParameters.contains(where: { name.spells($0) }) { return nil }
      let text = String(decoding: URIEncoding.decode(value), as: UTF8.self)
      let stray = text.unicodeScalars.first { scalar in
        scalar.value > 0xFF || scalar.value == 0x7F || scalar.value < 0x20 && scalar != "\t"
      }
      guard let stray else { return nil }
      let advice: UTF8Text =
        stray.value > 0xFF
        ? "Encode a file name as in filename*=UTF-8''%E2%82%AC.txt, or use ISO-8859-1."
        : "Remove it."
      return .init(
        "responseHeader",
        """
        S3 returns \(quoted: name) as a header, which can't contain \(quoted: String(stray)). \
        \(advice)
        """)
    }
  }

  /// S3 API Reference, CopyObject: the value is URL-encoded, and S3 reads a '+' as a space.
  var copySourceWarnings: [SigV4.Bucket.Warning] {
    values(named: "x-amz-copy-source").compactMap { value in
      Self.problem(ofCopySource: value[...]).map { .init("copySource", $0) }
    }
  }

  private static func problem(ofCopySource value: ArraySlice<UInt8>) -> UTF8Text? {
    let position =
      value.firstIndex { $0 == ASCIIByte.plus || $0 <= ASCIIByte.space || $0 > 0x7E }
      ?? value.span.positionOfStrayPercent
    if let position {
      return """
        S3 decodes x-amz-copy-source, and its value contains \(quoted: [value[position]]) at \
        offset \(position). Encode the key in it.
        """
    }
    // Only a version follows a '?' (CopyObject, "x-amz-copy-source"; versity/versitygw 835).
    let version = Array("?versionId=".utf8)
    let keyEnd = value.firstIndex(of: 0x3F) ?? value.endIndex
    let rest = value[keyEnd...]
    if !rest.isEmpty && (!rest.starts(with: version) || rest.dropFirst().contains(0x3F)) {
      return """
        S3 reads a version ID after the "?" at offset \(keyEnd) of x-amz-copy-source. Encode a \
        "?" in the key as %3F, and add a version as ?versionId=ID.
        """
    }
    // aws/aws-sdk-cpp 1574: NoSuchKey.
    let key = URIEncoding.decode(value[..<keyEnd])
    if key.indices.contains(where: { key[$0...].starts(with: version) }) {
      return """
        S3 reads the encoded "?versionId=" of x-amz-copy-source as part of the key. Add the \
        version unencoded.
        """
    }
    return nil
  }

  /// The tags of an upload or a copy: S3 API Reference, PutObject.
  var taggingWarnings: [SigV4.Bucket.Warning] {
    values(named: "x-amz-tagging").compactMap { value in
      ObjectTags(value).problem.map { .init("tagging", $0) }
    }
  }

  /// S3, User Guide, "Using server-side encryption with customer-provided keys (SSE-C)": S3
  /// rejects these requests over http.
  var customerKeyWarnings: [SigV4.Bucket.Warning] {
    if scheme != .http { return [] }
    let names = headers.map { Array($0.name.utf8)[...] } + query.parameters.map { $0.name }
    guard
      let name = names.first(where: {
        $0.begins(withOneOf: [
          "x-amz-server-side-encryption-customer-",
          "x-amz-copy-source-server-side-encryption-customer-",
        ])
      })
    else { return [] }
    return [
      .init(
        "customerKey",
        "S3 rejects \(quoted: name) over http, which sends the key unencrypted. Use https.")
    ]
  }

  /// The values of a header, also as a parameter.
  private func values(named name: StaticString) -> [[UInt8]] {
    headers.filter { Array($0.name.utf8)[...].spellsIgnoringCase(name) }.map {
      Array($0.value.utf8)
    }
      + query.parameters.filter { $0.name.spellsIgnoringCase(name) }
      .map { URIEncoding.decode($0.value) }
  }
}

/// The tags in a value of `x-amz-tagging`.
///
/// S3, User Guide, "Categorizing your objects using tags": 10 tags at most, with different names of
/// up to 128 and values of up to 256 UTF-16 code units. Their characters: S3 Control's model in
/// botocore, `TagKeyString` and `TagValueString`.
private struct ObjectTags {
  let encoded: ArraySlice<UInt8>
  let tags: [(name: String, value: String)]

  /// Splits the value, which is encoded like a query.
  init(_ value: [UInt8]) {
    func decoded(_ text: ArraySlice<UInt8>) -> String {
      String(decoding: URIEncoding.decode(text, plusMeaning: ASCIIByte.space), as: UTF8.self)
    }
    encoded = value[...]
    tags = value.split(separator: ASCIIByte.ampersand).map { tag in
      let nameEnd = tag.firstIndex(of: ASCIIByte.equals) ?? tag.endIndex
      return (decoded(tag[..<nameEnd]), decoded(tag[nameEnd...].dropFirst()))
    }
  }

  /// Why S3 rejects the tags, and what to do, or nil.
  var problem: UTF8Text? {
    if let position = encoded.span.positionOfStrayPercent {
      return """
        S3 decodes x-amz-tagging, and its value has an incomplete escape at offset \(position). \
        Encode a percent sign as %25.
        """
    }
    if tags.count > 10 {
      return """
        S3 rejects more than 10 tags of an object, but x-amz-tagging has \(tags.count). Remove \
        some of them.
        """
    }
    var names: Set<[UInt8]> = []
    for (name, value) in tags {
      if let problem = Self.problem(ofTag: name, value) { return problem }
      if !names.insert(Array(name.utf8)).inserted {
        return "S3 rejects two tags with one name, \(quoted: name). Remove one of them."
      }
    }
    return nil
  }

  private static func problem(ofTag name: String, _ value: String) -> UTF8Text? {
    if name.isEmpty || name.utf16.count > 128 || value.utf16.count > 256 {
      return """
        S3 rejects the tag \(quoted: name) because of its length. Use 1 to 128 characters for the \
        name, and at most 256 for the value.
        """
    }
    if name.utf8.starts(with: "aws:".utf8) {
      return "S3 rejects the tag \(quoted: name), because aws: is reserved. Use a different name."
    }
    if let stray = (name + value).unicodeScalars.first(where: { !isAllowed($0) }) {
      return """
        S3 rejects the tag \(quoted: name) because of the character \(quoted: String(stray)). Use \
        only letters, digits, spaces and +-=._:/@.
        """
    }
    return nil
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII && "_.:/=+-@".unicodeScalars.contains(scalar) { return true }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      return true
    default: return false
    }
  }
}
