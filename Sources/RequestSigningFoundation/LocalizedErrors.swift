// SPDX-License-Identifier: Apache-2.0
// What `localizedDescription` says of errors: their message, and not a number.

public import CredentialProviders
public import Foundation
public import RequestSigning
public import SignatureDiagnosis

/// Why something cannot be signed.
extension SigV4.SigningError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}

/// Why there are no credentials.
extension CredentialError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}

/// Why a request was not sent or accepted.
extension TransferError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}

/// Why objects were not deleted.
extension DeletionError: LocalizedError {
  /// The number of objects, and the first one, in English.
  public var errorDescription: String? { description }
}

/// What a service responded with.
extension SigV4.ServiceError: LocalizedError {
  /// The code and the status.
  public var errorDescription: String? { description }
}
