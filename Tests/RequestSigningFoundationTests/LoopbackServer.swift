// SPDX-License-Identifier: Apache-2.0
// A server on this machine that responds as a test says, and records its requests.

internal import Foundation
internal import RequestSigning
internal import S3Signing

internal import SigningTestSupport
internal import Testing

/// A server in a separate process, which ends with this value.
final class LoopbackServer {
  /// Its response.
  struct Answer: Encodable {
    var status = 200
    var headers: [String: String] = [:]
    var body = ""
    /// Other bodies, by a part of the target.
    var bodies: [String: String] = [:]
    /// The whole response as sent, with one byte for each character, instead of all of the others.
    var raw: String?
    /// The number of zeros in the body, if it isn't text.
    var zeros = 0
    /// Seconds to wait before the response.
    var wait = 0.0
    /// Seconds to wait in the middle of the body.
    var pause = 0.0
    /// The path of a file whose creation ends a wait in the middle of the body.
    var gate: String?
    /// Seconds to wait after each part of a request's body: a network that is slower than a disk.
    var slowness = 0.0
    /// What is done instead, one by chance, after a part of a request's body: close, reset, stall, early.
    var faults: [String] = []
    /// What is done after a part of the response, one by chance: close, reset, stall.
    var cuts: [String] = []
    /// The result of another request over the same connection: `close`, or `mute` for no response.
    var kept: String?
  }

  /// Its requests.
  struct Received: Decodable {
    /// The number of the connection, from 0.
    let connection: Int
    /// How many connections waited for a response when it arrived, with its own.
    let parallelCount: Int
    /// Whether what arrived has the signature that AWS's steps give under the secret `secret`.
    let isSignatureRight: Bool
    let method: String
    let target: String
    let headers: [[String]]
    let byteCount: Int
    let sha256: String
    let isWhole: Bool
    let chunkCount: Int
    /// The first 1,000 bytes of the body.
    let start: String
    /// The lines behind the last chunk.
    let trailers: String

    /// The values of all headers of a name.
    func values(_ name: String) -> [String] {
      headers.filter { $0[0].lowercased() == name }.map { $0[1] }
    }

    /// The names of the signed headers.
    var signedNames: [String] {
      let authorization = values("authorization").first ?? ""
      let part = authorization.components(separatedBy: "SignedHeaders=").last ?? ""
      return part.prefix { $0 != "," }.split(separator: ";").map { String($0) }
    }
  }

  var port: UInt16 { server.port }
  private let server: PythonServer
  private let folder: TemporaryFolder
  private var log: URL { folder.url.appendingPathComponent("log") }

  convenience init(_ answers: Answer...) throws { try self.init(inOrder: answers) }

  init(inOrder answers: [Answer]) throws {
    folder = try TemporaryFolder()
    server = try PythonServer(
      "RequestSigningFoundationTests/loopback-server.py", folder.file("log", ""),
      String(decoding: try JSONEncoder().encode(answers), as: UTF8.self))
  }

  func url(_ target: String = "/") throws -> URL {
    try #require(URL(string: "http://127.0.0.1:\(port)\(target)"))
  }

  func bucket(_ name: String = "films") throws -> SigV4.Bucket {
    try SigV4.Bucket(
      name, at: .custom(url: "http://127.0.0.1:\(port)", region: "us-east-1"), addressing: .path)
  }

  /// All requests so far, in their order.
  func received() throws -> [Received] { try PythonServer.lines(in: log) }
}
