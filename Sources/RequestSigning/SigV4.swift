// SPDX-License-Identifier: Apache-2.0
// The namespace of AWS Signature Version 4, and the map of the corridor that a signature walks.

internal import SigningSupport

/// AWS Signature Version 4.
///
/// One signature walks one corridor, and every room of it can be looked at in the result:
///
///     Request -> with the headers that must be signed
///             -> CanonicalRequest                          room 1
///             -> StringToSign  (with a CredentialScope)    room 2
///             -> SigningKey                                room 3
///             -> Signature                                 room 4
///             -> SignedRequest or PresignedURL             room 5
///
/// ``SigV4/Signer`` walks it in one call. ``SigV4/Preparer`` stops before the key, for keys that
/// live elsewhere.
///
/// Source: AWS Identity and Access Management, User Guide, "Create a signed AWS API request".
public enum SigV4 {}
