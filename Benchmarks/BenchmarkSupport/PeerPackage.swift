// SPDX-License-Identifier: Apache-2.0
// Swift packages of other projects: built from the user's checkouts, to be loaded or run.

internal import Foundation

/// A package that competes if the user has a checkout of it.
public struct PeerPackage: Sendable {
  /// The contender's name.
  public let name: String
  /// Its module, which the source file in `Peers` calls.
  public let module: String
  let address: String

  /// Creates a package from the contender's name, its module, and the address of its repository.
  public init(name: String, module: String, address: String) {
    self.name = name
    self.module = module
    self.address = address
  }

  /// The option with the checkout's path.
  public var option: ProgramOption {
    ProgramOption(
      name: "--with-" + name, placeholder: "PATH",
      help: "compare with \(name), built from the checkout in PATH")
  }

  /// Builds the source file of the package in the folder `Peers` next to the caller's file, and
  /// returns the build. It stays in the checkout's `.build`, so that the next run reuses it.
  ///
  /// In the manifest's package, the file is in `Sources/peer`, the checkout in `../..`, and its
  /// module also in `Sources`, if the checkout's own manifest isn't used.
  public func build(
    _ product: String, from path: String, manifest: String, caller: String = #filePath
  ) throws(BenchmarkError) -> PeerBuild {
    let checkout = URL(fileURLWithPath: path).standardizedFileURL.path
    for part in ["Package.swift", "Sources/" + module]
    where !FileManager.default.fileExists(atPath: checkout + "/" + part) {
      throw .failure(
        "\(path) has no \(part), so it isn't a checkout of \(name). Clone \(address), and pass its folder."
      )
    }
    let folder = checkout + "/.build/" + product
    do {
      let peers = URL(fileURLWithPath: caller).deletingLastPathComponent().path + "/Peers"
      try write(manifest, source: "\(peers)/\(module)Peer.swift", in: folder)
    } catch {
      throw .failure(
        "\(folder) can't be written: \(error.localizedDescription). Use a checkout of your own.")
    }
    TerminalProgress.tell("building \(name), which takes minutes the first time")
    try compile(product, in: folder)
    return PeerBuild(folder: folder, version: Self.version(of: checkout))
  }

  private func write(_ manifest: String, source: String, in folder: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder + "/Sources/peer", withIntermediateDirectories: true)
    try manifest.write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
    try String(contentsOfFile: source, encoding: .utf8)
      .write(toFile: folder + "/Sources/peer/Peer.swift", atomically: true, encoding: .utf8)
    let link = "\(folder)/Sources/\(module)"
    if (try? files.destinationOfSymbolicLink(atPath: link)) == nil {
      try files.createSymbolicLink(
        atPath: link, withDestinationPath: "../../../Sources/" + module)
    }
  }

  private func compile(_ product: String, in folder: String) throws(BenchmarkError) {
    let command = [
      "swift", "build", "-c", "release", "--package-path", folder, "--product", product,
    ]
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

/// What was built of a package: its products are in `.build/release` of the folder.
public struct PeerBuild: Sendable {
  /// The folder of the package that was built.
  public let folder: String
  /// The checkout's version, as `git describe` prints it.
  public let version: String
}

extension [PeerPackage] {
  /// Loads or starts those whose checkouts the command line names.
  public func chosen<Peer>(
    by choices: ProgramChoices, _ peer: (PeerPackage, _ path: String) throws(BenchmarkError) -> Peer
  ) throws(BenchmarkError) -> [Peer] {
    var peers: [Peer] = []
    for package in self {
      if let path = choices.value(of: package.option) { peers.append(try peer(package, path)) }
    }
    return peers
  }
}
