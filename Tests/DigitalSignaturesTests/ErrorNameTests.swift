// SPDX-License-Identifier: Apache-2.0
// What a program prints when it logs the code of an error.

internal import DigitalSignatures
internal import SecureHashing
internal import Testing

@Suite("Names of error codes")
struct ErrorNameTests {
  @Test("A code is printed as it's spelled in a program")
  func names() {
    let keys: [(KeyDecodingError.Code, String)] = [
      (.wrongLength, "wrongLength"), (.invalidDER, "invalidDER"), (.invalidPEM, "invalidPEM"),
      (.publicKeyMismatch, "publicKeyMismatch"), (.invalidScalar, "invalidScalar"),
      (.invalidPoint, "invalidPoint"), (.unsupportedModulus, "unsupportedModulus"),
      (.unsupportedExponent, "unsupportedExponent"), (.unsupportedPrimes, "unsupportedPrimes"),
      (.inconsistentKey, "inconsistentKey"),
    ]
    for (code, name) in keys { #expect("\(code)" == name) }
    let texts: [(TextDecodingError.Code, String)] = [
      (.oddLength, "oddLength"), (.wrongLength, "wrongLength"),
      (.invalidCharacter, "invalidCharacter"), (.trailingBits, "trailingBits"),
    ]
    for (code, name) in texts { #expect("\(code)" == name) }
    let signing: [(RSA.SigningError.Code, String)] = [
      (.faultDetected, "faultDetected"), (.unsupportedDigest, "unsupportedDigest"),
    ]
    for (code, name) in signing { #expect("\(code)" == name) }
  }
}
