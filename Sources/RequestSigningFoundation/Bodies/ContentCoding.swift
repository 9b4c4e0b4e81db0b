// SPDX-License-Identifier: Apache-2.0
// The Content-Encoding of responses.

internal import Foundation

extension HTTPURLResponse {
  /// Whether the HTTP client may decode the body, which changes its size and its checksum.
  ///
  /// Some stores, such as the Versity S3 Gateway and NooBaa, return the `aws-chunked` of an upload
  /// although they store the decoded bytes. Clients don't decode it.
  var isDecoded: Bool {
    contentCodings.contains { !["aws-chunked", "identity"].contains($0) }
  }

  var contentCodings: [String] {
    (value(forHTTPHeaderField: "Content-Encoding") ?? "").lowercased()
      .split { ", \t".contains($0) }.map { String($0) }
  }
}
