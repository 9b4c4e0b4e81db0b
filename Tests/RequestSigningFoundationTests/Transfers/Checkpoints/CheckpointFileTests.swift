// SPDX-License-Identifier: Apache-2.0
// The file of a checkpoint: written whole, read or refused, and used by one transfer at a time.

internal import Foundation
internal import Testing

@testable internal import RequestSigningFoundation
internal import SigningTestSupport

@Suite struct CheckpointFileTests {
  struct State: TransferState, Equatable {
    static let transfer = TransferKind.upload
    var number: Int
  }

  struct Other: TransferState {
    static let transfer = TransferKind.download
    var number: Int
  }

  let folder: TemporaryFolder
  var location: URL { folder.url.appendingPathComponent("film.json") }

  init() throws { folder = try TemporaryFolder() }

  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  @Test("A state is read as it was written, by the next one that opens the file, and removed")
  func roundTrip() throws {
    do {
      let file = try CheckpointFile<State>(location)
      #expect(try file.read() == nil)
      try file.write(State(number: 1))
      try file.write(State(number: 2))
    }
    #expect(try files() == ["film.json"])
    do {
      let file = try CheckpointFile<State>(location)
      #expect(try file.read() == State(number: 2))
      try file.remove()
      try file.remove()
      #expect(try file.read() == nil)
    }
    #expect(try files() == [])
  }

  @Test(
    "A file that's empty, cut, of another version or of another transfer is refused and stays",
    arguments: [
      ("", "is empty"),
      ("{\"state\":{\"number\":2},\"transfer\":\"upl", "is incomplete"),
      ("[]", "is incomplete"),
      ("{\"state\":{\"number\":2},\"transfer\":\"upload\",\"version\":2}", "has version 2"),
      ("{\"state\":{\"number\":2},\"transfer\":\"upload\",\"version\":0}", "has version 0"),
      (
        "{\"state\":{\"number\":2},\"transfer\":\"download\",\"version\":1}",
        "is the checkpoint of a different kind"
      ),
      (
        "{\"state\":{\"number\":\"\"},\"transfer\":\"upload\",\"version\":1}",
        "has missing or invalid values"
      ),
      ("{\"transfer\":\"upload\",\"version\":1}", "has missing or invalid values"),
    ])
  func refused(content: String, problem: String) throws {
    try Data(content.utf8).write(to: location)
    let error = #expect(throws: TransferError.self) { try CheckpointFile<State>(location).read() }
    #expect(error?.code == .invalidCheckpoint)
    #expect(error?.problem.contains(location.path + " " + problem) == true)
    #expect(error?.fix.hasSuffix("stay in the bucket until a lifecycle rule removes them.") == true)
    #expect(try Data(contentsOf: location) == Data(content.utf8))
  }

  @Test("Who removes the checkpoint of a download is told of its partial file")
  func remains() throws {
    try Data("{".utf8).write(to: location)
    let error = #expect(throws: TransferError.self) { try CheckpointFile<Other>(location).read() }
    #expect(error?.fix.hasSuffix("(.partial) next to the target.") == true)
  }

  @Test("A directory, a network URL and a missing directory are told before anything is written")
  func elsewhere() throws {
    let missing = folder.url.appendingPathComponent("no/film.json")
    for url in [folder.url, URL(string: "https://example.com/film.json"), missing] {
      let error = #expect(throws: TransferError.self) {
        try CheckpointFile<State>(#require(url))
      }
      #expect(error?.code == .invalidFile)
    }
    #expect(try files() == [])
  }

  @Test("What a killed process left between writing and renaming is replaced")
  func leftover() throws {
    try Data("{".utf8).write(to: folder.url.appendingPathComponent(".film.json.new"))
    try Data().write(to: folder.url.appendingPathComponent(".film.json.lock"))
    do {
      let file = try CheckpointFile<State>(location)
      #expect(try file.read() == nil)
      try file.write(State(number: 3))
      #expect(try file.read() == State(number: 3))
    }
    #expect(try files() == ["film.json"])
  }

  @Test("The second user of a file is refused, also through a link, until the first one ends")
  func oneUser() throws {
    let link = folder.url.appendingPathComponent("link.json")
    try Data().write(to: location)
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: location)
    do {
      let first = try CheckpointFile<State>(location)
      for place in [location, link] {
        let error = #expect(throws: TransferError.self) { try CheckpointFile<Other>(place) }
        #expect(error?.code == .checkpointInUse)
        #expect(error?.message.contains(first.location.path) == true)
      }
      #expect(throws: Never.self) {
        try CheckpointFile<State>(folder.url.appendingPathComponent("other.json"))
      }
      try first.write(State(number: 1))
    }
    #expect(try CheckpointFile<State>(link).read() == State(number: 1))
  }

  @Test("A link at the place of the lock isn't followed, and its target stays")
  func linkedLock() throws {
    let notes = folder.url.appendingPathComponent("notes")
    try Data("notes".utf8).write(to: notes)
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent(".film.json.lock"), withDestinationURL: notes)
    let error = #expect(throws: TransferError.self) { try CheckpointFile<State>(location) }
    #expect(error?.code == .invalidFile)
    #expect(try Data(contentsOf: notes) == Data("notes".utf8))
  }

  @Test("Threads that open and release a file at the same time have it one at a time")
  func race() {
    let users = Guarded(0)
    let most = Guarded(0)
    let failures = Guarded<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 1...500 {
        let file: CheckpointFile<State>
        do throws(TransferError) { file = try CheckpointFile(location) } catch {
          if error.code != .checkpointInUse { failures.withLock { $0.append(error.message) } }
          continue
        }
        let count = users.withLock { users in
          users += 1
          return users
        }
        most.withLock { $0 = max($0, count) }
        users.withLock { $0 -= 1 }
        withExtendedLifetime(file) {}
      }
    }
    #expect(most.withLock { $0 } == 1)
    #expect(failures.withLock(\.self) == [])
  }

  @Test("A file that was unlocked doesn't end the next one's lock when it's released")
  func unlockedTwice() throws {
    var first: CheckpointFile<State>? = try CheckpointFile<State>(location)
    first?.unlock()
    let second = try CheckpointFile<State>(location)
    first?.unlock()
    first = nil
    let error = #expect(throws: TransferError.self) { try CheckpointFile<State>(location) }
    #expect(error?.code == .checkpointInUse)
    withExtendedLifetime(second) {}
  }

  // flock(2): the lock of a process ends with it.
  @Test("A lock of another process is respected, and ends when that process is killed")
  func otherProcess() throws {
    let lock = folder.url.appendingPathComponent(".film.json.lock")
    let program = """
      import fcntl, sys
      file = open(sys.argv[1], "w")
      fcntl.flock(file, fcntl.LOCK_EX)
      print("locked", flush=True)
      sys.stdin.read()
      """
    let other = try RunningProgram(["python3", "-c", program, lock.path])
    #expect(!other.outputs[0].availableData.isEmpty)
    let error = #expect(throws: TransferError.self) { try CheckpointFile<State>(location) }
    #expect(error?.code == .checkpointInUse)
    other.end(by: SIGKILL)
    #expect(throws: Never.self) { try CheckpointFile<State>(location) }
  }
}
