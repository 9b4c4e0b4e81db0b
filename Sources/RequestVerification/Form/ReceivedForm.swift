// SPDX-License-Identifier: Apache-2.0
// A received form up to its file, and its fields: unique, in UTF-8, with the file name inserted.

public import RequestSigning
internal import S3Signing
internal import SecureHashing

extension SigV4 {
  /// The fields of a browser's upload form, as your server received them.
  ///
  ///     var form = SigV4.ReceivedForm(request, bucket: "photos")
  ///     form.append("key".utf8, "uploads/${filename}".utf8)     // each part before the file
  ///     form.fileName = "a.jpg"                                 // from the file's part
  ///
  /// Parse `multipart/form-data` with your server's parser. Don't append fields after the file.
  public struct ReceivedForm: Sendable {
    /// The request that carried the form. Its headers and query must not be signed.
    public internal(set) var request: ReceivedRequest

    /// The bucket in the request's host or path.
    public let bucket: String

    /// The file name. The part after its last `/` or `\` replaces `${filename}`.
    public var fileName = ""

    private(set) var fields: [Field] = []
    private var byteCount = 0

    struct Field: Sendable {
      let name: [UInt8]
      let value: [UInt8]
    }

    /// The maximum size of all names and values, in bytes. It's Amazon S3's limit.
    public static let byteLimit = 20_480

    /// Creates a form without fields.
    public init(_ request: ReceivedRequest, bucket: String) {
      self.request = request
      self.bucket = bucket
    }

    /// Adds a received field. Fields beyond ``byteLimit`` aren't stored, and the verifier rejects
    /// the form.
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      if isTooLarge { return }
      let limit = Self.byteLimit + 1
      byteCount = min(byteCount + min(name.count, limit) + min(value.count, limit), limit)
      if !isTooLarge { fields.append(Field(name: Array(name), value: Array(value))) }
    }

    // Also limits fields without any bytes.
    var isTooLarge: Bool { byteCount > Self.byteLimit || fields.count > Self.byteLimit }

    /// The replacement for `${filename}`, without a path that a browser may have sent. If the name
    /// is too long, only its last ``maximumFileNameByteCount`` + 1 bytes.
    var lastOfFileName: [UInt8] {
      var bytes: [UInt8] = []
      for byte in fileName.utf8.reversed() {
        let isSeparator = byte == ASCIIByte.slash || byte == ASCIIByte.backslash
        if isSeparator || bytes.count > Self.maximumFileNameByteCount { break }
        bytes.append(byte)
      }
      return bytes.reversed()
    }

    /// The maximum size of an object key, in bytes.
    static var maximumFileNameByteCount: Int { 1_024 }
  }
}

extension SigV4.ReceivedForm: CustomStringConvertible {
  /// The bucket and the number of fields. Their values may be secret.
  public var description: String {
    "ReceivedForm(\(UTF8Text.quoted(bucket)), \(fields.count) fields)"
  }
}

extension SigV4.ReceivedForm: Redacted {}

extension SigV4 {
  /// The unique fields of a form.
  struct FormFields: Equatable {
    private(set) var fields: [PostForm.Field] = []

    /// The lowercase names.
    private(set) var keys: [[UInt8]] = []

    /// The index of each field, by its lowercase name.
    private var indices: [[UInt8]: Int] = [:]

    /// The names in the signature: AWS's, or those of a service if the form has its algorithm.
    private(set) var names = SignatureNames.aws

    /// Creates fields from a received form. Names are case-insensitive.
    init(_ form: ReceivedForm, _ services: [Service]) throws(VerificationError) {
      if form.isTooLarge {
        throw VerificationError(
          .formTooLarge,
          "The form's fields before the file are larger than \(ReceivedForm.byteLimit) bytes, or "
            + "there are more fields than that.",
          fix: "Treat the form as an attack, or check for a file in a field not named file.")
      }
      let fileNameLimit = ReceivedForm.maximumFileNameByteCount
      if form.lastOfFileName.count > fileNameLimit {
        throw VerificationError(
          .malformedForm,
          "The file name is longer than \(fileNameLimit) bytes, the limit for object keys.",
          fix: "Treat the form as an attack.")
      }
      for (index, field) in form.fields.enumerated() {
        let name = String(decoding: field.name, as: UTF8.self)
        let value = String(decoding: field.value, as: UTF8.self)
        if !name.utf8.elementsEqual(field.name) || !value.utf8.elementsEqual(field.value) {
          throw VerificationError(
            .malformedForm,
            "Field \(shown(field.name)) isn't valid UTF-8, the encoding of its policy.",
            fix: "Add accept-charset=\"utf-8\" to the page's form.")
        }
        let key = field.name.map(ASCIIByte.lowercased)
        if indices.updateValue(index, forKey: key) != nil {
          throw VerificationError(
            .repeatedField,
            "Field \(UTF8Text.quoted(name)) appears twice, so another server could act on the "
              + "unverified value.",
            fix: "Check for a page that adds it to a signed form.")
        }
        fields.append(PostForm.Field(name: name, value: value))
        keys.append(key)
      }
      if value(.algorithm) != nil { return }
      let service = services.first { indices[$0.names.header(.algorithm).bytes] != nil }
      names = service?.names ?? .aws
    }

