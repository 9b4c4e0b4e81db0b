// SPDX-License-Identifier: Apache-2.0
// What a successful response must contain, and the errors for all other responses.

internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import SignatureDiagnosis

/// The body of a successful response. A status of 200 isn't enough, because a proxy or a sign-in
/// page may respond to any request with 200 and HTML.
enum ExpectedBody: Sendable {
  /// Anything, for example the bytes of an object.
  case anything
  /// No body, as for PutObject, UploadPart, DeleteObject and AbortMultipartUpload. Some small
  /// stores send a document that's named after the operation.
  case nothing
  /// An XML document whose root element has one of these names.
  case document(root: [String])

  var isAnything: Bool {
    switch self {
    case .anything: true
    case .nothing, .document: false
    }
  }

  fileprivate var rootNames: [String] {
    switch self {
    case .anything: []
    case .nothing:
      [
        "PutObjectResult", "UploadPartResult", "DeleteObjectResult", "AbortMultipartUploadResult",
      ]
    case .document(let names): names
    }
  }
}

extension LoadedResponse {
  /// Whether S3 sent a status of 200 before it failed, as it may for copies and completed uploads.
  /// Retry these like a 500 (API Reference, CompleteMultipartUpload and CopyObject).
  var isFailedSuccess: Bool {
    guard isSuccess, signed?.preparer.service.isObjectStorage == true else { return false }
    if expected.isAnything && ["GET", "HEAD"].contains(method) { return false }
    return isErrorDocument
  }

  var isErrorDocument: Bool { (try? XMLFieldReader(body, root: ["Error"])) != nil }

  /// Whether the store doesn't have the object or the upload. A page that says so isn't enough.
  var isMissing: Bool {
    response.statusCode == 404 && (isErrorDocument || firstCharacter == nil)
  }

  /// Returns the expected document. Throws `unexpectedStatus` unless the status is 200 to 299, and
  /// `invalidResponse` for any other body.
  func document(_ missing: String) throws(TransferError) -> XMLFieldReader {
    try expectSuccess(missing)
    do throws(DocumentError) {
      return try XMLFieldReader(body, root: expected.rootNames, atMost: 16 << 20)
    } catch {
      throw invalid(missing, error.problem)
    }
  }

  /// Throws `unexpectedStatus` unless the status is 200 to 299, and `invalidResponse` for a body
  /// where none is expected.
  func expectSuccess(_ missing: String) throws(TransferError) {
    guard isSuccess && !isFailedSuccess else { throw failure(missing) }
    guard case .nothing = expected, let first = firstCharacter else { return }
    // An upload may return the result of a store's callback, but never a page.
    if method != "DELETE" && first != UInt8(ascii: "<") { return }
    if (try? XMLFieldReader(body, root: expected.rootNames)) == nil {
      throw invalid(missing, "S3 sends no body here, but this one has \(body.count) bytes.")
    }
  }

  /// The first byte of the body that is neither white space nor part of a byte order mark.
  var firstCharacter: UInt8? {
    body.first { $0 > ASCIIByte.space && ![0xEF, 0xBB, 0xBF].contains($0) }
  }

  private func invalid(_ missing: String, _ problem: String) -> TransferError {
    TransferError(
      .invalidResponse,
      "The server responded with status \(response.statusCode), but not with \(missing). "
        + problem,
      fix: "Check the endpoint, and whether a proxy or a sign-in page responds in its place.",
      status: response.statusCode)
  }

  private func failure(_ missing: String) -> TransferError {
    let status = response.statusCode
    let error = error
    let (code, line) = (error.plainCode, error.shownLine(of: signed))
    let said = line.isEmpty ? "" : ": " + UTF8Text.quoted(line, upTo: 240)
    let diagnosis = diagnosis(of: error)
    let cause = diagnosis.map { " Cause: \($0.cause.problem)" } ?? ""
    let (earlier, check) = mayHaveSucceeded(code) ? Self.earlierSuccess : ("", nil)
    return TransferError(
      .unexpectedStatus,
      "The server responded with status \(status) (\(code ?? "no code")\(code == nil ? "" : said)) "
        + "instead of \(missing).\(cause)\(earlier)",
      fix: check ?? diagnosis?.cause.fix
        ?? "Check what this response means in the store's documentation.",
      status: status, serverCode: code, diagnosis: diagnosis)
  }

  private static let earlierSuccess: (problem: String, fix: String?) = (
    " An earlier attempt of this call may have succeeded although it got no response or an error, "
      + "which would explain this one.",
    "Request the object's metadata, and compare it with what you sent, before you send it again."
  )

  /// Whether the response may be caused by the success of an earlier attempt: its object no longer
  /// meets the condition of the request, its upload is complete, or the object is gone.
  private func mayHaveSucceeded(_ code: String?) -> Bool {
    guard isRepeated, let signed, !["GET", "HEAD"].contains(method) else { return false }
    switch response.statusCode {
    case 404: return method == "DELETE" || code == "NoSuchUpload" && method == "POST"
    // Amazon S3, User Guide, "Conditional requests": 409 is a conflict with a concurrent request.
    case 409, 412: return signed.headers.contains { $0.name.lowercased().hasPrefix("if-") }
    default: return false
    }
  }

  /// Compares the signed request with the response. Nil if the signature was accepted.
  func diagnosis(of error: SigV4.ServiceError) -> SigV4.Diagnosis? {
    let status = response.statusCode
    guard let signed, [301, 307, 400, 401, 403].contains(status) else { return nil }
    let diagnosis = error.diagnosis(for: signed)
    switch diagnosis.cause.code {
    case .accepted: return nil
    // Other statuses are rarely caused by the signature, and an empty body has no reason.
    case .unknownCause: return [401, 403].contains(status) && !body.isEmpty ? diagnosis : nil
    default: return diagnosis
    }
  }
}
