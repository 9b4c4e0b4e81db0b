// SPDX-License-Identifier: Apache-2.0
// The fields of a received form: once each, in UTF-8, with the name of the file where it belongs.

internal import DocumentSupport
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningSupport

extension SigV4 {
  /// The fields of a form, each there once.
  struct FormFields {
    let fields: [PostForm.Field]

    /// The fields as they were received; names have no case.
    init(_ form: ReceivedForm) throws(VerificationError) {
      if form.isTooLarge { throw .formTooLarge }
      if form.lastOfFileName.count > 1_024 {
        throw VerificationError(
          .malformedForm,
          """
          the file has a name of \(form.lastOfFileName.count) bytes, and no key of an object has \
          more than 1024; take it for an attack
          """)
      }
      var fields: [PostForm.Field] = []
      for field in form.fields {
        let name = String(decoding: field.name, as: UTF8.self)
        let value = String(decoding: field.value, as: UTF8.self)
        if !name.utf8.elementsEqual(field.name) || !value.utf8.elementsEqual(field.value) {
          throw VerificationError(
            .malformedForm,
            """
            the field \(shown(field.name[...])) is not in UTF-8, in which its policy is written; \
            look for a page that does not say accept-charset=\"utf-8\"
            """)
        }
        fields.append(PostForm.Field(name: name, value: value))
      }
      self.fields = fields
      try checkNames()
    }

    /// The value of a field, or nil.
    func value(_ name: String) -> String? {
      fields.first { ASCIIByte.equalIgnoringCase($0.name.utf8, name.utf8) }?.value
    }

    /// The value of a field without which nothing can be proved.
    func required(_ name: String) throws(VerificationError) -> String {
      guard let value = value(name), !value.utf8.isEmpty else {
        throw VerificationError(
          .malformedForm,
          """
          the form has no field \(name), or an empty one; look for a page that leaves it out, or \
          puts it after the file
          """)
      }
      return value
    }

    /// The fields with the name of the file in place of `${filename}`, which comes before the policy
    /// is looked at (S3 User Guide, "POST Object", form fields).
    func naming(_ fileName: ArraySlice<UInt8>) -> FormFields {
      FormFields(
        replaced: fields.map { field in
          PostForm.Field(name: field.name, value: Self.naming(fileName, in: field.value))
        })
    }

    private init(replaced fields: [PostForm.Field]) {
      self.fields = fields
    }

    private func checkNames() throws(VerificationError) {
      var names = fields.map { $0.name.utf8.map(ASCIIByte.lowercased) }
      names.sort { $0.lexicographicallyPrecedes($1) }
      if let (name, _) = zip(names, names.dropFirst()).first(where: { $0.elementsEqual($1) }) {
        throw VerificationError(
          .repeatedField,
          """
          the form has the field \(UTF8Text.quoted(name)) twice, and others may read another one of them; \
          look for a page that adds it to a signed form
          """)
      }
    }

    private static func naming(_ fileName: ArraySlice<UInt8>, in value: String) -> String {
      var rest = Array(value.utf8)[...]
      var replaced: [UInt8] = []
      while let place = BytewiseSearch.range(of: PostPolicy.Condition.filenameVariable, in: rest) {
        replaced += rest[..<place.lowerBound] + fileName
        rest = rest[place.upperBound...]
      }
      replaced += rest
      return String(decoding: replaced, as: UTF8.self)
    }
  }
}
