// SPDX-License-Identifier: Apache-2.0
// Many objects deleted with one request for each thousand.

internal import DocumentSupport
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningSupport

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Objects that a server did not delete; all others of the call are deleted.
public struct DeletionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The objects that are still there, in the order in which the server told them.
  public let failures: [Failure]

  /// An object that was not deleted.
  public struct Failure: Hashable, Sendable {
    /// The key.
    public let key: String

    /// The server's code, such as `AccessDenied`.
    public let serverCode: String
  }

  /// How many there are, and the first one.
  public var description: String {
    let first = failures.first.map { "\(UTF8Text.quoted($0.key)) (\($0.serverCode))" } ?? ""
    return
      "the server did not delete \(failures.count) objects, the first is \(first); look up the code "
      + "of each failure for this store, and delete those again"
  }
}

extension SigningSession {
  /// Deletes the objects of keys in the session's bucket, 1,000 with each request.
  ///
  ///     try await session.delete(keys: ["a.jpg", "b.jpg"])
  ///
  /// Throws ``DeletionError`` for the objects that the server did not delete, after all others were; what
  /// ``send(_:payload:maximumByteCount:)`` throws, and `TransferError` with `unexpectedStatus`, or
  /// `bucketMissing` for a session that was made without a bucket.
  ///
  /// Source: Amazon S3, API Reference, "DeleteObjects".
  @concurrent public func delete(keys: [String]) async throws {
    let bucket = try requiredBucket()
    // An empty key would be refused by the server only after others were deleted.
    try await delete(keys.map { key throws(SigV4.SigningError) in try bucket.object(key) })
  }

  /// Deletes objects, 1,000 of a bucket with each request.
  ///
  /// Throws what ``delete(keys:)`` throws.
  @concurrent public func delete(_ objects: [SigV4.Bucket.Object]) async throws {
    var failures: [DeletionError.Failure] = []
    for (bucket, objects) in Dictionary(grouping: objects, by: \.bucket) {
      for start in stride(from: 0, to: objects.count, by: 1_000) {
        let keys = objects[start..<min(start + 1_000, objects.count)].map(\.key)
        failures += try await delete(keys, in: bucket)
      }
    }
    if !failures.isEmpty { throw DeletionError(failures: failures) }
  }

  private func delete(
    _ keys: [String], in bucket: SigV4.Bucket
  ) async throws -> [DeletionError.Failure] {
    var list = "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
    for key in keys { list += "<Object><Key>\(XMLText.escaped(key))</Key></Object>" }
    list += "<Quiet>true</Quiet></Delete>"
    // All stores take this digest; some know no other checksum.
    let request = try bucket.request(
      "POST", query: ["delete": nil],
      headers: ["content-type": "application/xml"] + SigV4.Checksum(.md5, of: list.utf8).headers)
    let answer = try await answer(
      to: Exchange(request: request, direction: .upload(.data(Data(list.utf8)))))
    try answer.expectSuccess("what was deleted")
    let fields = try answer.xmlFields(of: "deletion")
    return Dictionary(grouping: fields.filter { $0.parent == "Error" }, by: \.parentNumber)
      .sorted { $0.key < $1.key }.map { _, fields in
        func text(_ name: String) -> String { fields.first { $0.name == name }?.text ?? "" }
        return DeletionError.Failure(key: text("Key"), serverCode: text("Code"))
      }
  }

  /// The bucket that the session was made for.
  func requiredBucket() throws(TransferError) -> SigV4.Bucket {
    guard let bucket else {
      throw TransferError(
        .bucketMissing,
        "the session was made for a region and a service, so it does not know which bucket is meant; make "
          + "it with bucket.session(credentials:)")
    }
    return bucket
  }
}

/// Text in XML.
enum XMLText {
  /// The text with references in place of what XML reads otherwise (XML 1.0, 2.4), line ends among it.
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

extension LoadedAnswer {
  /// The fields of an XML document.
  func xmlFields(of what: String) throws(TransferError) -> [XMLFieldReader.Field] {
    do throws(DocumentError) {
      return try XMLFieldReader(body, atMost: 16 << 20).fields
    } catch {
      throw TransferError(
        .invalidAnswer,
        "the server's answer to the \(what) is no XML (\(error.message)); look at what answers",
        status: response.statusCode)
    }
  }
}
