// SPDX-License-Identifier: Apache-2.0
// The messages about keys and certificates: what somebody passed, and how to get what is needed.

/// A problem and its fix.
struct KeyWords {
  let problem: String
  let fix: String

  init(_ material: KeyMaterial, _ needed: NeededKey) {
    switch material {
    case .privateKey(let algorithm), .publicKey(let algorithm):
      self.init(algorithm, material, needed)
    case .encryptedKey(let encoding):
      let decrypt =
        encoding == .pem
        ? "openssl pkey -in FILE -out PLAIN" : "openssl pkcs8 -inform DER -in FILE -out PLAIN"
      self.init(
        "an encrypted private key", needed, privateKey: "Decrypt it with '\(decrypt)'.",
        publicKey: Self.extractPublicKey)
    case .file(let kind): self.init(kind, needed)
    case .base64:
      let label = needed.part.label
      self.init(
        "This is base64 without the lines of PEM.",
        fix: """
          Add the lines '-----BEGIN \(label)-----' before it and '-----END \(label)-----' after it.
          """)
    case .form(let form): self.init(form, needed)
    case .brokenPEM(let fault): self.init(fault, needed)
    case .unknown:
      self.init(
        "The bytes aren't the DER encoding of \(needed.name).",
        fix: "Check for lost, changed or extra bytes, or export it again.")
    }
  }

  /// What it is, and the fix if a private key, a public key or a certificate is needed.
  private init(
    _ name: String, _ needed: NeededKey, privateKey: String, publicKey: String,
    certificate: String = Self.passCertificate
  ) {
    problem = "This is \(name), not \(needed.name)."
    switch needed.part {
    case .privateKey: fix = privateKey
    case .publicKey: fix = publicKey
    case .certificate: fix = certificate
    }
  }

  /// The same for an Ed25519 key, which may not be the needed kind.
  private init(
    ed25519 name: String, _ needed: NeededKey, privateKey: String, publicKey: String
  ) {
    let isRight = needed.includes(.privateKey(.ed25519)) || needed.includes(.publicKey(.ed25519))
    let useKey = "Use \(needed.algorithms.name) key."
    self.init(
      name, needed, privateKey: isRight ? privateKey : useKey,
      publicKey: isRight ? publicKey : useKey)
  }

  private init(_ problem: String, fix: String) {
    self.problem = problem
    self.fix = fix
  }

  private static var passPrivateKey: String { "Pass the private key, which is stored separately." }
  private static var passCertificate: String {
    "Pass the lines from '-----BEGIN CERTIFICATE-----' to '-----END CERTIFICATE-----'."
  }
  private static var passOtherPart: String { "Pass the private key of the same pair." }
  private static var extractPublicKey: String {
    "Extract the public key with 'openssl pkey -in FILE -pubout'."
  }

  /// Keys of another algorithm, or the other part of a pair.
  private init(_ algorithm: KeyAlgorithm, _ material: KeyMaterial, _ needed: NeededKey) {
    let isPublic = material == .publicKey(algorithm)
    let isRightPart = needed.part == (isPublic ? .publicKey : .privateKey)
    let isCurveNeeded = [.p256, .rsaOrP256, .any].contains(needed.algorithms)
    if algorithm == .explicitCurve && isRightPart && isCurveNeeded {
      self.init(
        "The key has explicit curve parameters instead of a named curve.",
        fix: """
          Convert it with 'openssl ec\(isPublic ? " -pubin" : "") -in FILE -param_enc named_curve \
          -out NEW'.
          """)
      return
    }
    let useKey = "Use \(needed.algorithms.name) key."
    self.init(
      "\(algorithm.name) \(isPublic ? "public" : "private") key", needed,
      privateKey: isPublic ? Self.passOtherPart : useKey,
      publicKey: isPublic ? useKey : Self.extractPublicKey)
  }

