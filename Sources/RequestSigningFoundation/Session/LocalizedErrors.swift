// SPDX-License-Identifier: Apache-2.0
// `localizedDescription` of errors: the message instead of a number.

public import CredentialProviders
public import Foundation
public import MessageSignatures
public import RequestSigning
public import SignatureDiagnosis

/// The description of a signing error.
extension SigV4.SigningError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}

/// The description of a credential error.
extension CredentialError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}

/// The description of a transfer error.
extension TransferError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}

/// The description of a deletion error.
extension DeletionError: LocalizedError {
  /// The message, in English.
  public var errorDescription: String? { description }
}

/// The description of an error response.
extension SigV4.ServiceError: LocalizedError {
  /// The code and the status.
  public var errorDescription: String? { description }
}

/// The description of a message signature's error.
extension MessageSignatureError: LocalizedError {
  /// The code and the message, in English.
  public var errorDescription: String? { description }
}
