// SPDX-License-Identifier: Apache-2.0
// The certificate and the private key of a machine, in files, in memory or elsewhere.

internal import DigitalSignatures
internal import SecureHashing

/// An X.509 certificate and its private key, for IAM Roles Anywhere.
///
///     let device = ClientCertificate.files(certificate: "device.pem", privateKey: "device.key")
///
/// The key is an RSA key of 2048, 3072 or 4096 bits, or a P-256 key. P-384 and ML-DSA keys, which
/// IAM Roles Anywhere also accepts, aren't supported.
public struct ClientCertificate: Sendable {
  /// The certificate with its key, as it is now.
  let current: @Sendable (CredentialSources) throws(CredentialError) -> SigningCertificate

  /// Reads files again for each request, so you can replace them when you renew the certificate.
  ///
  /// - Parameters:
  ///   - certificate: The path of the certificate, in PEM or DER. In PEM, certificates after the
  ///     first one are part of its chain.
  ///   - privateKey: The path of its private key, unencrypted, in PEM or DER.
  ///   - intermediates: The path of the certificates between this one and the trust anchor.
  public static func files(
    certificate: String, privateKey: String, intermediates: String? = nil
  ) -> ClientCertificate {
    ClientCertificate { (sources) throws(CredentialError) in
      let chain = try CertificateChain(certificate, intermediates, sources)
      var key = try sources.requiredFile(privateKey, "private key")
      defer { unsafe key.withUnsafeMutableBytes { unsafe ConstantTime.wipe($0) } }
      return try SigningCertificate(chain, privateKey: key, of: privateKey.shown)
    }
  }

  /// Reads files without a key, which signs elsewhere, such as in an HSM. An invalid signature
  /// isn't sent.
  ///
  /// - Parameters:
  ///   - certificate: The path of the certificate, in PEM or DER.
  ///   - intermediates: The path of the certificates between this one and the trust anchor.
  ///   - signature: Signs a message with SHA-256 and the certificate's private key: RSA with
  ///     PKCS #1 v1.5, or ECDSA in DER.
  public static func files(
    certificate: String, intermediates: String? = nil,
    signature: sending @escaping (_ message: [UInt8]) async throws -> [UInt8]
  ) -> ClientCertificate {
    let signature = SentClosure(signature)
    return ClientCertificate { (sources) throws(CredentialError) in
      try SigningCertificate(CertificateChain(certificate, intermediates, sources)) {
        try await signature($0)
      }
    }
  }

  /// Parses a certificate and its key in PEM, without files.
  ///
  /// - Throws: `invalidConfiguration` if the certificate or its key isn't valid or supported, and
  ///   if they don't belong together.
  public static func pem(
    certificate: String, privateKey: String, intermediates: String? = nil
  ) throws(CredentialError) -> ClientCertificate {
    let chain = try CertificateChain(pem: certificate, intermediates)
    let current = try SigningCertificate(chain, privateKey: Array(privateKey.utf8), of: nil)
    return ClientCertificate { _ in current }
  }

  /// Parses a certificate in PEM, without its key, which signs elsewhere, such as in an HSM. An
  /// invalid signature isn't sent.
  ///
  /// - Parameters:
  ///   - certificate: The certificate.
  ///   - intermediates: The certificates between this one and the trust anchor.
  ///   - signature: Signs a message with SHA-256 and the certificate's private key: RSA with
  ///     PKCS #1 v1.5, or ECDSA in DER.
  /// - Throws: `invalidConfiguration` if the certificate isn't valid or supported.
  public static func pem(
    certificate: String, intermediates: String? = nil,
    signature: sending @escaping (_ message: [UInt8]) async throws -> [UInt8]
  ) throws(CredentialError) -> ClientCertificate {
    let signature = SentClosure(signature)
    let current = try SigningCertificate(CertificateChain(pem: certificate, intermediates)) {
      try await signature($0)
    }
    return ClientCertificate { _ in current }
  }
}

extension ClientCertificate: CustomStringConvertible {
  /// The kind of value, never the key.
  public var description: String { "ClientCertificate" }
}

/// A certificate, and those between it and the trust anchor.
struct CertificateChain: Sendable {
  let certificate: X509Certificate
  let intermediates: [X509Certificate]

  /// The certificate's file, which messages name. Nil if it came from memory.
  let file: String?