    /// Returns the value of a field, or nil.
    func value(_ name: String) -> String? { value(named: name.utf8.map(ASCIIByte.lowercased)) }

    /// Returns the value of a field by its lowercase name, or nil.
    func value(named key: [UInt8]) -> String? { indices[key].map { fields[$0].value } }

    /// Returns whether a field needs no condition in the policy: the policy, the signature, or an
    /// ignored field.
    func isOpen(_ key: [UInt8]) -> Bool {
      isPolicyOrSignature(key) || key.starts(with: "x-ignore-".utf8)
    }

    /// Returns whether no condition on a field can be satisfied.
    func isPolicyOrSignature(_ key: [UInt8]) -> Bool {
      key[...].spells("policy") || key == names.header(.signature).bytes
    }

    /// Returns the value of a signature field, or nil.
    func value(_ field: SignatureField) -> String? { value(named: names.header(field).bytes) }

    /// Returns the value of a required signature field.
    func required(_ field: SignatureField) throws(VerificationError) -> String {
      try required(names.header(field).string)
    }

    /// Returns the value of a required field.
    func required(_ name: String) throws(VerificationError) -> String {
      if let value = value(name), !value.isEmpty { return value }
      throw VerificationError(
        .malformedForm,
        "The form's field \(name) is missing or empty.",
        fix: "Check for a page that omits it or puts it after the file.")
    }

    /// Replaces `${filename}` with the file name. Do this before checking the policy (S3 User
    /// Guide, "POST Object", form fields).
    mutating func insert(_ fileName: [UInt8]) throws(VerificationError) {
      let variable = Array(PostPolicy.Condition.filenameVariable.utf8)
      let limit = ReceivedForm.byteLimit + ReceivedForm.maximumFileNameByteCount
      var byteCount = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      for index in fields.indices {
        var rest = Array(fields[index].value.utf8)[...]
        var value: [UInt8] = []
        while let place = BytewiseSearch.range(ofBytes: variable, in: rest) {
          byteCount += fileName.count - variable.count
          if byteCount > limit {
            throw VerificationError(
              .formTooLarge,
              "The form's fields are larger than \(limit) bytes with the file name instead of "
                + "${filename}.",
              fix: "Treat the form as an attack.")
          }
          value += rest[..<place.lowerBound] + fileName
          rest = rest[place.upperBound...]
        }
        fields[index] = PostForm.Field(
          name: fields[index].name, value: String(decoding: value + rest, as: UTF8.self))
      }
    }
  }
}

extension SigV4 {
  /// The fields of a form's signature, as one text.
  struct FormText {
    private(set) var message = RequestMessage()
    private var end = 0

    /// Appends a field's value, and returns its range.
    mutating func append(_ value: String) -> Range<Int> {
      let start = end
      var position = end
      message.memory.reserve(end + value.utf8.count)
      var text = message.memory.bytes.mutableSpan
      text.append(value, &position)
      end = position
      return start..<end
    }
  }
}

extension SigV4.FormFields {
  /// The file's required checksum.
  struct Checksum: Equatable {
    let algorithm: SigV4.Checksum.Algorithm
    let text: String
  }

  /// Returns the only checksum among the fields. A field that names an algorithm must match it.
  func checksum() throws(SigV4.VerificationError) -> Checksum? {
    var found: Checksum?
    for (index, key) in keys.enumerated() where !isOpen(key) {
      if Self.algorithmNames.contains(where: { key.elementsEqual($0.utf8) }) { continue }
      if let algorithm = try SigV4.Checksum.Algorithm(received: key, isAlone: found == nil) {
        found = Checksum(algorithm: algorithm, text: fields[index].value)
      }
    }
    for name in Self.algorithmNames {
      guard let value = value(name) else { continue }
      let isSame = found.map {
        ASCIIByte.equalIgnoringCase($0.algorithm.name.utf8, value.utf8)
      }
      if isSame != true {
        throw .unsupportedChecksum(name.utf8, "names a checksum that the form doesn't have")
      }
    }
    return found
  }

  /// Amazon S3 API Reference, "POST Object" and "PutObject".
  private static var algorithmNames: [String] {
    ["x-amz-checksum-algorithm", "x-amz-sdk-checksum-algorithm"]
  }
}
