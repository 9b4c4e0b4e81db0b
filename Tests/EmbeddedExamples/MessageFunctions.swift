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
  var lines = InputLines(input, byteCount)
  var output = OutputText(output, capacity)
  let seed = UnsafeBufferPointer(start: seed, count: 32)
  guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return 0 }
  do throws(MessageSignatureError) {
    let signer = MessageSigner(
      key: .ed25519(key), keyID: lines.next(), covering: [.method, .authority, .path, .query])
    let message = try message(&lines)
    let signed = try signer.sign(
      message, body: [], at: MessageSignature.Time(unixSeconds: unixSeconds))
    for field in signed.fields.dropFirst(message.fields.count) {
      output.append(field.name + ":" + field.value + "\n")
    }
    return output.byteCount
  } catch {
    output.append(error.message)
    return -output.byteCount
  }
}

/// Writes the ID of the key that signed a request without a body to `output`. Input and result are
/// the same as in `sign_message`, but the key is a public one, and its ID is ignored.
@c(verify_message)
public func verifyMessage(
  _ input: UnsafePointer<UInt8>, _ byteCount: Int, _ unixSeconds: Int64,
  _ publicKey: UnsafePointer<UInt8>, _ output: UnsafeMutablePointer<UInt8>, _ capacity: Int
) -> Int {
  var lines = InputLines(input, byteCount)
  var output = OutputText(output, capacity)
  let bytes = UnsafeBufferPointer(start: publicKey, count: 32)
  let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
  _ = lines.next()
  do throws(MessageSignatureError) {
    let verifier = MessageVerifier(requiring: [.method, .authority, .path, .query]) { _ in
      key.map { .ed25519($0) }
    }
    let verified = try verifier.verify(
      message(&lines), body: [], at: MessageSignature.Time(unixSeconds: unixSeconds))
    output.append(verified.keyID)
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
