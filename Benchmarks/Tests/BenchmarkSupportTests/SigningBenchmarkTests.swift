// SPDX-License-Identifier: Apache-2.0
// signing-benchmark as a user's shell runs it: its output, and the contenders that it rejects.

internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import BenchmarkSupport

@Suite struct SigningBenchmarkTests {
  @Test("A quick run measures every operation, and writes table, JSON and chart")
  func quickRun() throws {
    try withFolder { folder in
      let (json, chart) = (folder + "/results.json", folder + "/chart.svg")
      let run = try BenchmarkProcess(
        "signing-benchmark", ["--tables", "--seconds", "1", "--json", json, "--svg", chart])
      try #require(run.exitCode == 0, "\(run.errors)")
      let report = try BenchmarkReport(json: Data(contentsOf: URL(fileURLWithPath: json)))
      #expect(
        report.operations == [
          "header-text", "header-text-wide", "presign-text", "url-request", "header",
          "header-strings", "presign", "key-derivation", "object-url", "multi-region",
          "batch-presign", "verify", "verify-url", "chunk",
          "suite",
        ])
      for operation in report.operations {
        let results = report.results.filter { $0.operation == operation }
        let baseline = operation == "multi-region" ? "p256" : "hash-blocks"
        #expect(results[0].contender == "swift-sigv4" && results[0].baseline == baseline)
        #expect(results.allSatisfy { ($0.operationsPerSecond ?? 0) > 0 && ($0.cost ?? 0) > 0 })
      }
      #expect(run.output.contains("\n76 of 76 signatures are those of the official suite"))
      #expect(ElementCollector(try String(contentsOfFile: chart, encoding: .utf8)).isWellFormed)
    }
  }

  /// The canonical requests as SigV4, step 1 writes them; FIPS 180-4, 5.1.1 and RFC 2104 count the
  /// blocks: 8 and 4, and 16 for the signing key.
  @Test("The measured requests have the promised sizes, and the blocks that follow from them")
  func sizes() throws {
    try withFolder { folder in
      let json = folder + "/results.json"
      let run = try BenchmarkProcess(
        "signing-benchmark", ["--seconds", "1", "--json", json], path: folder)
      try #require(run.exitCode == 0, "\(run.errors)")
      let report = try BenchmarkReport(json: Data(contentsOf: URL(fileURLWithPath: json)))
      let remarks = [
        ("header", 453, "12 blocks with the signing key kept, 28 with a derived one"),
        ("presign", 471, "12 blocks with the signing key kept, 28 with a derived one"),
        ("key-derivation", 1024, "16 blocks"),
      ]
      for (operation, bytes, remark) in remarks {
        let results = report.results.filter { $0.operation == operation }
        #expect(results.allSatisfy { $0.bytes == bytes && $0.remark == remark })
        #expect(!results.isEmpty)
      }
      // Only our own, because no Python is found.
      #expect(!report.contenders.contains("botocore") && !report.contenders.contains("awscrt"))
      #expect(run.errors.contains("botocore is left out: "))
      #expect(run.errors.contains("awscrt is left out: "))
    }
  }

  @Test("Without the vectors, the suite is omitted, and a note names the missing directory")
  func noVectors() throws {
    try withFolder { folder in
      let json = folder + "/results.json"
      let run = try BenchmarkProcess(
        "signing-benchmark", ["--seconds", "1", "--vectors", folder, "--json", json])
      #expect(run.exitCode == 0)
      #expect(
        run.errors.contains("the official suite is left out: \(folder)/official-suite-v4.txt"))
      let report = try BenchmarkReport(json: Data(contentsOf: URL(fileURLWithPath: json)))
      #expect(!report.operations.contains("suite") && report.operations.contains("header"))
    }
  }

  @Test("A signature that differs from its vector is named, and nothing is timed")
  func wrongVector() throws {
    try withFolder { folder in
      let name = "official-suite-v4.txt"
      let vectors = try String(contentsOfFile: VectorTable.folder + "/" + name, encoding: .utf8)
      // The signature of get-utf8, in its query.
      let record = try VectorTable(named: name).record(named: "get-utf8")
      let signature = try record.text("query-signature")
      let wrong = String(signature.reversed())
      try vectors.replacing("query-signature: " + signature, with: "query-signature: " + wrong)
        .write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      let run = try BenchmarkProcess("signing-benchmark", ["--seconds", "1", "--vectors", folder])
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(
        run.errors.contains("get-utf8 of the official suite, in its query, is signed wrongly"))
    }
  }

  @Test("A rejected request of the suite doesn't omit the suite")
  func refusedVector() throws {
    try withFolder { folder in
      let name = "official-suite-v4.txt"
      let vectors = try String(contentsOfFile: VectorTable.folder + "/" + name, encoding: .utf8)
      try vectors.replacing("\nmethod: POST\n", with: "\nmethod: P O S T\n")
        .write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
      let run = try BenchmarkProcess("signing-benchmark", ["--seconds", "1", "--vectors", folder])
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(run.errors.contains("the official suite cannot be signed: "))
    }
  }

  @Test(
    "A peer that signs wrongly, or stops to answer, ends the run before anything is timed",
    arguments: [
      (
        #"while read -r _; do echo '{"nanoseconds": 9, "signature": "00"}'; done"#,
        "botocore computes a wrong result for header-text"
      ),
      ("read -r _", "botocore does not answer when it has to sign"),
    ])
  func wrongPeer(loop: String, expected: String) throws {
    try withFolder { folder in
      let script = folder + "/script"
      try #"#!/bin/sh\#necho '{"version": "0.0"}'\#n"#.appending(loop + "\n")
        .write(toFile: script, atomically: true, encoding: .utf8)
      // Another test's program may inherit our descriptor of a file, which Linux then doesn't run.
      let copy = #"cp "$0/script" "$0/python3" && chmod 755 "$0/python3""#
      try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", copy, folder])
        .waitUntilExit()
      let run = try BenchmarkProcess("signing-benchmark", ["--seconds", "1"], path: folder)
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(run.errors.contains(expected))
    }
  }

  @Test("The checkout of a package is built, and a build that fails is reported with its command")
  func packageWithoutCompiler() throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/Sources/SotoSignerV4", withIntermediateDirectories: true)
      try "".write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
      // This PATH contains no swift.
      let run = try BenchmarkProcess("signing-benchmark", ["--with-soto", folder], path: folder)
      #expect(run.exitCode == 1 && run.output.isEmpty)
      let build = folder + "/.build/signing-peer"
      #expect(
        run.errors.contains(
          "soto can't be built: swift ended with status 127. "
            + "Run 'swift build -c release --package-path \(build) --product signing-peer' to see every message."
        ),
        "\(run.errors)")
      let link = "\(build)/Sources/SotoSignerV4"
      #expect(FileManager.default.fileExists(atPath: link), "the module is linked")
    }
  }

  @Test("--help lists the program's own options")
  func help() throws {
    let run = try BenchmarkProcess("signing-benchmark", ["--help"])
    #expect(run.exitCode == 0 && run.output.hasPrefix("signing-benchmark: "))
    for option in ["--growth ", "--vectors DIR ", "--with-soto PATH "] {
      #expect(run.output.contains("\n  " + option))
    }
  }
}
