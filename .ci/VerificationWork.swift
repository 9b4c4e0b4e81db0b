// SPDX-License-Identifier: Apache-2.0
// Requests of 1 MiB at a verifier: plain ones, and those that are made to be expensive. check-verification-work counts
// the instructions of each, from the received bytes to the verdict and its answer.
//
// `VerificationWork` prints name and verdict of each request, in the order in which they are measured.

import RequestVerification
import S3Signing
import SecureHashing

/// A request by its name, which begins with the plain one that it is compared with, and its verdict.
nonisolated(unsafe) var requests: [(name: String, verdict: () -> String)] = []

/// What valgrind counts; it finds the function by its name.
@inline(never)
func verifyRequest(_ index: Int) { print(requests[index].name, requests[index].verdict()) }

let server = try Server()
let standard = try SigV4.Service.standard("service")

/// Measures a request that was signed, if it can be.
func add(
  _ name: String, _ received: Received, _ service: SigV4.Service = .s3, without none: String = ""
) {
  let verifier = server.verifier(service)
  let signed = none.isEmpty ? received : server.signed(received, none, verifier)
  let bytes = ReceivedBytes(signed)
  requests.append((name, { server.verdict(of: bytes, signed.body, verifier) }))
}

/// A request that is signed in its headers: all those that `make` adds, but for names that begin as `unsigned`.
func addHeaders(
  _ name: String, _ service: SigV4.Service = .s3, regions: String? = nil, credential: String = "",
  signedHeaders: String? = nil, unsigned: String = "-", payload: String? = nil,
  _ make: (inout Received) -> Void = { _ in }
) {
  var received = Received()
  make(&received)
  if payload == nil { received.fill() }
  received.append("x-amz-date", server.now.text)
  received.append(
    "x-amz-content-sha256", payload ?? SHA256.hash(data: received.body).hexString)
  if let regions { received.append("x-amz-region-set", regions) }
  let all = Set(received.headers.map { $0.name.lowercased() })
  let names = all.filter { !$0.hasPrefix(unsigned) }.sorted {
    $0.utf8.lexicographicallyPrecedes($1.utf8)
  }
  let (algorithm, scope, none) =
    regions == nil
    ? ("AWS4-HMAC-SHA256", "20150830/us-east-1/\(service.name)", noCode)
    : ("AWS4-ECDSA-P256-SHA256", "20150830/\(service.name)", noSignature)
  received.append(
    "Authorization",
    "\(algorithm) Credential=\(credential)AKIDEXAMPLE/\(scope)/aws4_request, SignedHeaders="
      + (signedHeaders ?? names.joined(separator: ";")) + ", Signature=" + none)
  add(name, received, service, without: none)
}

/// A request that is signed in its URL.
func addURL(
  _ name: String, _ service: SigV4.Service = .s3, regions: String? = nil, query: String = "",
  signedHeaders: String = "host", _ make: (inout Received) -> Void = { _ in }
) {
  var received = Received()
  make(&received)
  received.fill()
  let (algorithm, scope, none) =
    regions == nil
    ? ("AWS4-HMAC-SHA256", "20150830%2Fus-east-1%2F\(service.name)", noCode)
    : ("AWS4-ECDSA-P256-SHA256", "20150830%2F\(service.name)", noSignature)
  let parameters = [
    "X-Amz-Algorithm=\(algorithm)", "X-Amz-Credential=AKIDEXAMPLE%2F\(scope)%2Faws4_request",
    "X-Amz-Content-Sha256=" + SHA256.hash(data: received.body).hexString,
    "X-Amz-Date=\(server.now.text)", "X-Amz-Expires=3600", "X-Amz-SignedHeaders=\(signedHeaders)",
    "X-Amz-Signature=" + none,
  ]
  let set = regions.map { ["X-Amz-Region-Set=" + $0] } ?? []
  received.target += "?" + query + (parameters + set).joined(separator: "&")
  add(name, received, service, without: none)
}

