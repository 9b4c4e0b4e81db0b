// SPDX-License-Identifier: Apache-2.0
// Uploads a file with what is signed of it named by its second argument, and checks its progress.

import CredentialProviders
import Foundation
import RequestSigning
import RequestSigningFoundation

/// The last progress, and whether it has always grown.
final class Progress: @unchecked Sendable {
  private let lock = NSLock()
  private var last: TransferProgress?
  private var grows = true

  func note(_ next: TransferProgress) {
    lock.withLock {
      if let last, last.byteCount >= next.byteCount { grows = false }
      last = next
    }
  }

  var isRight: Bool {
    lock.withLock { grows && last != nil && last?.byteCount == last?.totalByteCount }
  }
}

let (url, kind, file) = (
  CommandLine.arguments[1], CommandLine.arguments[2], URL(fileURLWithPath: CommandLine.arguments[3])
)
let session = SigningSession(
  credentials: try SigV4.Credentials(accessKeyID: "key", secretAccessKey: "secret"),
  region: "us-east-1", service: .s3)
let payload: FilePayload =
  switch kind {
  case "hashed": .hashed
  case "unsigned": .unsigned
  default: .signedChunks()
  }
let progress = Progress()
let (_, response) = try await session.upload(
  .file(file, payload: payload), with: SigV4.Request("PUT", url: url)
) { progress.note($0) }
print(response.statusCode, progress.isRight)
