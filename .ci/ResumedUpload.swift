// SPDX-License-Identifier: Apache-2.0
// ResumedUpload URL FILE CHECKPOINT PARTBYTES: uploads a file, or continues. SIGTERM cancels it. Prints the ETag.
// The keys are those of the environment.

import CredentialProviders
import Foundation
import RequestSigning
import RequestSigningFoundation
import S3Signing

let arguments = CommandLine.arguments
var options = SigningSession.Options()
options.minimumPartByteCount = 1
options.partByteCount = Int(arguments[4]) ?? 0
// The server counts each repetition.
options.maximumAttempts = 1
let endpoint = try SigV4.S3Endpoint.custom(url: arguments[1], region: "us-east-1")
let bucket = try SigV4.Bucket("films", at: endpoint, addressing: .path)
let session = bucket.session(credentials: .environment, options: options)
let upload = Task {
  try await session.upload(
    URL(fileURLWithPath: arguments[2]), to: bucket.object("film.mov"),
    checkpoint: URL(fileURLWithPath: arguments[3]))
}
signal(SIGTERM, SIG_IGN)
let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
termination.setEventHandler { upload.cancel() }
termination.resume()
do {
  print(try await upload.value.eTag)
} catch is CancellationError {
  print("cancelled")
  exit(2)
} catch {
  print(error)
  exit(1)
}
