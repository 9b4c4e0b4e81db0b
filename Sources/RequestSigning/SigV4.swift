// SPDX-License-Identifier: Apache-2.0
// The namespace of AWS Signature Version 4, with the steps of a signature.

/// AWS Signature Version 4.
///
/// A signature takes six steps, and the result contains each of them:
///
/// 1. ``CanonicalRequest``: the method, path, query, headers and payload in the form that both
///    sides hash.
/// 2. Its SHA-256 hash.
/// 3. ``StringToSign``: the algorithm, time, ``CredentialScope`` and hash.
/// 4. ``SigningKey``: derived from the secret access key for one day, region and service.
/// 5. ``Signature``: the HMAC of the string to sign with the signing key.
/// 6. ``SignedRequest``, with the headers to add, or ``PresignedURL``.
///
/// ``SigV4/Signer`` runs all of them in one call. Its `prepare(_:at:)` stops before the key, for
/// keys in an HSM or another process.
///
/// Source: AWS Identity and Access Management, User Guide, "Create a signed AWS API request".
public enum SigV4 {}
