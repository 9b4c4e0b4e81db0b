// SPDX-License-Identifier: Apache-2.0
// The namespace of AWS Signature Version 4, and the steps of a signature.

/// AWS Signature Version 4.
///
/// A signature is made in six steps, and the result shows each of them:
///
/// 1. ``CanonicalRequest``: method, path, query, headers and payload in the one form that both sides hash.
/// 2. Its SHA-256 digest.
/// 3. ``StringToSign``: algorithm, time, ``CredentialScope`` and the digest.
/// 4. ``SigningKey``: derived from the secret access key for one day, region and service.
/// 5. ``Signature``: HMAC of the string to sign under the signing key.
/// 6. ``SignedRequest``, with the headers to add, or ``PresignedURL``.
///
/// ``SigV4/Signer`` makes all of them in one call. Its `prepare(_:at:)` stops before the key, for keys in
/// an HSM or another process.
///
/// Source: AWS Identity and Access Management, User Guide, "Create a signed AWS API request".
public enum SigV4 {}
