// SPDX-License-Identifier: Apache-2.0
// hashing-benchmark as a user's shell runs it: its output and its errors, never its speed.

internal import Foundation
internal import Testing

@testable internal import BenchmarkSupport

@Suite struct HashingBenchmarkTests {
  @Test("A short run measures every operation at every size, and writes table, JSON and chart")
  func quickRun() throws {
    try withFolder { folder in
      let (json, chart) = (folder + "/results.json", folder + "/chart.svg")
      let run = try BenchmarkProcess(
        "hashing-benchmark", ["--tables", "--seconds", "1", "--json", json, "--svg", chart])
      try #require(run.exitCode == 0, "\(run.errors)")
      let report = try BenchmarkReport(json: Data(contentsOf: URL(fileURLWithPath: json)))
      let alone = ["sha256", "sha256-pair", "hmac-sha256", "hmac-sha256-pair"]
      let batches = ["sha256-batch-", "hmac-sha256-batch-"].flatMap { operation in
        [5, 16, 100, 1000].map { "\(operation)\($0)" }
      }
      let others = ["crc32", "sha512", "xxh64", "xxh3", "xxh128"]
      #expect(report.operations == alone + batches + others)
      for operation in report.operations {
        let sizes = report.results.filter {
          $0.operation == operation && $0.contender == "swift-sigv4"
        }.map(\.bytes)
        let isBatch = batches.contains(operation)
        #expect(sizes == (isBatch ? [64, 700, 16384] : [64, 256, 1024, 16384, 1_048_576]))
      }
      #expect(report.contenders.contains("swift-sigv4-portable"))
      #expect(report.results.allSatisfy { $0.contender != $0.baseline || $0.ratio == 1 })
      #expect(run.output.contains("hmac-sha256-pair: ratio to "))
      #expect(run.output.contains("swift-sigv4: times the speed of "))
      #expect(run.output.contains("swift-sigv4 can run: "))
      #expect(run.output.contains(/SHA-512 runs (x86-avx512|x86-avx2|portable)\./))
      #expect(!run.errors.contains("\r"), "progress is for terminals only")
      #expect(ElementCollector(try String(contentsOfFile: chart, encoding: .utf8)).isWellFormed)
    }
  }

  @Test("Results that were written before are shown and compared without measuring")
  func given() throws {
    try withFolder { folder in
      let file = folder + "/results.json"
      try BenchmarkReport.example.json().write(to: URL(fileURLWithPath: file))
      let run = try BenchmarkProcess("hashing-benchmark", ["--from", file, "--compare", file])
      #expect(run.exitCode == 0)
      #expect(run.output.hasPrefix(ResultTable(.example).text))
      #expect(run.output.contains("Since 2026-01-02T03:04:05Z: 0 of 8 ratios changed"))
    }
  }

  @Test("--help prints to standard output")
  func help() throws {
    let run = try BenchmarkProcess("hashing-benchmark", ["--help"])
    #expect(run.exitCode == 0 && run.errors.isEmpty)
    #expect(run.output.hasPrefix("hashing-benchmark: "))
  }

  @Test("A wrong option ends with exit code 2 and a word on standard error")
  func wrongOption() throws {
    let run = try BenchmarkProcess("hashing-benchmark", ["--fast"])
    #expect(run.exitCode == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("hashing-benchmark: there is no option --fast"))
  }

  @Test("An unknown operation ends with exit code 2 and a list of all operations")
  func unknownOperation() throws {
    let run = try BenchmarkProcess("hashing-benchmark", ["--only=sha-256"])
    #expect(run.exitCode == 2 && run.output.isEmpty)
    let error = "no operation begins with sha-256. Use one of sha256, sha256-pair, hmac-sha256, "
    #expect(run.errors.contains("hashing-benchmark: \(error)"), "\(run.errors)")
    #expect(run.errors.contains(", xxh3, xxh128."))
  }

  @Test("A folder that isn't a checkout of the package is reported, with the package's address")
  func noCheckout() throws {
    try withFolder { folder in
      let run = try BenchmarkProcess("hashing-benchmark", ["--with-swift-crypto", folder])
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(
        run.errors.contains(
          "\(folder) has no Package.swift, so it isn't a checkout of swift-crypto. "
            + "Clone https://github.com/apple/swift-crypto, and pass its folder."))
    }
  }

  @Test("A package that doesn't build is reported with its first error and the command")
  func faultyCheckout() throws {
    try withCheckout(product: "Other") { folder in
      let run = try BenchmarkProcess("hashing-benchmark", ["--with-cryptoswift", folder])
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(run.errors.contains("cryptoswift can't be built: error: "), "\(run.errors)")
      #expect(run.errors.contains("product 'CryptoSwift'"), "\(run.errors)")
      let command =
        "swift build -c release --package-path \(folder)/.build/hashing-peer --product hashing-peer"
      #expect(run.errors.contains("Run '\(command)' to see every message."), "\(run.errors)")
    }
  }

  @Test("A package is built and loaded, and its wrong hashes end the run before anything is timed")
  func wrongPackage() throws {
    try withCheckout(product: "CryptoSwift") { folder in
      let run = try BenchmarkProcess("hashing-benchmark", ["--with-cryptoswift", folder])
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(
        run.errors.contains("hashing-benchmark: cryptoswift computes a wrong result for sha256"),
        "\(run.errors)")
    }
  }

  /// Passes the folder of a package with CryptoSwift's names, whose hashes are zeros.
  private func withCheckout(
    product: String, _ body: (_ path: String) throws -> Void
  ) throws {
    try withFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/Sources/CryptoSwift", withIntermediateDirectories: true)
      let manifest = """
        // swift-tools-version: 6.0
        import PackageDescription
        let package = Package(
          name: "CryptoSwift",
          products: [.library(name: "\(product)", targets: ["CryptoSwift"])],
          targets: [.target(name: "CryptoSwift")])
        """
      let source = """
        public enum Digest {
          public static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(repeating: 0, count: 32) }
          public static func sha512(_ bytes: [UInt8]) -> [UInt8] { Array(repeating: 0, count: 64) }
        }
        public struct HMAC {
          public enum Variant { case sha2(Length) }
          public enum Length { case sha256 }
          public init(key: [UInt8], variant: Variant) {}
          public func authenticate(_ bytes: [UInt8]) throws -> [UInt8] { bytes }
        }
        """
      try manifest.write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
      try source.write(
        toFile: folder + "/Sources/CryptoSwift/Digest.swift", atomically: true, encoding: .utf8)
      try body(folder)
    }
  }

  @Test("A file that can't be read or written is reported before anything is measured")
  func unusableFiles() throws {
    for option in ["--compare", "--from", "--json", "--svg"] {
      let run = try BenchmarkProcess("hashing-benchmark", [option, "/proc/nonexistent/file"])
      #expect(run.exitCode == 1 && run.output.isEmpty)
      #expect(run.errors.contains("/proc/nonexistent/file"))
    }
  }
}
