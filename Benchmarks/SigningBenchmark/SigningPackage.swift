// SPDX-License-Identifier: Apache-2.0
// Swift packages of other projects that sign, as programs that sign on command.

internal import BenchmarkSupport

enum SigningPackage {
  static let all = [
    PeerPackage(
      name: "soto", module: "SotoSignerV4",
      address: "https://github.com/soto-project/soto-core")
  ]

  /// Builds a program of the package's signer and starts it.
  static func peer(
    _ package: PeerPackage, from path: String
  ) throws(BenchmarkError) -> SigningPeer {
    let build = try package.build(
      "signing-peer", from: path, manifest: manifest(module: package.module))
    return try SigningPeer(
      package.name, ["\(build.folder)/.build/release/signing-peer", build.version])
  }

  /// Only the signer's module is compiled, because the checkout's manifest needs packages that the
  /// signer doesn't.
  private static func manifest(module: String) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "signing-peer",
      platforms: [.macOS(.v13)],
      products: [.executable(name: "signing-peer", targets: ["peer"])],
      dependencies: [
        .package(url: "https://github.com/apple/swift-crypto", "1.0.0"..<"5.0.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.77.0"),
      ],
      targets: [
        .target(
          name: "\(module)",
          dependencies: [
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOHTTP1", package: "swift-nio"),
          ]),
        .executableTarget(name: "peer", dependencies: ["\(module)"]),
      ], swiftLanguageModes: [.v5])

    """
  }
}
