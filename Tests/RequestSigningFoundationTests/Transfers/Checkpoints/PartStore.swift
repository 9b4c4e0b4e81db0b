// SPDX-License-Identifier: Apache-2.0
// An object store in memory that knows uploads in parts, and lies, loses and repeats as a test says.

internal import CredentialProviders
internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing

@testable internal import RequestSigningFoundation

/// An object store. Its methods are those of Amazon S3's API Reference that uploads in parts need.
actor PartStore {
  /// What stores do differently.
  struct Laws {
    /// Without it, an ETag is a random name, as with SSE-KMS.
    var eTagIsMD5 = true
    var quotesETags = true
    /// The checksum that is listed and returned, if the upload began with it.
    var listsChecksums = true
    var pageLength = 1_000
    var ignoresMarker = false
    /// What becomes of an upload that was completed.
    var afterCompletion = AfterCompletion.gone("NoSuchUpload")
    /// Cloudflare R2: all parts but the last have one size.
    var requiresEqualParts = false
  }

  enum AfterCompletion {
    /// 404 with this code: Amazon S3 and MinIO, or the Ceph Object Gateway with NoSuchKey.
    case gone(String)
    /// OpenStack Swift: it can be listed and completed again.
    case stays
  }

  /// What happens to a request instead of the right response.
  enum Fault {
    /// It doesn't arrive.
    case lost
    /// It's processed, but its response doesn't arrive.
    case unanswered
    /// Another response.
    case response(Int, String)
    /// Another response, after it was processed.
    case processed(Int, String)
    /// No response until the task is cancelled.
    case silence
    /// Something else happens before it.
    case after(@Sendable () throws -> Void)
  }

  struct Lost: Error {}

  struct Upload {
    var parts: [Int: [UInt8]] = [:]
    var eTags: [Int: String] = [:]
    var algorithm: SigV4.Checksum.Algorithm?
    var isComposite = false
    var isComplete = false
  }

  struct Object {
    var bytes: [UInt8]
    var eTag: String
    var checksum: SigV4.Headers = [:]
  }

  var laws = Laws()
  private(set) var uploads: [String: Upload] = [:]
  var objects: [String: Object] = [:]
  /// The operations so far, such as `begin`, `part 3`, `list 0`, `complete`, `head`, `abort`, `put`.
  private(set) var log: [String] = []
  private(set) var requests: [SigV4.HTTPRequest] = []
  private var faults: [String: [Int: Fault]] = [:]
  private var counts: [String: Int] = [:]

  /// Sets what happens to an operation, by default the first of its kind from now on.
  func on(_ operation: String, _ fault: Fault, at number: Int = 1) {
    faults[operation, default: [:]][counts[operation, default: 0] + number] = fault
  }

  func forget() {
    log = []
    requests = []
    faults = [:]
  }

  func set(_ change: @Sendable (inout Laws) -> Void) { change(&laws) }

  func replace(part number: Int, with bytes: [UInt8]) {
    for id in uploads.keys { put(bytes, number, id) }
  }

  func replace(_ key: String, _ object: Object?) { objects[key] = object }

  func remove(_ id: String) { uploads[id] = nil }

  func respond(to request: SigV4.HTTPRequest) async throws -> SigV4.HTTPResponse {
    let parts = request.url.split(separator: "?", maxSplits: 1).map(String.init)
    let key = parts[0].split(separator: "/").last.map(String.init) ?? ""
    var query: [String: String] = [:]
    for pair in parts.dropFirst().joined().split(separator: "&") {
      let pair = pair.split(separator: "=", maxSplits: 1).map(String.init)
      query[pair[0]] = pair.count > 1 ? pair[1] : ""
    }
    let operation = Self.operation(request.method, query)
    log.append(operation)
    requests.append(request)
    counts[operation, default: 0] += 1
    let fault = faults[operation]?.removeValue(forKey: counts[operation, default: 0])
    switch fault {
    case .lost: throw Lost()
    case .response(let status, let body): return response(status, body)
    case .silence:
      try await Task.sleep(for: .seconds(3_600))
      throw Lost()
    case .after(let change): try change()
    case .unanswered, .processed, nil: break
    }
    let response = process(request, key, query)
    switch fault {
    case .unanswered: throw Lost()
    case .processed(let status, let body): return self.response(status, body)
    default: return response
    }
  }

  private static func operation(_ method: String, _ query: [String: String]) -> String {
    switch (method, query["partNumber"], query["uploadId"]) {
    case ("POST", _, nil): "begin"
    case ("POST", _, _): "complete"
    case ("PUT", let number?, _): "part " + number
    case ("PUT", nil, _): "put"
    case ("GET", _, _): "list " + (query["part-number-marker"] ?? "0")
    case ("DELETE", _, _): "abort"
    default: "head"
    }
  }

  private func response(
    _ status: Int, _ body: String = "", _ headers: SigV4.Headers = [:]
  ) -> SigV4.HTTPResponse {
    SigV4.HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
  }

  private func failure(_ status: Int, _ code: String) -> SigV4.HTTPResponse {
    response(status, "<Error><Code>\(code)</Code></Error>")
  }

  private func process(
    _ request: SigV4.HTTPRequest, _ key: String, _ query: [String: String]
  ) -> SigV4.HTTPResponse {
    guard let id = query["uploadId"] else {
      switch request.method {
      case "POST": return begin(request)
      case "PUT":
        objects[key] = Object(bytes: request.body, eTag: eTag(request.body))
        return response(200, "", ["ETag": objects[key]?.eTag ?? ""])
      default: return head(key)
      }
    }
    guard let upload = uploads[id] else { return failure(404, "NoSuchUpload") }
    if upload.isComplete, case .gone(let code) = laws.afterCompletion { return failure(404, code) }
    switch request.method {
    case "PUT":
      let number = Int(query["partNumber"] ?? "") ?? 0
      put(request.body, number, id)
      return response(200, "", ["ETag": uploads[id]?.eTags[number] ?? ""])
    case "GET": return list(id, after: Int(query["part-number-marker"] ?? "0") ?? 0)
    case "DELETE":
      uploads[id] = nil
      return response(204)
    default: return complete(request, key, id)
    }
  }

  private func eTag(_ bytes: [UInt8]) -> String {
    let name =
      laws.eTagIsMD5
      ? Hexadecimal.encode(SigV4.Checksum(.md5, of: bytes).bytes) : "kms-\(requests.count)-name"
    return laws.quotesETags ? "\"\(name)\"" : name
  }

  private func begin(_ request: SigV4.HTTPRequest) -> SigV4.HTTPResponse {
    let id = "upload\(uploads.count + 1)"
    uploads[id] = Upload(
      algorithm: SigV4.Checksum.Algorithm.all.first {
        $0.name == request.headers["x-amz-checksum-algorithm"]
      }, isComposite: request.headers["x-amz-checksum-type"] == "COMPOSITE")
    return response(
      200,
      "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>"
    )
  }

  private func put(_ bytes: [UInt8], _ number: Int, _ id: String) {
    uploads[id]?.parts[number] = bytes
    uploads[id]?.eTags[number] = eTag(bytes)
  }

  private func list(_ id: String, after marker: Int) -> SigV4.HTTPResponse {
    guard let upload = uploads[id] else { return failure(404, "NoSuchUpload") }
    let start = laws.ignoresMarker ? 0 : marker
    let numbers = upload.parts.keys.sorted().filter { $0 > start }.prefix(laws.pageLength)
    let isTruncated = upload.parts.keys.contains { $0 > numbers.last ?? .max }
    var list =
      "<ListPartsResult><UploadId>\(id)</UploadId><IsTruncated>\(isTruncated)</IsTruncated>"
    if isTruncated { list += "<NextPartNumberMarker>\(numbers.last ?? 0)</NextPartNumberMarker>" }
    list += "<Initiator><ID>someone</ID></Initiator>"
    for number in numbers {
      let bytes = upload.parts[number] ?? []
      list += "<Part><PartNumber>\(number)</PartNumber><Size>\(bytes.count)</Size>"
      list += "<ETag>\(upload.eTags[number] ?? "")</ETag>"
      if laws.listsChecksums, let algorithm = upload.algorithm {
        let checksum = SigV4.Checksum(algorithm, of: bytes).text
        list += "<Checksum\(algorithm.name)>\(checksum)</Checksum\(algorithm.name)>"
      }
      list += "</Part>"
    }
    return response(200, list + "</ListPartsResult>")
  }

  private func complete(
    _ request: SigV4.HTTPRequest, _ key: String, _ id: String
  ) -> SigV4.HTTPResponse {
    guard let upload = uploads[id] else { return failure(404, "NoSuchUpload") }
    let text = String(decoding: request.body, as: UTF8.self)
    let numbers = text.components(separatedBy: "<PartNumber>").dropFirst().compactMap {
      Int($0.prefix { $0 != "<" })
    }
    let tags = text.components(separatedBy: "<ETag>").dropFirst().map {
      $0.prefix { $0 != "<" }.replacingOccurrences(of: "&quot;", with: "\"")
    }
    var bytes: [UInt8] = []
    var digests: [UInt8] = []
    for (number, tag) in zip(numbers, tags) {
      guard let part = upload.parts[number], upload.eTags[number] == tag else {
        return failure(400, "InvalidPart")
      }
      if laws.requiresEqualParts, number != numbers.last, part.count != upload.parts[1]?.count {
        return failure(400, "InvalidPart")
      }
      bytes += part
      digests += SigV4.Checksum(.md5, of: part).bytes
    }
    if request.headers["if-none-match"] == "*", objects[key] != nil {
      return failure(412, "PreconditionFailed")
    }
    let digest = Hexadecimal.encode(SigV4.Checksum(.md5, of: digests).bytes)
    let name = laws.eTagIsMD5 ? "\"\(digest)-\(numbers.count)\"" : "\"kms-name-of-all\""
    objects[key] = Object(
      bytes: bytes, eTag: name,
      checksum: checksum(upload, numbers, bytes))
    uploads[id]?.isComplete = true
    return response(
      200,
      "<CompleteMultipartUploadResult><ETag>\(name)</ETag></CompleteMultipartUploadResult>")
  }

  private func head(_ key: String) -> SigV4.HTTPResponse {
    guard let object = objects[key] else { return response(404) }
    return response(200, "", ["ETag": object.eTag] + object.checksum)
  }

  private func checksum(_ upload: Upload, _ numbers: [Int], _ bytes: [UInt8]) -> SigV4.Headers {
    guard let algorithm = upload.algorithm else { return [:] }
    if !upload.isComposite { return SigV4.Checksum(algorithm, of: bytes).headers }
    let parts = numbers.map { SigV4.Checksum(algorithm, of: upload.parts[$0] ?? []) }
    return [algorithm.headerName: (try? SigV4.Checksum.composite(of: parts)) ?? ""]
  }
}
