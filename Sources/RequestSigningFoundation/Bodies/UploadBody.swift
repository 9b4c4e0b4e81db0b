// SPDX-License-Identifier: Apache-2.0
// What a caller uploads, and how its bytes are signed.

public import Foundation

/// The body of an upload, and how it's signed.
public struct UploadBody: Hashable, Sendable {
  let content: Body.Content
  let payload: FilePayload

  /// Uploads bytes in memory. Their digest is signed.
  public static func data(_ data: Data) -> UploadBody {
    UploadBody(content: .bytes(data), payload: .hashed)
  }

  /// Uploads a file. It's streamed, so it's never in memory as a whole. Don't change it during the
  /// upload.
  public static func file(_ file: URL, payload: FilePayload = .hashed) -> UploadBody {
    UploadBody(content: .file(file, nil), payload: payload)
  }
}

/// How a file's bytes are signed.
public struct FilePayload: Hashable, Sendable {
  let kind: Kind

  enum Kind: Hashable, Sendable {
    case hashed
    case unsigned
    case signedChunks(Int)
  }

  /// Sign the digest. The file is read twice.
  public static var hashed: FilePayload { FilePayload(kind: .hashed) }

  /// Sign no bytes, and read the file once. This requires TLS, except for connections to this
  /// machine. If the upload has a checksum, it's sent as a trailer after unsigned chunks.
  public static var unsigned: FilePayload { FilePayload(kind: .unsigned) }

  /// Sign each chunk (`aws-chunked`, S3 only). The minimum chunk size is 8,192 bytes.
  ///
  /// On Apple platforms, the chunks are written to a temporary file about as large as the file
  /// itself, because URLSession can't send a stream like this with its length. The temporary file
  /// is removed after the upload.
  public static func signedChunks(ofByteCount byteCount: Int = 65_536) -> FilePayload {
    FilePayload(kind: .signedChunks(byteCount))
  }
}
