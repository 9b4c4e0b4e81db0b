// SPDX-License-Identifier: Apache-2.0
// Deletes many objects, up to 1,000 per request.

internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import S3Signing

/// An error that lists the objects that couldn't be deleted. All others of the call were deleted.
public struct DeletionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The objects that weren't deleted, in the order of the server's response.
  public let failures: [Failure]

  /// An object that wasn't deleted.
  public struct Failure: Hashable, Sendable {
    /// The key.
    public let key: String

    /// The server's error code, such as `AccessDenied`.
    public let serverCode: String

    /// The server's explanation, empty if it sent none.
    public let serverMessage: String
  }

  /// The number of objects that weren't deleted, and the first one.
  public var problem: String {
    let first = failures.first.map { "\(UTF8Text.quoted($0.key)) (\($0.serverCode))" } ?? ""
    return "The server didn't delete \(failures.count) of the objects. The first one is \(first)."
  }

  /// How to fix it.
  public var fix: String {
    "Fix the cause, such as a missing permission, then call delete again for these objects."
  }

  /// The problem and its fix.
  public var message: String { problem + " " + fix }

  /// The message.
  public var description: String { message }
}

extension SigningSession {
  /// Deletes objects of the session's bucket, up to 1,000 per request.
  ///
  ///     try await session.delete(keys: ["a.jpg", "b.jpg"])
  ///
  /// - Throws: ``DeletionError`` if some objects couldn't be deleted, after it has tried all of
  ///   them. If a request itself fails, the next ones aren't sent, and it throws the request's
  ///   error. Call it again with all keys. Throws the errors of
  ///   ``send(_:payload:maximumByteCount:)``, and `TransferError` with `unexpectedStatus`,
  ///   `invalidResponse`, or `bucketMissing` if the session wasn't created by a bucket.
  ///
  /// Source: Amazon S3, API Reference, "DeleteObjects".
  @concurrent public func delete(keys: [String]) async throws {
    let bucket = try requiredBucket()
    // Rejects an empty key before anything is deleted.
    try await delete(keys.map { key throws(SigV4.SigningError) in try bucket.object(key) })
  }

  /// Deletes objects, up to 1,000 per request and bucket. A key that XML can't represent is deleted
  /// in its own request.
  ///
  /// - Throws: The errors of ``delete(keys:)``, except for `bucketMissing`.
  @concurrent public func delete(_ objects: [SigV4.Bucket.Object]) async throws {
    var failures: [DeletionError.Failure] = []
    let inLists = objects.filter { XMLText.canHold($0.keyBytes) }
    for (bucket, objects) in Dictionary(grouping: inLists, by: \.bucket) {
      for start in stride(from: 0, to: objects.count, by: 1_000) {
        let keys = objects[start..<min(start + 1_000, objects.count)].map(\.key)
        failures += try await delete(keys, in: bucket)
      }
    }
    for object in objects where !XMLText.canHold(object.keyBytes) { try await delete(object) }
    if !failures.isEmpty { throw DeletionError(failures: failures) }
  }

  private func delete(
    _ keys: [String], in bucket: SigV4.Bucket
  ) async throws -> [DeletionError.Failure] {
    var list = "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for key in keys { list += "<Object><Key>\(XMLText.escaped(key))</Key></Object>" }
    list += "<Quiet>true</Quiet></Delete>"
    // Every store accepts MD5 here. Some accept nothing else.
    let request = try bucket.request(
      "POST", query: ["delete": nil],
      headers: ["content-type": "application/xml"]
        + SigV4.Checksum(.contentMD5, of: list.utf8).headers)
    let answer = try await answer(
      to: Exchange(
        request: request, direction: .upload(Body(Data(list.utf8)), .hashed),
        expected: .document(root: ["DeleteResult"])))
    let fields = try answer.document("the deletion result").fields
    return Dictionary(grouping: fields.filter { $0.parent == "Error" }, by: \.parentNumber)
      .sorted { $0.key < $1.key }.map { _, fields in
        func text(_ name: String) -> String { fields.first { $0.name == name }?.text ?? "" }
        return DeletionError.Failure(
          key: text("Key"), serverCode: text("Code"), serverMessage: text("Message"))
      }
  }

  /// The bucket that created the session.
  func requiredBucket() throws(TransferError) -> SigV4.Bucket {
    guard let bucket else {
      throw TransferError(
        .bucketMissing,
        "This call needs a bucket, but the session was created with only a region and a service.",
        fix: "Use bucket.session(credentials:), or pass the bucket or its objects.")
    }
    return bucket
  }
}

/// Conversion of strings to XML.
enum XMLText {
  /// Whether the bytes are UTF-8, and XML allows all of the characters (XML 1.0, 2.2).
  static func canHold(_ bytes: [UInt8]) -> Bool {
    // Invalid bytes are replaced. String(validating:as:) requires macOS 15 and iOS 18.
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x9, 0xA, 0xD: true
      case 0xFFFE, 0xFFFF: false
      default: scalar.value >= 0x20
      }
    }
  }

  /// Escapes markup, tabs and newlines (XML 1.0, 2.4 and 2.11).
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\r", "\n", "\t": escaped += "&#\(scalar.value);"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
