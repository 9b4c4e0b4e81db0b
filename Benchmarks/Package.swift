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
      name: "BenchmarkSupport", path: "BenchmarkSupport", packageAccess: false,
      linkerSettings: countedAllocations),
    // A link to Tests/TestSupport, which reads the vectors.
    .target(
      name: "TestSupport", dependencies: library("RequestSigning"), path: "TestSupport",
      packageAccess: false),
    .executableTarget(
      name: "hashing-benchmark",
      dependencies: ["BenchmarkSupport"] + library("Checksums", "SecureHashing"),
      path: "HashingBenchmark", exclude: ["Peers"], packageAccess: false),
    .executableTarget(
      name: "signature-benchmark",
      dependencies: ["BenchmarkSupport"] + library("DigitalSignatures", "SecureHashing"),
      path: "SignatureBenchmark", packageAccess: false),
    .executableTarget(
      name: "signing-benchmark",
      dependencies: ["BenchmarkSupport", "TestSupport"]
        + library(
          "DigitalSignatures", "MultiRegionSigning", "RequestSigning", "RequestSigningFoundation",
          "RequestVerification", "S3Signing", "SecureHashing"),
      path: "SigningBenchmark",
      exclude: ["Peers", "aws-c-auth-peer.c", "build-aws-c-auth", "signing-peer.py"],
      packageAccess: false),
    .testTarget(
      name: "BenchmarkSupportTests",
      dependencies: ["BenchmarkSupport", "TestSupport", "hashing-benchmark", "signing-benchmark"]
        + library("SecureHashing"),
      packageAccess: false),
  ]
)

// The benchmarks choose kernels, which only the library's own package sees. SwiftPM names that after its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
let libraryName = String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
for target in package.targets {
  target.swiftSettings =
    commonSettings + [.unsafeFlags(["-package-name", libraryName])] + (target.swiftSettings ?? [])
}
