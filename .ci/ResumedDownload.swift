// SPDX-License-Identifier: Apache-2.0
// ResumedDownload URL FILE CHECKPOINT PARTBYTECOUNT: downloads an object, or continues to. The keys are
// those of the environment.

import Foundation
import RequestSigningFoundation
import S3Signing

let (url, file) = (CommandLine.arguments[1], URL(fileURLWithPath: CommandLine.arguments[2]))
let checkpoint = URL(fileURLWithPath: CommandLine.arguments[3])
var options = SigningSession.Options()
options.partByteCount = Int(CommandLine.arguments[4]) ?? options.partByteCount
options.maximumAttempts = 2
let bucket = try SigV4.Bucket(
  "films", at: .custom(url: url, region: "us-east-1"), addressing: .path)
let session = bucket.session(credentials: .environment, options: options)
do {
  try await session.download(bucket.object("film.mov"), to: file, checkpoint: checkpoint)
} catch {
  print(error)
  exit(1)
}
