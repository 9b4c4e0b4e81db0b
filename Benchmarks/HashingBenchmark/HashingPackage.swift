// SPDX-License-Identifier: Apache-2.0
// Swift packages of other projects that hash: built from the user's checkouts, and loaded.

internal import BenchmarkSupport
internal import Foundation

/// A package that competes if the user has a checkout of it.
struct HashingPackage {
  let name: String
  /// Its module, which the functions in `Peers` call.
  let module: String
  let address: String

  static let all = [
    HashingPackage(
      name: "swift-crypto", module: "Crypto", address: "https://github.com/apple/swift-crypto"),
    HashingPackage(
      name: "cryptoswift", module: "CryptoSwift",
      address: "https://github.com/krzyzanowskim/CryptoSwift"),
  ]

  /// The option with the checkout's path.
  var option: ProgramOption {
    ProgramOption(
      name: "--with-" + name, placeholder: "PATH",
      help: "compare with \(name), built from the checkout in PATH")
  }

  /// Builds a library of the package's functions and loads it. The build stays in the checkout's
  /// `.build`, so that the next run reuses it.
  func peer(from path: String) throws(BenchmarkError) -> HashingPeer {
    let checkout = URL(fileURLWithPath: path).standardizedFileURL.path
    for part in ["Package.swift", "Sources/" + module]
    where !FileManager.default.fileExists(atPath: checkout + "/" + part) {
      throw .failure(
        "\(path) has no \(part), so it isn't a checkout of \(name). Clone \(address), and pass its folder."
      )
    }
    let folder = checkout + "/.build/hashing-peer"
    try writePackage(in: folder)
    TerminalProgress.tell("building \(name), which takes minutes the first time")
    try build(folder)
    let names = ["so", "dylib"].map { "\(folder)/.build/release/libhashing-peer.\($0)" }
    guard let library = SharedLibrary(names),
      let peer = HashingPeer(name: name, version: Self.version(of: checkout), library)
    else {
      throw .failure("\(names[0]) can't be loaded. Remove \(folder), and run the benchmark again.")
    }
    return peer
  }

  /// Writes a package whose only target is the functions in `Peers`.
  private func writePackage(in folder: String) throws(BenchmarkError) {
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Peers/\(module)Peer.swift")
    do {
      try FileManager.default.createDirectory(
        atPath: folder + "/Sources", withIntermediateDirectories: true)
      try manifest.write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
      try String(contentsOf: source, encoding: .utf8)
        .write(toFile: folder + "/Sources/Peer.swift", atomically: true, encoding: .utf8)
    } catch {
      throw .failure(
        "\(folder) can't be written: \(error.localizedDescription). Use a checkout of your own.")
    }
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "hashing-peer",
      platforms: [.macOS(.v13)],
      products: [.library(name: "hashing-peer", type: .dynamic, targets: ["HashingPeer"])],
      dependencies: [.package(name: "checkout", path: "../..")],
      targets: [
        .target(
          name: "HashingPeer", dependencies: [.product(name: "\(module)", package: "checkout")],
          path: "Sources")
      ])

    """
  }

  private func build(_ folder: String) throws(BenchmarkError) {
    let command = ["swift", "build", "-c", "release", "--package-path", folder]
    let (status, output) = Self.run(command)
    if status == 0 { return }
    let error = output.split(separator: "\n").first { $0.contains("error: ") }
    throw .failure(
      "\(name) can't be built: \(error ?? "swift ended with status \(status)"). "
        + "Run '\(command.joined(separator: " "))' to see every message.")
  }

  private static func version(of checkout: String) -> String {
    let (status, output) = run(["git", "-C", checkout, "describe", "--tags", "--always"])
    return status == 0 ? output.trimmingCharacters(in: .whitespacesAndNewlines) : "unknown version"
  }

  /// Runs a program of the `PATH`, and returns its status and its output with its errors.
  private static func run(_ command: [String]) -> (status: Int32, output: String) {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.standardOutput = pipe
    process.standardError = pipe
    do {
      try process.run()
    } catch {
      return (127, "error: \(error.localizedDescription)")
    }
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
