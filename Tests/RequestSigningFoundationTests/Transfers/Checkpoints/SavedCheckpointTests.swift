// SPDX-License-Identifier: Apache-2.0
// The checkpoint of a running transfer, which parallel parts change.

internal import Foundation
internal import RequestSigning
internal import S3Signing
internal import SigningTestSupport
internal import Testing

@testable internal import RequestSigningFoundation

@Suite struct SavedCheckpointTests {
  struct State: ObjectTransfer {
    static let transfer = TransferKind.upload
    let place: BucketPlace
    let key: String
    var numbers: Set<Int> = []
  }

  let folder: TemporaryFolder
  let directory: URL
  let location: URL
  let saved: SavedCheckpoint<State>

  init() throws {
    folder = try TemporaryFolder()
    let bucket = try SigV4.Bucket(
      "films", at: .custom(url: "https://store.example", region: "us-east-1"), addressing: .path)
    directory = folder.url.appendingPathComponent("here")
    location = directory.appendingPathComponent("film.json")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    saved = SavedCheckpoint(
      State(place: BucketPlace(bucket), key: "film.mov"),
      in: try CheckpointFile(location))
  }

  func read() throws -> Set<Int> { try CheckpointFile<State>.read(location).numbers }

  @Test("When an update returns, its change is in the file, whichever task wrote it")
  func parallel() async throws {
    await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          try await saved.update { $0.numbers.insert(number) }
          #expect(try read().contains(number))
        }
      }
      await #expect(throws: Never.self) { try await group.waitForAll() }
    }
    #expect(try read() == Set(0..<100))
    #expect(saved.value.numbers == Set(0..<100))
  }

  @Test("After an unlock, the next transfer has the file, though a write may still refer to it")
  func unlocked() async throws {
    let place = directory.appendingPathComponent("next.json")
    for number in 0..<1_000 {
      let file = try CheckpointFile<State>(place)
      let next = SavedCheckpoint(saved.value, in: file)
      try await next.update { $0.numbers.insert(number) }
      file.unlock()
    }
  }

  @Test("A change that couldn't be written is written by the next update, even by the same one")
  func failed() async throws {
    try await saved.update { $0.numbers.insert(1) }
    let elsewhere = folder.url.appendingPathComponent("elsewhere")
    try FileManager.default.moveItem(at: directory, to: elsewhere)
    for _ in 1...2 {
      let error = await #expect(throws: TransferError.self) {
        try await saved.update { $0.numbers.insert(2) }
      }
      #expect(error?.code == .invalidFile)
    }
    try FileManager.default.moveItem(at: elsewhere, to: directory)
    #expect(try read() == [1])
    try await saved.update { $0.numbers.insert(2) }
    #expect(try read() == [1, 2])
  }
}
