// SPDX-License-Identifier: Apache-2.0
// The Content-Encoding of responses, and the codings that the HTTP client can't decode.

internal import Foundation
internal import RequestSigning

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

extension HTTPURLResponse {
  /// Whether the HTTP client may decode the body, which changes its size and its checksum.
  ///
  /// Some stores, such as the Versity S3 Gateway and NooBaa, return the `aws-chunked` of an upload
  /// although they store the decoded bytes. Clients don't decode it.
  var isDecoded: Bool {
    contentCodings.contains { !["aws-chunked", "identity"].contains($0) }
  }

  private var contentCodings: [String] {
    (value(forHTTPHeaderField: "Content-Encoding") ?? "").lowercased()
      .split { ", \t".contains($0) }.map { String($0) }
  }

  #if canImport(FoundationNetworking)
    /// The cause of an error, if libcurl can't decode the body. It decodes every body, and knows
    /// only these codings (curl's lib/content_encoding.c).
    fileprivate func decodingFailure(_ error: any Error) -> TransferError? {
      let known = ["identity", "none", "gzip", "x-gzip", "deflate", "br", "zstd"]
      guard isSuccess, (error as? URLError)?.code == .unknown,
        let coding = contentCodings.first(where: { !known.contains($0) })
      else { return nil }
      return TransferError(
        .invalidResponse,
        "The response has the Content-Encoding \(UTF8Text.quoted(coding.utf8, upTo: 40)), and "
          + "FoundationNetworking can't read such a body.",
        fix: (coding == "aws-chunked"
          ? "The store should have removed it after the upload. Upload the object again without "
            + "chunks, or create" : "Create") + " the session with a different HTTP client.",
        status: statusCode)
    }
  #endif
}

extension URLSessionTask {
  /// Returns the cause of the task's error, or the error itself.
  func cause(of error: any Error) -> any Error {
    #if canImport(FoundationNetworking)
      (response as? HTTPURLResponse)?.decodingFailure(error) ?? error
    #else
      error
    #endif
  }
}