  /// Other formats.
  private init(_ kind: KeyMaterial.FileKind, _ needed: NeededKey) {
    switch kind {
    case .certificate:
      self.init(
        "a certificate", needed, privateKey: Self.passPrivateKey,
        publicKey: "Extract its public key with 'openssl x509 -in FILE -noout -pubkey'.")
    case .certificateRequest:
      self.init(
        "a certificate request", needed, privateKey: Self.passPrivateKey,
        publicKey: """
          Extract its public key with 'openssl req -in FILE -noout -pubkey' (DER: -inform DER).
          """,
        certificate: "Pass the certificate that was issued for it.")
    case .pkcs12:
      self.init(
        "a PKCS #12 file", needed,
        privateKey: """
          Extract the key with 'openssl pkcs12 -in FILE -nocerts -nodes -out PLAIN' (if RC2 is \
          unsupported: -legacy).
          """,
        publicKey: "Extract the certificate with 'openssl pkcs12 -in FILE -nokeys', then its key.",
        certificate: "Extract the certificate with 'openssl pkcs12 -in FILE -nokeys -out NEW'.")
    case .pkcs7:
      let extract = """
        Extract the certificates with 'openssl pkcs7 -in FILE -print_certs -out NEW' (DER: -inform \
        DER).
        """
      self.init(
        "a PKCS #7 file", needed, privateKey: Self.passPrivateKey, publicKey: extract,
        certificate: extract)
    case .openSSH:
      self.init(
        "an OpenSSH private key", needed,
        privateKey: "Convert a copy with 'ssh-keygen -p -m PEM -f COPY'.",
        publicKey: "Extract the public key with 'ssh-keygen -e -m PKCS8 -f FILE'.")
    case .openSSHPublicKey:
      self.init(
        "an OpenSSH public key", needed, privateKey: Self.passOtherPart,
        publicKey: "Convert it with 'ssh-keygen -e -m PKCS8 -f FILE'.")
    case .openSSHEd25519:
      // 'ssh-keygen' writes these keys in its own format only.
      self.init(
        ed25519: "an Ed25519 private key of OpenSSH", needed,
        privateKey: "Create one with 'openssl genpkey -algorithm ed25519'.",
        publicKey: "Pass the last 32 bytes of the base64 in FILE.pub as rawRepresentation.")
    case .openSSHPublicEd25519:
      self.init(
        ed25519: "an Ed25519 public key of OpenSSH", needed, privateKey: Self.passOtherPart,
        publicKey: "Pass the last 32 bytes of its base64 as rawRepresentation.")
    case .ssh2:
      self.init(
        "an SSH2 public key (RFC 4716)", needed, privateKey: Self.passOtherPart,
        publicKey: """
          Convert it with 'ssh-keygen -i -f FILE > NEW' and 'ssh-keygen -e -m PKCS8 -f NEW'.
          """)
    case .putty:
      let convert = "Convert it with 'puttygen FILE -O private-openssh -o NEW'."
      self.init("a PuTTY private key", needed, privateKey: convert, publicKey: convert)
    case .pgp:
      let useKey = "Use \(needed.name) in PEM."
      self.init("a PGP key", needed, privateKey: useKey, publicKey: useKey)
    case .webKey:
      self.init(
        "a JSON Web Key (JWK)", needed, privateKey: "Export it as PEM.",
        publicKey: "Export it as PEM.")
    case .json:
      let pass = "Pass only the value that contains the PEM."
      self.init("JSON", needed, privateKey: pass, publicKey: pass, certificate: pass)
    }
  }

  /// Unusable forms.
  private init(_ form: KeyMaterial.Form, _ needed: NeededKey) {
    let noun = needed.part == .certificate ? "certificate" : "key"
    switch form {
    case .empty:
      self.init(
        "The \(noun) is empty.",
        fix: "Check the environment variable, secret or file that it comes from.")
    case .path:
      self.init(
        "This looks like the path of a file instead of its contents.",
        fix: "Read the file, and pass its contents.")
    case .utf16: self.init("The text is in UTF-16.", fix: "Save it in UTF-8.")
    case .binaryInString:
      self.init(
        "This is binary data in a string, such as DER or PKCS #12.",
        fix: "Pass the bytes as DER, or convert the file to PEM.")
    case .base64OfPEM:
      self.init("This is PEM in base64.", fix: "Decode the base64 first.")
    case .notPEM:
      self.init(
        "This isn't PEM: there is no '-----BEGIN' line.",
        fix: "Pass the lines from '-----BEGIN' to '-----END'.")
    case .several(let count):
      let maximum = needed.part.maximumCount
      let limit = maximum > 1 ? "1 to \(maximum) \(noun)s" : "exactly one \(noun)"
      self.init("The text must contain \(limit), not \(count).", fix: "Remove the others.")
    case .cutOff(let byteCount, let expected):
      self.init(
        """
        The \(noun) is cut off: its DER encoding must be \(expected) bytes long, not \(byteCount).
        """,
        fix: "Copy or export it again.")
    }
  }

  /// Lines of PEM that aren't lines, or not those of PEM.
  private init(_ fault: KeyMaterial.PEMFault, _ needed: NeededKey) {
    switch fault {
    case .escapedLineBreaks:
      self.init(
        #"The line breaks are written as \n (a backslash and a letter)."#,
        fix: #"Replace each \n with a line break. In a shell: printf '%b' "$KEY"."#)
    case .noLineBreaks:
      self.init(
        "The line breaks of the PEM are missing.",
        fix: """
          Put one after '-----BEGIN ...-----' and one before '-----END ...-----'. In a shell, use \
          quotation marks: "$KEY".
          """)
    case .textBeforeBegin:
      self.init(
        "There is other text before '-----BEGIN' on the same line.",
        fix: "Remove it. It may be a quotation mark, or a name and '='.")
    case .hyphens:
      self.init(
        "The BEGIN line doesn't start with five hyphens.",
        fix: "Write '-----BEGIN' and '-----END' with five ASCII hyphens.")
    case .incomplete:
      self.init(
        "The '-----BEGIN' and '-----END' lines don't match, or one of them is missing.",
        fix: "Pass all lines from '-----BEGIN' to '-----END'.")
    case .notBase64:
      self.init(
        "The lines between '-----BEGIN' and '-----END' aren't base64.",
        fix: "Check for lost or changed characters, or copy them again.")
    case .label:
      self.init(
        "The label after '-----BEGIN' isn't that of \(needed.name).",
        fix: "Use '-----BEGIN \(needed.part.label)-----' and '-----END \(needed.part.label)-----'.")
    }
  }
}
