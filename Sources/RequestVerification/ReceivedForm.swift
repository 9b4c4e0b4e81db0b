// SPDX-License-Identifier: Apache-2.0
// A form as a server received it, up to its file; and its fields once each, in UTF-8, with the name
// of the file where it belongs.

public import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The fields of a form that a browser posted to a bucket, as a server received them.
  ///
  ///     var form = SigV4.ReceivedForm(request, bucket: "photos")
  ///     form.append("key".utf8, "uploads/${filename}".utf8)     // each part before the file
  ///     form.fileName = "a.jpg"                                 // as the part of the file names it
  ///
  /// Taking `multipart/form-data` apart is the server's business. Fields after the file do not
  /// count.
  public struct ReceivedForm: Sendable {
    /// The request that carried the form, whose headers and query must not be signed.
    public let request: ReceivedRequest

    /// The bucket that host or path of the request name.
    public let bucket: String

    /// The name of the file, of which the part after the last `/` or `\` replaces `${filename}`.
    public var fileName = ""

    private(set) var fields: [Field] = []
    private var byteCount = 0

    struct Field: Sendable {
      let name: [UInt8]
      let value: [UInt8]
    }

    /// Names and values together, in bytes: Amazon S3 takes no more before the file.
    public static let byteLimit = 20_480

    /// A form without fields yet.
    public init(_ request: ReceivedRequest, bucket: String) {
      self.request = request
      self.bucket = bucket
    }

    /// Adds a field as it was received. Fields above ``byteLimit`` are not kept, and the verifier
    /// refuses the form.
    public mutating func append(_ name: some Collection<UInt8>, _ value: some Collection<UInt8>) {
      let limit = Self.byteLimit + 1
      byteCount = min(byteCount + min(name.count, limit) + min(value.count, limit), limit)
      if !isTooLarge { fields.append(Field(name: Array(name), value: Array(value))) }
    }

    // More fields than bytes are there only if some have no bytes at all.
    var isTooLarge: Bool { byteCount > Self.byteLimit || fields.count > Self.byteLimit }

    /// What stands for `${filename}`: no path that a browser may have sent along.
    var lastOfFileName: ArraySlice<UInt8> {
      Array(fileName.utf8).split(omittingEmptySubsequences: false) {
        $0 == ASCIIByte.slash || $0 == ASCIIByte.backslash
      }.last ?? []
    }
  }
}

extension SigV4.ReceivedForm: CustomStringConvertible {
  /// The bucket, and how many fields there are. Their values may be secret.
  public var description: String {
    "ReceivedForm(\(UTF8Text.quoted(bucket)), \(fields.count) fields)"
  }
}

extension SigV4.ReceivedForm: Redacted {}

extension SigV4 {
  /// The fields of a form, each there once.
  struct FormFields: Equatable {
    private(set) var fields: [PostForm.Field] = []

    /// The fields as they were received; names have no case.
    init(_ form: ReceivedForm) throws(VerificationError) {
      if form.isTooLarge {
        throw VerificationError(
          .formTooLarge,
          "the fields of the form have more than \(ReceivedForm.byteLimit) bytes before the file, or "
            + "there are as many fields; no honest page needs that: treat it as an attack, or look for "
            + "a file in a field that is not called file")
      }
      if form.lastOfFileName.count > 1_024 {
        throw VerificationError(
          .malformedForm,
          "the file has a name of \(form.lastOfFileName.count) bytes, and no key of an object has "
            + "more than 1024; treat it as an attack")
      }
      var names: Set<[UInt8]> = []
      for field in form.fields {
        let name = String(decoding: field.name, as: UTF8.self)
        let value = String(decoding: field.value, as: UTF8.self)
        if !name.utf8.elementsEqual(field.name) || !value.utf8.elementsEqual(field.value) {
          throw VerificationError(
            .malformedForm,
            "the field \(shown(field.name)) is not in UTF-8, in which its policy is written; look "
              + "for a page that does not say accept-charset=\"utf-8\"")
        }
        if !names.insert(field.name.map(ASCIIByte.lowercased)).inserted {
          throw VerificationError(
            .repeatedField,
            "the form has the field \(UTF8Text.quoted(name)) twice, and others may read the one that "
              + "is not verified; look for a page that adds it to a signed form")
        }
        fields.append(PostForm.Field(name: name, value: value))
      }
    }

    /// The value of a field, or nil.
    func value(_ name: String) -> String? {
      fields.first { ASCIIByte.equalIgnoringCase($0.name.utf8, name.utf8) }?.value
    }

    /// The value of a field without which nothing can be proved.
    func required(_ name: String) throws(VerificationError) -> String {
      if let value = value(name), !value.isEmpty { return value }
      throw VerificationError(
        .malformedForm,
        "the form has no field \(name), or an empty one; look for a page that leaves it out, or puts "
          + "it after the file")
    }

    /// Puts the name of the file in place of `${filename}`, which comes before the policy is looked
    /// at (S3 User Guide, "POST Object", form fields).
    mutating func insert(_ fileName: ArraySlice<UInt8>) throws(VerificationError) {
      let variable = Array(PostPolicy.Condition.filenameVariable.utf8)
      let limit = ReceivedForm.byteLimit + 1_024  // a key has 1,024 bytes at most
      var byteCount = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
      for index in fields.indices {
        var rest = Array(fields[index].value.utf8)[...]
        var value: [UInt8] = []
        while let place = BytewiseSearch.range(ofBytes: variable, in: rest) {
          byteCount += fileName.count - variable.count
          if byteCount > limit {
            throw VerificationError(
              .formTooLarge,
              "the fields of the form have more than \(limit) bytes with the name of the file in place "
                + "of ${filename}, which no honest page needs; treat it as an attack")
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
