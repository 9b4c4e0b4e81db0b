// SPDX-License-Identifier: Apache-2.0
// HTTP Message Signatures with Ed25519, for callers in C and JavaScript.

import DigitalSignatures
import MessageSignatures

/// Writes the headers to add to a request without a body, one line `name:value` each, to `output`.
///
/// `input` has a line each for the key's ID, method and URL, then one line `name:value` for each
/// header. The seed of the private key is 32 bytes long. Returns the size of the output in bytes. If
/// the request can't be signed, the output contains a message, and the result is its size as a
/// negative number.
@c(sign_message)
public func signMessage(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int, _ unixSeconds: Int64,
  _ seed: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  let bytes = UnsafeBufferPointer(start: seed, count: 32)
  guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes) else { return 0 }
  return write(input, byteCount, output, capacity) { keyID, message throws(MessageSignatureError) in
    let signer = MessageSigner(
      key: .ed25519(key), keyID: keyID, covering: [.method, .authority, .path, .query])
    let signed = try signer.sign(
      message, body: [], at: MessageSignature.Time(unixSeconds: unixSeconds))
    return signed.fields.dropFirst(message.fields.count)
      .map { $0.name + ":" + $0.value + "\n" }.joined()
  }
}

/// Writes the ID of the key that signed a request without a body to `output`. Input and result are
/// the same as in `sign_message`, but the key is a public one, and its ID is ignored.
@c(verify_message)
public func verifyMessage(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int, _ unixSeconds: Int64,
  _ publicKey: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  let bytes = UnsafeBufferPointer(start: publicKey, count: 32)
  let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
  return write(input, byteCount, output, capacity) { _, message throws(MessageSignatureError) in
    let verifier = MessageVerifier(requiring: [.method, .authority, .path, .query]) { _ in
      key.map { .ed25519($0) }
    }
    return try verifier.verify(
      message, body: [], at: MessageSignature.Time(unixSeconds: unixSeconds)
    ).keyID
  }
}

/// Writes what a function returns for the key's ID and the message of an input, or its error.
private func write(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int, _ output: UnsafeMutablePointer<UInt8>,
  _ capacity: Int, _ text: (String, HTTPMessage) throws(MessageSignatureError) -> String
) -> Int {
  var lines = InputLines(input, byteCount)
  var output = OutputText(output, capacity)
  do throws(MessageSignatureError) {
    let keyID = lines.next()
    output.append(try text(keyID, message(&lines)))
    return output.byteCount
  } catch {
    output.append(error.message)
    return -output.byteCount
  }
}

/// Method, URL and headers.
private func message(_ lines: inout InputLines) throws(MessageSignatureError) -> HTTPMessage {
  let (method, url) = (lines.next(), lines.next())
  var fields: [(name: String, value: String)] = []
  while !lines.isAtEnd { fields.append(lines.nextPair()) }
  return try HTTPMessage(method: method, url: url, fields: fields)
}

extension OutputText {
  fileprivate mutating func append(_ text: String) {
    for byte in text.utf8 { append(byte) }
  }
}
