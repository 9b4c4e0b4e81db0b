// SPDX-License-Identifier: Apache-2.0
// A form as a server received it, up to its file: nothing replaced, nothing believed.

internal import SecureHashing
internal import DocumentSupport
public import RequestSigning
internal import S3Signing
internal import SigningSupport

extension SigV4 {
  /// The fields of a form that a browser posted to a bucket, as a server received them.
  ///
  ///     var form = SigV4.ReceivedForm(request, bucket: "photos")
  ///     form.append("key".utf8, "uploads/${filename}".utf8)     // each part before the file
  ///     form.fileName = "a.jpg"                                 // as the part of the file names it
  ///
  /// Taking `multipart/form-data` apart is the server's business. Fields after the file do not count.
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
      byteCount = min(byteCount &+ name.count &+ value.count, Self.byteLimit &+ 1)
      if !isTooLarge { fields.append(Field(name: Array(name), value: Array(value))) }
    }
  }
}

extension SigV4.ReceivedForm: CustomStringConvertible {
  /// The bucket, and how many fields there are. Their values may be secret.
  public var description: String {
    "ReceivedForm(\(UTF8Text.quoted(bucket)), \(fields.count) fields)"
  }

  var isTooLarge: Bool { byteCount > Self.byteLimit }

  /// What stands for `${filename}`: no path that a browser may have sent along.
  var lastOfFileName: ArraySlice<UInt8> {
    let name = Array(fileName.utf8)
    let separator = name.lastIndex { $0 == ASCIIByte.slash || $0 == ASCIIByte.backslash }
    return separator.map { name[($0 &+ 1)...] } ?? name[...]
  }
}

extension SigV4.ReceivedForm: Redacted {}
