// SPDX-License-Identifier: Apache-2.0
// What is uploaded, and what is signed of it.

public import Foundation
internal import RequestSigning

/// What is uploaded, and what is signed of it.
public struct UploadBody: Sendable {
  let content: Content

  enum Content: Sendable {
    case data(Data)
    case file(URL, FilePayload)
  }

  /// Bytes in memory; their digest is signed.
  public static func data(_ data: Data) -> UploadBody { UploadBody(content: .data(data)) }

  /// A file, which is never taken into memory as a whole and has to stay as it is meanwhile.
  public static func file(_ file: URL, payload: FilePayload = .hashed) -> UploadBody {
    UploadBody(content: .file(file, payload))
  }
}

/// What is signed of a file.
public struct FilePayload: Sendable {
  let kind: Kind

  enum Kind: Sendable {
    case hashed
    case unsigned
    case signedChunks(Int)
  }

  /// Its digest: the file is read twice.
  public static var hashed: FilePayload { FilePayload(kind: .hashed) }

  /// Nothing, for use over TLS: the file is read once. Refused without TLS, but for this machine.
  public static var unsigned: FilePayload { FilePayload(kind: .unsigned) }

  /// Each chunk of so many bytes, 8,192 or more (`aws-chunked`; S3 only).
  ///
  /// URLSession sends no body of its own making with a length, which S3 insists on. So the chunks are
  /// written to a temporary file, about as large as the file itself, which is removed afterwards.
  public static func signedChunks(ofByteCount byteCount: Int = 65_536) -> FilePayload {
    FilePayload(kind: .signedChunks(byteCount))
  }
}
