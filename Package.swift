// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// The house: which rooms exist, and which room may know which (docs/explanation/architecture.md).

import PackageDescription

let houseRules: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .treatWarning("DeprecatedDeclaration", as: .warning),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
]

// A debug build of somebody's app must not hash at a hundredth of the speed.
let optimizedInDebug: [SwiftSetting] = [
  .unsafeFlags(["-O"], .when(configuration: .debug))
]

let package = Package(
  name: "swift-sigv4",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "SecureHashing", targets: ["SecureHashing"]),
    .library(name: "RequestSigning", targets: ["RequestSigning"]),
    .executable(name: "sigv4", targets: ["sigv4"]),
  ],
  targets: [
    .target(name: "SecureHashing", swiftSettings: houseRules + optimizedInDebug),
    .target(
      name: "RequestSigning", dependencies: ["SecureHashing"], swiftSettings: houseRules),
    .executableTarget(
      name: "sigv4", dependencies: ["RequestSigning", "SecureHashing"], swiftSettings: houseRules),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: houseRules),
    .testTarget(
      name: "SecureHashingTests", dependencies: ["SecureHashing", "TestSupport"],
      swiftSettings: houseRules),
    .testTarget(
      name: "RequestSigningTests",
      dependencies: ["RequestSigning", "SecureHashing", "TestSupport"],
      swiftSettings: houseRules),
    .testTarget(
      name: "SigV4CommandTests", dependencies: ["sigv4", "RequestSigning", "TestSupport"],
      swiftSettings: houseRules),
    .testTarget(
      name: "HouseRulesTests", dependencies: ["TestSupport"], swiftSettings: houseRules),
  ]
)
