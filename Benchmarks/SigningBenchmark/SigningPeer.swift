// SPDX-License-Identifier: Apache-2.0
// Signers of other projects, each in a separate process that runs the loop itself.

internal import BenchmarkSupport
internal import Foundation
internal import RequestSigning
internal import SecureHashing

/// A process that signs on command. Its start isn't measured.
final class SigningPeer {
  let name: String
  let version: String

  private let process = Process()
  private let commands = Pipe()
  private let answers = Pipe()
  private var unread: [UInt8] = []

  /// Those who are found, and why the others are not.
  static func find() -> (peers: [SigningPeer], absences: [String]) {
    var (peers, absences): ([SigningPeer], [String]) = ([], [])
    // If the process ended, the write fails.
    signal(SIGPIPE, SIG_IGN)
    for name in ["botocore", "awscrt", "aws-c-auth"] {
      do {
        peers.append(try SigningPeer(name, ["python3", script, name]))
      } catch {
        absences.append("\(name) is left out: \(error.description)")
      }
    }
    return (peers, absences)
  }

  /// The first response is the version, or names a missing library.
  init(_ name: String, _ command: [String]) throws(BenchmarkError) {
    self.name = name
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardInput = commands
    process.standardOutput = answers
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .failure("no process can be started: \(error)")
    }
    let line = Self.nextLine(answers, &unread)
    guard let line, let greeting = try? JSONDecoder().decode(Greeting.self, from: line) else {
      throw .failure("'\(command.joined(separator: " "))' doesn't run")
    }
    guard let version = greeting.version else {
      throw .failure("\(command[0]) says: \(greeting.absence ?? "nothing")")
    }
    self.version = version
  }

  /// Signs a request as often as asked, for a set of regions where there is one.
  func contender(
    _ task: SigningTask, regionSet: String? = nil,
    baseline: String = HashBlocks.nameWithDerivation,
    output: @escaping ([UInt8]) -> [UInt8] = { $0 }
  ) -> Contender {
    let last = LastOutput<[UInt8]>()
    return Contender(
      name: name, baseline: baseline,
      timed: { repetitions throws(BenchmarkError) in
        let answer = try self.sign(task, regionSet, Self.portion * repetitions)
        last.value = try? Hexadecimal.decode(answer.signature)
        return answer.nanoseconds / Double(Self.portion)
      },
      output: { output(last.value ?? []) })
  }

  private func sign(
    _ task: SigningTask, _ regionSet: String?, _ count: Int
  ) throws(BenchmarkError) -> Answer {
    do {
      let command = try JSONEncoder().encode(Command(task, regionSet, count: count))
      try commands.fileHandleForWriting.write(contentsOf: command + Data("\n".utf8))
    } catch {
      throw .failure("\(name) takes no request any more: \(error)")
    }
    let line = Self.nextLine(answers, &unread)
    guard let line, let answer = try? JSONDecoder().decode(Answer.self, from: line) else {
      throw .failure("\(name) does not answer when it has to sign \(task.name)")
    }
    return answer
  }

  private static func nextLine(_ pipe: Pipe, _ unread: inout [UInt8]) -> Data? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(unread[..<end])
        unread.removeFirst(end + 1)
        return line
      }
      let portion = pipe.fileHandleForReading.availableData
      if portion.isEmpty { return nil }
      unread += portion
    }
  }

  /// The number of signatures in a repetition, so that waking the process doesn't count.
  private static let portion = 64

  private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("signing-peer.py").path
}

extension SigningPeer {
  fileprivate struct Greeting: Decodable {
    let version: String?
    let absence: String?
  }

  /// One line of JSON.
  fileprivate struct Command: Encodable {
    let count: Int
    let method: String
    let host: String
    let target: String
    let headers: [[String]]
    let lifetime: Int?
    let regionSet: String?
    let accessKeyID = MeasuredRequests.accessKeyID
    let secretAccessKey = MeasuredRequests.secretAccessKey
    let region = MeasuredRequests.region
    let moment = MeasuredRequests.moment

    /// The target of the header-signed request, unchanged.
    init(_ task: SigningTask, _ regionSet: String?, count: Int) {
      self.count = count
      self.regionSet = regionSet
      method = task.request.method
      host = task.request.host
      target = (try? task.signer.sign(task.request, at: task.timestamp).target) ?? ""
      headers = task.request.headers.map { [$0.name, $0.value] }
      lifetime = task.lifetime.map { Int($0.components.seconds) }
    }
  }

  fileprivate struct Answer: Decodable {
    let nanoseconds: Double
    let signature: String
  }
}