/// A form with a policy of these conditions, in JSON, and a file of 1 MiB.
func addForm(
  _ name: String, _ conditions: String, _ fields: [(String, String)], fileName: String = "a.jpg",
  checksum isThere: Bool = false
) throws {
  let file = [UInt8](repeating: 0, count: mebibyte)
  var (conditions, fields) = (conditions, fields)
  if isThere {
    let checksum = SigV4.Checksum(.sha256, of: file)
    conditions += #", ["starts-with", "$x-amz-checksum-sha256", ""]"#
    fields.append(("x-amz-checksum-sha256", checksum.text))
  }
  let credential = "AKIDEXAMPLE/20150830/us-east-1/s3/aws4_request"
  let document = Base64.encode(
    Array(
      """
      {"expiration": "2015-08-30T13:00:00Z", "conditions": [\(conditions), {"bucket": "b"},
      {"key": "a"}, {"x-amz-algorithm": "AWS4-HMAC-SHA256"}, {"x-amz-credential": "\(credential)"},
      {"x-amz-date": "\(server.now.text)"}]}
      """.utf8))
  let key = SigV4.SigningKey(
    server.credentials, scope: try SigV4.CredentialScope("20150830/us-east-1/s3/aws4_request")
  ).key
  let signature = HMAC<SHA256>.authenticationCode(for: document.utf8, using: key)
  fields += [
    ("key", "a"), ("x-amz-algorithm", "AWS4-HMAC-SHA256"), ("x-amz-credential", credential),
    ("x-amz-date", server.now.text), ("policy", document),
    ("x-amz-signature", Hexadecimal.encode(Array(signature))),
  ]
  let verifier = server.verifier(.s3)
  let request = SigV4.ReceivedRequest("POST", target: "/".utf8, scheme: .https)
  let received = fields.map { (Array($0.0.utf8), Array($0.1.utf8)) }
  requests.append(
    (
      name,
      {
        do throws(SigV4.VerificationError) {
          var form = SigV4.ReceivedForm(request, bucket: "b")
          for field in received { form.append(field.0, field.1) }
          form.fileName = fileName
          let unverified = try verifier.check(form, at: server.now)
          return
            "accepted, \(try unverified.verify(with: server.credentials).file(file).count) bytes"
        } catch {
          return server.refused(error)
        }
      }
    ))
}

/// A body in chunks of one size, of which the signer makes those that it allows.
func addChunks(
  _ name: String, chunkByteCount: Int, trailers: [SigV4.ChunkTrailer] = [], isSigned: Bool = true,
  end: String? = nil
) throws {
  let body = [UInt8](repeating: 0x61, count: mebibyte)
  let size = max(8_192, chunkByteCount)
  let upload: SigV4.ChunkedUpload =
    isSigned
    ? try .signed(decodedByteCount: body.count, chunkByteCount: size, trailers: trailers)
    : try .unsigned(decodedByteCount: body.count, chunkByteCount: size, trailers: trailers)
  let request = try SigV4.Request("PUT", url: "https://bucket.example.com/a").uploading(upload)
  let signer = try SigV4.Signer(credentials: server.credentials, region: "us-east-1", service: .s3)
  let signed = try signer.sign(request, at: server.now)
  var received = Received()
  for header in signed.headers { received.append(header.name, header.value) }
  if chunkByteCount < 8_192 {
    let chunk =
      String(chunkByteCount, radix: 16) + "\r\n" + String(repeating: "a", count: chunkByteCount)
    received.body = Array(
      String(repeating: chunk + "\r\n", count: mebibyte / (chunk.utf8.count + 2)).utf8)
  } else {
    var chunks = try SigV4.ChunkSigner(upload, following: signed, by: signer)
    try chunks.update(body, into: &received.body)
    let checksums = trailers.compactMap { trailer in
      SigV4.Checksum.Algorithm.all.first { $0.headerName == trailer.name }
    }.map { SigV4.Checksum($0, of: body).headers }
    try chunks.finish(trailers: checksums.reduce([:]) { $0 + $1 }, into: &received.body)
  }
  if let end { received.body = received.body.dropLast(2) + Array(end.utf8) }
  add(name, received)
}

// ------------------------------------------------------------------------------------ the requests

