// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// The benchmarks, a package that depends on the library: `swift run -c release --package-path Benchmarks hashing-benchmark`.

import PackageDescription

let commonSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// A benchmark counts its allocations (BenchmarkSupport/AllocationCounter.swift). Not in debug builds, where a
// sanitizer may have its own malloc.
let countedAllocations: [LinkerSetting] = [
  .unsafeFlags(
    ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"].flatMap {
      ["-Xlinker", "--defsym=\($0)=counted_\($0)"]
    },
    .when(platforms: [.linux], configuration: .release))
]

func library(_ names: String...) -> [Target.Dependency] {
  names.map { .product(name: $0, package: "swift-sigv4") }
}

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "swift-sigv4", path: "..")],
  targets: [
    .target(
      name: "BenchmarkSupport", path: "BenchmarkSupport", linkerSettings: countedAllocations),
    // A link to Tests/TestSupport, which reads the vectors.
    .target(name: "TestSupport", dependencies: library("RequestSigning"), path: "TestSupport"),
    .executableTarget(
      name: "hashing-benchmark",
      dependencies: ["BenchmarkSupport"] + library("Checksums", "SecureHashing"),
      path: "HashingBenchmark", exclude: ["Peers"]),
    .executableTarget(
      name: "signature-benchmark",
      dependencies: ["BenchmarkSupport"] + library("DigitalSignatures", "SecureHashing"),
      path: "SignatureBenchmark"),
    .executableTarget(
      name: "signing-benchmark",
      dependencies: ["BenchmarkSupport", "TestSupport"]
        + library(
          "DigitalSignatures", "MultiRegionSigning", "RequestSigning", "RequestSigningFoundation",
          "RequestVerification", "S3Signing", "SecureHashing"),
      path: "SigningBenchmark",
      exclude: ["aws-c-auth-peer.c", "build-aws-c-auth", "signing-peer.py"]),
    .testTarget(
      name: "BenchmarkSupportTests",
      dependencies: ["BenchmarkSupport", "TestSupport", "hashing-benchmark", "signing-benchmark"]
        + library("SecureHashing")),
  ]
)

// The benchmarks choose kernels, which only the library's own package sees.
for target in package.targets {
  target.packageAccess = false
  target.swiftSettings =
    commonSettings + [.unsafeFlags(["-package-name", "swift_sigv4"])] + (target.swiftSettings ?? [])
}
