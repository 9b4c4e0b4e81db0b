// SPDX-License-Identifier: Apache-2.0
// The same bytes in memory, in a file and in a part of a file: what is signed, and what is sent.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SecureHashing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct BodyTests {
  private let folder: TemporaryFolder
  private let file: URL
  /// FIPS 180-4, "SHA-256 Example (One-Block Message)": "abc".
  private let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("body")
    try Data("--abc--".utf8).write(to: file)
  }

  /// "abc" as bytes, as a slice of them, as a file, as a part of one, and as a part of a part.
  private func bodies() throws -> [Body] {
    let whole = folder.url.appendingPathComponent("whole")
    try Data("abc".utf8).write(to: whole)
    let slice = Data("--abc--".utf8)[2..<5]
    return [
      Body(Data("abc".utf8)), Body(slice), Body(Data("--abc--".utf8)).part(2..<5),
      try Body(whole).measured(), try Body(file).measured().part(2..<5),
      try Body(file).measured().part(1..<6).part(1..<4),
    ]
  }

  @Test("Bytes, a file and its parts have one digest and one size, and are read again")
  func sameBytes() throws {
    for body in try bodies() {
      #expect(body.byteCount == 3)
      let signed = try body.digest(.crc32)
      #expect(signed.payload == .digest(try SHA256.Digest(hexString: digest)))
      // The CRC-32 of "abc" is 0x352441C2: RFC 1952, 8, by Python's zlib.crc32.
      #expect(signed.headers == [SigV4.Header("x-amz-checksum-crc32", "NSRBwg==")])
      #expect(try body.checksum(.crc32).text == "NSRBwg==")
      for _ in 0..<2 { #expect(try body.bytes() == Array("abc".utf8)) }
    }
  }

  @Test("A file that became shorter or longer after it was measured isn't sent")
  func changedFiles() throws {
    for text in ["--abc", "--abc-----"] {
      let body = try Body(file).measured()
      let part = body.part(2..<7)
      try Data(text.utf8).write(to: file)
      #expect(throws: TransferError.self) { try body.bytes() }
      #expect(throws: TransferError.self) { try body.checkFile() }
      // A part ends where it was announced, and the last one is checked with the file.
      if text.utf8.count < 7 {
        let error = #expect(throws: TransferError.self) { try part.bytes() }
        #expect(error?.code == .invalidFile)
      }
      try Data("--abc--".utf8).write(to: file)
    }
  }

  // URLSession on Apple platforms sends a file with its length, and a stream without.
  @Test("An upload task sends a file itself, and a part of it from a private temporary file")
  func uploadFiles() throws {
    #expect(try BodyFile(Body(Data("abc".utf8))) == nil)
    let whole = try #require(try BodyFile(Body(file).measured()))
    #expect(whole.location == file)
    whole.remove()
    #expect(try Data(contentsOf: file) == Data("--abc--".utf8))
    let part = try #require(try BodyFile(Body(file).measured().part(2..<5)))
    #expect(try Data(contentsOf: part.location) == Data("abc".utf8))
    let attributes = try FileManager.default.attributesOfItem(atPath: part.location.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    part.remove()
    #expect(!FileManager.default.fileExists(atPath: part.location.path))
  }

  @Test("A failed temporary file is removed")
  func failedFile() throws {
    let body = try Body(file).measured().part(2..<7)
    try Data("--".utf8).write(to: file)
    let before = try temporaryFiles()
    #expect(throws: TransferError.self) { try BodyFile(body) }
    #expect(try temporaryFiles().subtracting(before).isEmpty)
  }

  private func temporaryFiles() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path)
    return Set(names.filter { $0.hasPrefix("upload-") })
  }

  @Test("A URLRequest's body is its bytes, its stream, or unknown if only its payload is given")
  func requestBodies() throws {
    var request = URLRequest(url: try #require(URL(string: "https://example.com/")))
    #expect(Body(of: request, nil).content == .bytes(Data()))
    #expect(Body(of: request, .unsigned).content == .unknown)
    request.httpBody = Data("abc".utf8)
    #expect(Body(of: request, .unsigned).content == .bytes(Data("abc".utf8)))
    request.httpBody = nil
    request.httpBodyStream = InputStream(data: Data("abc".utf8))
    #expect(Body(of: request, .unsigned).content == .stream)
    #expect(Body(of: request, nil).byteCount == nil)
  }
}
