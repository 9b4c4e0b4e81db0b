// SPDX-License-Identifier: Apache-2.0
// Why a stream cannot be signed: the codes of chunked uploads and event streams.

public import RequestSigning
internal import SigningSupport

extension SigV4.SigningError.Code {
  /// Length, chunk size or trailers of a chunked upload are none that a service takes.
  public static var invalidChunkedUpload: Self { Self(name: "invalidChunkedUpload") }
  /// The signed request is not the beginning of this upload.
  public static var unrelatedRequest: Self { Self(name: "unrelatedRequest") }
  /// The body has fewer or more bytes than the request says.
  public static var bodyLengthMismatch: Self { Self(name: "bodyLengthMismatch") }
  /// The trailers are not the ones that the request says.
  public static var trailerMismatch: Self { Self(name: "trailerMismatch") }
  /// The buffer is too small for what has to be written.
  public static var bufferTooSmall: Self { Self(name: "bufferTooSmall") }
}
