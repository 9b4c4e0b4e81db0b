// SPDX-License-Identifier: Apache-2.0
// CloudFront's alphabet of base64: '-', '_' and '~' instead of '+', '=' and '/'.

internal import SecureHashing
internal import RequestSigning

/// Base64 with the characters that are valid in a query string.
///
/// Source: Amazon CloudFront, Developer Guide, "Create a signed URL using a custom policy".
enum CloudFrontBase64 {
  static func encode(_ bytes: some Collection<UInt8>) -> String {
    replacing(standard, with: urlSafe, in: Base64.encode(bytes).bytesInUTF8).textInUTF8
  }

  /// Decodes exactly what ``encode(_:)`` returns, or returns nil.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if text.contains(where: { standard.contains($0) }) { return nil }
    return try? Base64.decode(replacing(urlSafe, with: standard, in: Array(text)).textInUTF8)
  }

  private static func replacing(
    _ characters: [UInt8], with others: [UInt8], in text: [UInt8]
  ) -> [UInt8] {
    text.map { byte in characters.firstIndex(of: byte).map { others[$0] } ?? byte }
  }

  private static var standard: [UInt8] { [ASCIIByte.plus, ASCIIByte.equals, ASCIIByte.slash] }
  /// '-', '_' and '~'
  private static var urlSafe: [UInt8] { [0x2D, 0x5F, 0x7E] }
}
