// SPDX-License-Identifier: Apache-2.0
// The parts of a signature that don't depend on the request, written once per signer.

internal import SecureHashing

/// The strings of an identity, region and service, concatenated, with their ranges.
package struct SignatureTexts: Sendable {
  package let bytes: ContiguousArray<UInt8>

  /// `AWS4-HMAC-SHA256⏎`: the first line of the string to sign.
  let algorithmLine: Range<Int>

  /// `/us-east-1/s3/aws4_request⏎`: the end of its third line, after the day.
  let scopeLine: Range<Int>

  /// `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/`: the start of the `Authorization` header value, up
  /// to the day.
  let credential: Range<Int>

  /// `/us-east-1/s3/aws4_request, SignedHeaders=`
  let signedHeaders: Range<Int>

  /// `X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIDEXAMPLE%2F`: the start of a URL's
  /// parameters, up to the day.
  let credentialParameter: Range<Int>

  /// `%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=`
  let dateParameter: Range<Int>

  /// `x-amz-content-sha256:` and `x-amz-date:`
  let contentSHA256Header: Range<Int>
  let dateHeader: Range<Int>

  /// `&X-Amz-Expires=`, `&X-Amz-SignedHeaders=` and `&X-Amz-Signature=`
  let expiresParameter: Range<Int>
  let namesParameter: Range<Int>
  let signatureParameter: Range<Int>

  /// Creates the strings. An algorithm's scope may have no region.
  package init(
    algorithm: String, _ names: SignatureNames, accessKeyID: String, region: String?,
    service: String
  ) {
    let scope =
      (region.map { ["/", $0] } ?? []) + ["/", service, "/", names.scopeEnd.textInUTF8]
    let prefix = names.parameterPrefix.textInUTF8
    var texts = Texts()
    algorithmLine = texts.append([algorithm, "\n"])
    scopeLine = texts.append(scope, ["\n"])
    credential = texts.append([algorithm, " Credential=", accessKeyID, "/"])
    signedHeaders = texts.append(scope, [", SignedHeaders="])
    credentialParameter = texts.append(
      [prefix, "Algorithm=", algorithm, "&", prefix, "Credential="], encoding: [accessKeyID, "/"])
    dateParameter = texts.append(encoding: scope, ["&", prefix, "Date="])
    let header = names.headerPrefix.textInUTF8
    contentSHA256Header = texts.append([header, "content-sha256:"])
    dateHeader = texts.append([header, "date:"])
    expiresParameter = texts.append(["&", prefix, "Expires="])
    namesParameter = texts.append(["&", prefix, "SignedHeaders="])
    signatureParameter = texts.append(["&", prefix, "Signature="])
    bytes = texts.bytes
  }

  /// A writer for strings in parts. Joining strings would link 15 KB of the standard library.
  private struct Texts {
    var bytes: ContiguousArray<UInt8> = []

    mutating func append(
      _ pieces: [String] = [], encoding encoded: [String] = [], _ last: [String] = []
    ) -> Range<Int> {
      let start = bytes.count
      for piece in pieces { bytes += piece.bytesInUTF8 }
      for piece in encoded { bytes += URIEncoding.encode(piece.bytesInUTF8) }
      for piece in last { bytes += piece.bytesInUTF8 }
      return start..<bytes.count
    }
  }

  /// Appends one of the strings.
  @inline(__always)
  func append(
    _ text: Range<Int>, to output: inout TextOutput, _ end: inout Int
  ) {
    output.append(bytes.span.extracting(text), &end)
  }
}
