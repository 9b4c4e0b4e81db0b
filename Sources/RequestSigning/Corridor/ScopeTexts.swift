// SPDX-License-Identifier: Apache-2.0
// What is the same in all signatures of one identity, region and service.

internal import SigningSupport

extension SigV4 {
  /// The texts that do not depend on the request or the day, put together once.
  package final class ScopeTexts: Sendable {
    /// `AWS4-HMAC-SHA256`
    let algorithmName: [UInt8]

    /// `AKIDEXAMPLE/`
    let accessKeyID: [UInt8]

    /// `/us-east-1/s3/aws4_request`
    let scopeEnd: [UInt8]

    /// `AKIDEXAMPLE%2F`
    let encodedAccessKeyID: [UInt8]

    /// `%2Fus-east-1%2Fs3%2Faws4_request`
    let encodedScopeEnd: [UInt8]

    package init(
      _ algorithm: SignatureAlgorithm, accessKeyID: String, region: String, service: String
    ) {
      let scopeEnd: UTF8Text = "/\(region)/\(service)/\(CredentialScope.terminator)"
      algorithmName = algorithm.name.bytesInUTF8
      self.accessKeyID = accessKeyID.bytesInUTF8 + [ASCIIByte.slash]
      self.scopeEnd = scopeEnd.bytes
      encodedAccessKeyID = URIEncoding.encode(self.accessKeyID)
      encodedScopeEnd = URIEncoding.encode(scopeEnd.bytes)
    }

    /// The credential scope of a moment's day.
    func writeScope(at timestamp: Timestamp, to writer: inout ByteWriter) {
      timestamp.writeDay(to: &writer)
      writer.append(scopeEnd)
    }
  }
}
