// SPDX-License-Identifier: Apache-2.0
// Swift packages of other projects that hash, loaded as libraries of C functions.

internal import BenchmarkSupport

enum HashingPackage {
  static let all = [
    PeerPackage(
      name: "swift-crypto", module: "Crypto", address: "https://github.com/apple/swift-crypto"),
    PeerPackage(
      name: "cryptoswift", module: "CryptoSwift",
      address: "https://github.com/krzyzanowskim/CryptoSwift"),
  ]

  /// Builds a library of the package's functions and loads it.
  static func peer(
    _ package: PeerPackage, from path: String
  ) throws(BenchmarkError) -> HashingPeer {
    let build = try package.build(
      "hashing-peer", from: path, manifest: manifest(module: package.module))
    let names = ["so", "dylib"].map { "\(build.folder)/.build/release/libhashing-peer.\($0)" }
    guard let library = SharedLibrary(names),
      let peer = HashingPeer(name: package.name, version: build.version, library)
    else {
      throw .failure(
        "\(names[0]) can't be loaded. Remove \(build.folder), and run the benchmark again.")
    }
    return peer
  }

  private static func manifest(module: String) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "hashing-peer",
      platforms: [.macOS(.v13)],
      products: [.library(name: "hashing-peer", type: .dynamic, targets: ["peer"])],
      dependencies: [.package(name: "checkout", path: "../..")],
      targets: [
        .target(name: "peer", dependencies: [.product(name: "\(module)", package: "checkout")])
      ])

    """
  }
}