/// What is left of the bytes that a head may have, beside what every request has.
let rest = SigV4.ReceivedRequest.maximumByteCount - 1_500
let fieldCount = rest / 40
func times(_ text: String, _ count: Int = rest) -> String {
  String(repeating: text, count: count / text.utf8.count)
}

// Plain ones come first.
addHeaders("header") { $0.append("content-type", "text/plain") }
addURL("url")
addHeaders("sigv4a", regions: "*")
try addForm("form", #"{"acl": "private"}"#, [("acl", "private")], checksum: true)
try addChunks("chunks", chunkByteCount: 65_536, trailers: [.checksumCRC32])

// Headers: one that is large, many that are small, and values that have to be folded.
for (name, value) in [
  ("large", times("a")), ("spaces", times("a  ")), ("tabs", times("\t")), ("words", times("a b ")),
  ("bytes beyond ASCII", times("é")), ("too large", times("a", mebibyte)),
] {
  addHeaders("header: \(name)") { $0.append("x-amz-meta-a", value) }
  addHeaders("header: \(name), unsigned", unsigned: "zz") { $0.append("zz", value) }
}
for (name, count) in [("many", fieldCount), ("a great many", 250_000)] {
  addHeaders("header: \(name) of one name", unsigned: "a") { received in
    for _ in 0..<count { received.append("a", "") }
  }
  addHeaders("header: \(name) in falling order", unsigned: "a") { received in
    for index in 0..<count { received.append("a\(999_999 - index)", "") }
  }
}
addHeaders("header: many that are signed") { received in
  for index in 0..<(fieldCount / 2) { received.append("x-\(9_999 - index)", "") }
}
addHeaders("header: many that are signed and repeated") { received in
  for index in 0..<(rest / 50) { received.append("x-amz-meta-\(index % 2)", "a") }
}
addHeaders("header: many that have to be signed and aren't", unsigned: "x-amz-cf") {
  for index in 0..<(rest / 50) { $0.append("x-amz-cf-\(index)", "") }
}
for name in ["Authorization", "host", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token"]
{
  addHeaders("header: \(name) many times") { received in
    for _ in 0..<(rest / 60) { received.append(name, "a") }
  }
}

// The parts of a signature.
addHeaders("header: a credential of slashes", credential: times("/"))
addHeaders("header: a long credential", credential: times("a"))
addHeaders("header: signed headers that are semicolons", signedHeaders: times(";"))
addHeaders(
  "header: signed headers that aren't sent",
  signedHeaders: "host;"
    + (100_000..<(100_000 + rest / 8))
    .map { "i\($0)" }.joined(separator: ";") + ";x-amz-content-sha256;x-amz-date")
addHeaders(
  "header: a long signed header that isn't sent",
  signedHeaders: "host;i" + times("i")
    + ";x-amz-content-sha256;x-amz-date")
addHeaders("header: commas in Authorization", signedHeaders: "host" + times(","))

// Paths and queries, which grow when they are encoded.
for service in [SigV4.Service.s3, standard] {
  for piece in [
    "a", "/", "//a", "/.", "/..", "/a/../b", "%", "%2", "%25", "%41", "%2f", "*", "é", "+", "~",
    "\"",
  ] {
    addHeaders("header: \(service.name), path of \(piece)", service) {
      $0.target = "/" + times(piece)
    }
    addHeaders("header: \(service.name), query of \(piece)", service) {
      $0.target = "/?a=" + times(piece)
    }
  }
  for (name, piece) in [("small", "a&"), ("empty", "&"), ("nameless", "=&"), ("equal", "a=b&")] {
    addHeaders("header: \(service.name), many \(name) parameters", service) {
      $0.target = "/?" + times(piece, fieldCount * piece.utf8.count)
    }
    addURL(
      "url: \(service.name), many \(name) parameters", service,
      query: times(piece, (fieldCount - 20) * piece.utf8.count))
    addHeaders("header: \(service.name), a great many \(name) parameters", service) {
      $0.target = "/?" + times(piece, mebibyte)
    }
  }
  addHeaders("header: \(service.name), parameters in falling order", service) {
    $0.target = "/?" + (0..<fieldCount).map { "\(9_999 - $0)" }.joined(separator: "&")
  }
  addHeaders("header: \(service.name), a long path", service) {
    $0.target = "/" + times("a", mebibyte)
  }
}
addURL("url: signed headers that aren't sent", signedHeaders: "host" + times("%3Bi"))
addURL("url: parameters of a signature", query: times("X-Amz-Signature=a&"))
addURL("url: a wrong signature of a long request", query: "a=" + times("%01") + "&X-Amz-Meta=0&")
addURL("url: a long header", signedHeaders: "host%3Bx-amz-meta-a") {
  $0.append("x-amz-meta-a", times("a b "))
}

// Sets of regions.
for (name, set) in [
  ("a list", times("a,", 120) + "us-east-1"), ("stars", times("*a,", 180) + "us-east-1"),
  ("words between stars", times("*r*e*g*i*o*n*x,", 940) + "us-east-1"),
  ("one pattern", times("*-", 1_000) + "x,us-east-1"), ("a long list", times("a,")),
  ("a long pattern", times("*a")), ("a great list", times("a,", mebibyte - 2_048)),
] {
  addHeaders("sigv4a: \(name)", regions: set)
  addHeaders("sigv4a: \(name), unsigned", regions: set, unsigned: "x-amz-region-set")
  addURL("sigv4a: \(name), in a URL", regions: set)
}

// Forms.
let types = #"["starts-with", "$Content-Type", "a"]"#
for (name, fileName) in [
  ("slashes", times("/", mebibyte)), ("backslashes", times("\\", mebibyte)),
  ("a long name", times("a", mebibyte)), ("bytes beyond ASCII", times("é", 1_024)),
] {
  try addForm("form: a file name of \(name)", types, [("Content-Type", "a")], fileName: fileName)
}
try addForm("form: a list of types", types, [("Content-Type", times(",a", 10_000))])
try addForm(
  "form: many conditions on a list of types",
  [String](repeating: types, count: 180).joined(separator: ","),
  [("Content-Type", "a" + times(",a", 6_000))])
try addForm(
  "form: many conditions", (0..<600).map { #"{"\#($0)":""}"# }.joined(separator: ","),
  (0..<600).map { ("\($0)", "") })
try addForm(
  "form: many fields", types, [("Content-Type", "a")] + (0..<1_100).map { ("x-ignore-\($0)", "") })
try addForm(
  "form: the name of the file in many places", types,
  [("Content-Type", "a"), ("x-ignore-a", times("${filename}", 15_000))], fileName: "b")
try addForm(
  "form: dollars", types, [("Content-Type", "a"), ("x-ignore-a", times("$", 15_000))])
try addForm("form: a deep policy", times("[", 9_000), [])
try addForm("form: too many fields", types, (0..<100_000).map { ("\($0)", "") })

// Bodies in chunks.
try addChunks("chunks: small", chunkByteCount: 8_192, trailers: [.checksumCRC32])
try addChunks("chunks: SHA-256 beside it", chunkByteCount: 65_536, trailers: [.checksumSHA256])
try addChunks(
  "chunks: unsigned", chunkByteCount: 8_192, trailers: [.checksumSHA256], isSigned: false)
try addChunks(
  "chunks: one byte each", chunkByteCount: 1, trailers: [.checksumCRC32], isSigned: false)
try addChunks(
  "chunks: 4 KiB each", chunkByteCount: 4_096, trailers: [.checksumCRC32], isSigned: false)
try addChunks(
  "chunks: many trailers", chunkByteCount: 65_536, trailers: [.checksumCRC32], isSigned: false,
  end: times("a:\r\n", 16_000) + "\r\n")
addHeaders("chunks: many names of trailers", payload: "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER")
{
  $0.append("x-amz-decoded-content-length", "1")
  $0.append("x-amz-trailer", (0..<10_000).map { "\(99_999 - $0)" }.joined(separator: ","))
}

for index in requests.indices { verifyRequest(index) }