  /// Reads files. Throws `invalidFile`.
  fileprivate init(
    _ certificate: String, _ intermediates: String?, _ sources: CredentialSources
  ) throws(CredentialError) {
    let own = try Self.certificates(
      in: sources.requiredFile(certificate, "certificate"), of: certificate.shown)
    var others: [X509Certificate] = []
    if let intermediates {
      others = try Self.certificates(
        in: sources.requiredFile(intermediates, "intermediate certificates"),
        of: intermediates.shown)
    }
    try self.init(own + others, file: certificate.shown)
  }

  /// Reads PEM. Throws `invalidConfiguration`.
  fileprivate init(pem certificate: String, _ intermediates: String?) throws(CredentialError) {
    let own = try Self.certificates(in: Array(certificate.utf8), of: nil)
    var others: [X509Certificate] = []
    if let intermediates {
      others = try Self.certificates(in: Array(intermediates.utf8), of: nil)
    }
    try self.init(own + others, file: nil)
  }

  private init(_ all: [X509Certificate], file: String?) throws(CredentialError) {
    guard let first = all.first else { throw CredentialError.noCertificate }
    certificate = first
    intermediates = Array(all.dropFirst())
    self.file = file
  }

  private static func certificates(
    in bytes: [UInt8], of file: String?
  ) throws(CredentialError) -> [X509Certificate] {
    do throws(KeyDecodingError) { return try X509Certificate.all(in: bytes) } catch {
      throw CredentialError(error, of: file)
    }
  }
}

/// A certificate that can sign, with its serial number and the kind of its key.
struct SigningCertificate: Sendable {
  let chain: CertificateChain
  let serialNumber: String
  let publicKey: X509PublicKey

  typealias Signature = @Sendable (_ message: [UInt8]) async throws -> [UInt8]

  private let signature: Signature

  /// Creates a certificate with its private key in PEM or DER, from a file unless it's nil.
  fileprivate init(
    _ chain: CertificateChain, privateKey: [UInt8], of file: String?
  ) throws(CredentialError) {
    let key: X509PrivateKey
    do throws(KeyDecodingError) {
      // Whatever is wrong with the certificate isn't about the file of the key.
      _ = try chain.certificate.publicKey()
    } catch { throw CredentialError(error, of: chain.file) }
    do throws(KeyDecodingError) {
      key = try chain.certificate.privateKey(in: privateKey)
    } catch { throw CredentialError(error, of: file) }
    try self.init(chain) { message in try key.signature(for: message) }
  }

  fileprivate init(
    _ chain: CertificateChain, signature: @escaping Signature
  ) throws(CredentialError) {
    do throws(KeyDecodingError) {
      publicKey = try chain.certificate.publicKey()
      serialNumber = try chain.certificate.serialNumber()
    } catch { throw CredentialError(error, of: chain.file) }
    self.chain = chain
    self.signature = signature
  }

  /// Signs a message.
  ///
  /// - Throws: `accessDenied` if the signature doesn't belong to the certificate.
  func signature(of message: [UInt8]) async throws(CredentialError) -> [UInt8] {
    let bytes: [UInt8]
    do { bytes = try await signature(message) } catch {
      throw CredentialError(error, .accessDenied, of: "The private key of the certificate")
    }
    if publicKey.isValidSignature(bytes, for: message) { return bytes }
    throw CredentialError(
      .accessDenied,
      "The closure returned \(bytes.count) bytes that aren't a signature of the certificate's key.",
      fix: "Sign the message with SHA-256: RSA with PKCS #1 v1.5, or ECDSA in DER.")
  }
}

extension CredentialSources {
  /// Returns the contents of a file that must exist.
  fileprivate func requiredFile(
    _ path: String, _ what: String
  ) throws(CredentialError) -> [UInt8] {
    if let bytes = try contents(of: path) { return bytes }
    throw CredentialError(
      .invalidFile, "The file \(path.shown) with the \(what) doesn't exist or is a directory.",
      fix: "Check the path.")
  }
}

extension CredentialError {
  fileprivate init(_ error: KeyDecodingError, of file: String?) {
    self.init(
      file == nil ? .invalidConfiguration : .invalidFile,
      (file.map { "Can't use \($0). " } ?? "") + error.problem, fix: error.fix)
  }

  fileprivate static var noCertificate: Self {
    CredentialError(
      .invalidConfiguration, "There is no certificate.", fix: "Pass a certificate in PEM.")
  }
}
