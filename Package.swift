// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
// Which modules exist, and which module may import which (docs/explanation/architecture.md).

import PackageDescription

// One trait is on by default, and no more: SwiftPM hands the names of several to the compiler in an order that
// changes from run to run, and compiles everything again when it does.
let acceleration: Set = ["HardwareAcceleration", "HardwareAccelerationWithoutBuiltins"]

// Of every target. Warnings are errors in .ci only: a newer compiler has more of them.
let commonSettings: [SwiftSetting] = [
  .define("HardwareAcceleration", .when(traits: ["HardwareAccelerationWithoutBuiltins"])),
  .define("CompilerBuiltins", .when(traits: ["HardwareAcceleration"])),
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
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

let compilerBuiltins: [SwiftSetting] = [
  .enableExperimentalFeature("BuiltinModule", .when(traits: ["HardwareAcceleration"]))
]

// The kernels are compiled for processors that have the instructions. -Xarch_ names the architecture,
// so that every other target still builds (docs/explanation/hardware-kernels.md).
func kernelFlags(x86: [String], arm: [String] = []) -> [SwiftSetting] {
  let flags = x86.map { ["-Xarch_x86_64", $0] } + arm.map { ["-Xarch_aarch64", $0] }
  return [.unsafeFlags((["-Qunused-arguments"] + flags.joined()).flatMap { ["-Xcc", $0] })]
}

let package = Package(
  name: "swift-sigv4",
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    // Hashing alone: SHA-2, HMAC, keys; spelled as in CryptoKit.
    .library(name: "SecureHashing", targets: ["SecureHashing"]),
    // Checksums alone: CRC-32, CRC-32C, CRC-64/NVME, XXH64, XXH3 and MD5.
    .library(name: "Checksums", targets: ["Checksums"]),
    // Signatures alone: ECDSA with P-256, Ed25519, and RSA.
    .library(name: "DigitalSignatures", targets: ["DigitalSignatures"]),
    // HTTP Message Signatures (RFC 9421), Web Bot Auth, and webhooks.
    .library(name: "MessageSignatures", targets: ["MessageSignatures"]),
    // Signing for every AWS service, with an HTTP client of your own. Needs no system.
    .library(name: "RequestSigning", targets: ["RequestSigning"]),
    // S3, R2, MinIO and other stores: buckets, share links, uploads in chunks, forms.
    .library(name: "S3Signing", targets: ["S3Signing"]),
    // Streams to Transcribe, Polly and Bedrock.
    .library(name: "EventStreamSigning", targets: ["EventStreamSigning"]),
    // Sign-in to databases, caches, Kubernetes, Bedrock, Vault and WebSockets.
    .library(name: "ConnectionTokens", targets: ["ConnectionTokens"]),
    // Signed URLs and cookies for Amazon CloudFront.
    .library(name: "CloudFrontSigning", targets: ["CloudFrontSigning"]),
    // Signature Version 4a: one signature for several regions.
    .library(name: "MultiRegionSigning", targets: ["MultiRegionSigning"]),
    // Servers that verify what others signed.
    .library(name: "RequestVerification", targets: ["RequestVerification"]),
    // The same for Signature Version 4a.
    .library(name: "MultiRegionVerification", targets: ["MultiRegionVerification"]),
    // A 403 to understand: which byte differs, and why.
    .library(name: "SignatureDiagnosis", targets: ["SignatureDiagnosis"]),
    // Credentials of profiles, roles, containers and Cognito, for any HTTP client.
    .library(name: "CredentialProviders", targets: ["CredentialProviders"]),
    // Their files, programs and sockets on servers, without Foundation.
    .library(name: "POSIXCredentialSources", targets: ["POSIXCredentialSources"]),
    // Apps: URLRequest and URLSession, uploads and downloads. Begin here in an app.
    .library(name: "RequestSigningFoundation", targets: ["RequestSigningFoundation"]),
    // The command line.
    .executable(name: "sigv4", targets: ["sigv4"]),
    // `swift package one-file`: modules as one file, or the folders that one needs.
    .plugin(name: "one-file", targets: ["one-file"]),
  ],
  traits: [
    .default(enabledTraits: ["HardwareAcceleration"]),
    .trait(
      name: "HardwareAcceleration",
      description: "Use the processor's instructions for hashes and checksums, if it has them."),
    .trait(
      name: "WebAssemblySIMD",
      description: "For wasm engines with SIMD: hash many messages in parallel."),
    .trait(
      name: "HardwareAccelerationWithoutBuiltins",
      description:
        "Use this instead of HardwareAcceleration if a new compiler rejects its module Builtin: "
        + "checksums are computed with tables, and AVX isn't used."),
  ],
  targets: [
    .target(
      name: "HardwareKernels",
      swiftSettings: optimizedInDebug + compilerBuiltins
        + kernelFlags(
          x86: ["-msha", "-msse4.2", "-mpclmul"], arm: ["-march=armv8-a+sha2+aes"])),
    .target(
      name: "LaneKernels",
      swiftSettings: optimizedInDebug + compilerBuiltins + [
        .unsafeFlags(
          ["-Xcc", "-Qunused-arguments", "-Xcc", "-Xarch_wasm32", "-Xcc", "-msimd128"],
          .when(traits: ["WebAssemblySIMD"]))
      ]),
    .target(
      name: "AVX2Kernels", dependencies: ["LaneKernels"],
      swiftSettings: optimizedInDebug + kernelFlags(x86: ["-mavx2", "-mbmi", "-mbmi2"])),
    .target(
      name: "AVX512Kernels", dependencies: ["LaneKernels"],
      swiftSettings: optimizedInDebug
        + kernelFlags(x86: ["-mavx512f", "-mavx512vl", "-mavx512bw", "-mbmi", "-mbmi2"])),
    .target(
      name: "IFMAKernels",
      swiftSettings: optimizedInDebug
        + kernelFlags(x86: [
          "-mavx512f", "-mavx512vl", "-mavx512bw", "-mavx512dq", "-mavx512ifma", "-mbmi", "-mbmi2",
        ])),
    .target(
      name: "VPCLMULQDQKernels",
      swiftSettings: optimizedInDebug + compilerBuiltins
        + kernelFlags(x86: ["-mavx2", "-mpclmul", "-mvpclmulqdq"])),
    .target(
      name: "SecureHashing",
      dependencies: [
        "HardwareKernels", "LaneKernels", "AVX2Kernels", "AVX512Kernels",
      ].map {
        .target(name: $0, condition: .when(traits: acceleration))
      },
      swiftSettings: optimizedInDebug),
    .target(
      name: "Checksums",
      dependencies: ["SecureHashing"]
        + [
          "HardwareKernels", "LaneKernels", "AVX2Kernels", "AVX512Kernels", "VPCLMULQDQKernels",
        ].map {
          .target(name: $0, condition: .when(traits: acceleration))
        },
      swiftSettings: optimizedInDebug),
    .target(
      name: "DigitalSignatures",
      dependencies: [
        "SecureHashing",
        .target(name: "IFMAKernels", condition: .when(traits: acceleration)),
      ],
      swiftSettings: optimizedInDebug),
    .target(
      name: "DocumentSupport", dependencies: ["RequestSigning"]),
    .target(
      name: "RequestSigning", dependencies: ["SecureHashing"]),
    .target(
      name: "MessageSignatures", dependencies: ["DigitalSignatures", "SecureHashing"]),
    .target(
      name: "S3Signing", dependencies: ["Checksums", "RequestSigning", "SecureHashing"]),
    .target(
      name: "EventStreamSigning",
      dependencies: ["Checksums", "RequestSigning", "SecureHashing"]),
    .target(
      name: "ConnectionTokens",
      dependencies: ["DocumentSupport", "RequestSigning", "SecureHashing"]),
    .target(
      name: "CloudFrontSigning",
      dependencies: [
        "DigitalSignatures", "DocumentSupport", "RequestSigning", "SecureHashing",
      ]),
    .target(
      name: "MultiRegionSigning",
      dependencies: [
        "DigitalSignatures", "RequestSigning", "S3Signing", "SecureHashing",
      ]),
    .target(
      name: "RequestVerification",
      dependencies: [
        "RequestSigning", "S3Signing", "SecureHashing", "DocumentSupport",
      ]),
    .target(
      name: "MultiRegionVerification",
      dependencies: [
        "DigitalSignatures", "MultiRegionSigning", "RequestSigning", "RequestVerification",
        "SecureHashing",
      ]),
    .target(
      name: "SignatureDiagnosis",
      dependencies: ["RequestSigning", "SecureHashing", "DocumentSupport"]),
    .target(
      name: "CredentialProviders",
      dependencies: [
        "ConnectionTokens", "DigitalSignatures", "RequestSigning", "S3Signing", "SecureHashing",
        "DocumentSupport",
      ]),
    .target(
      name: "POSIXCredentialSources",
      dependencies: ["CredentialProviders", "RequestSigning"]),
    .target(
      name: "RequestSigningFoundation",
      dependencies: [
        "CloudFrontSigning", "ConnectionTokens", "CredentialProviders", "DocumentSupport",
        "EventStreamSigning", "MessageSignatures", "MultiRegionSigning", "POSIXCredentialSources",
        "RequestSigning", "RequestVerification", "S3Signing", "SecureHashing",
        "SignatureDiagnosis",
      ]),
    .executableTarget(
      name: "sigv4",
      dependencies: [
        "Checksums", "CloudFrontSigning", "ConnectionTokens", "CredentialProviders",
        "DigitalSignatures", "MessageSignatures", "MultiRegionSigning", "MultiRegionVerification",
        "POSIXCredentialSources", "RequestSigning", "RequestVerification", "S3Signing",
        "SecureHashing", "SignatureDiagnosis", "DocumentSupport",
      ]),
    .plugin(
      name: "one-file",
      capability: .command(
        intent: .custom(
          verb: "one-file", description: "Print modules and all that they import as one Swift file")
      ),
      path: "Sources/OneFile"),
    .target(
      name: "TestSupport", dependencies: ["RequestSigning"], path: "Tests/TestSupport"),
    .testTarget(
      name: "SecureHashingTests", dependencies: ["Checksums", "SecureHashing", "TestSupport"]),
    .testTarget(
      name: "ChecksumsTests", dependencies: ["Checksums", "SecureHashing", "TestSupport"]),
    .testTarget(
      name: "DigitalSignaturesTests",
      dependencies: [
        "Checksums", "DigitalSignatures", "SecureHashing", "SigningTestSupport", "TestSupport",
        .target(name: "IFMAKernels", condition: .when(traits: acceleration)),
      ]),
    .testTarget(
      name: "MessageSignaturesTests",
      dependencies: [
        "DigitalSignatures", "MessageSignatures", "SecureHashing", "SigningTestSupport",
        "TestSupport",
      ]),
    .target(
      name: "SigningTestSupport",
      dependencies: [
        "POSIXCredentialSources", "RequestSigning", "RequestVerification", "SecureHashing",
        "TestSupport",
      ],
      path: "Tests/SigningTestSupport", exclude: ["near-server.py"]),
    .testTarget(
      name: "DocumentSupportTests",
      dependencies: [
        "DocumentSupport", "RequestSigning", "SecureHashing", "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "RequestSigningTests",
      dependencies: [
        "S3Signing", "ConnectionTokens", "RequestSigning", "SecureHashing", "SigningTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "S3SigningTests",
      dependencies: [
        "S3Signing", "RequestSigning", "SecureHashing", "SigningTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "EventStreamSigningTests",
      dependencies: [
        "EventStreamSigning", "RequestSigning", "SecureHashing", "SigningTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "ConnectionTokensTests",
      dependencies: [
        "ConnectionTokens", "RequestSigning", "SecureHashing", "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "CloudFrontSigningTests",
      dependencies: [
        "CloudFrontSigning", "DigitalSignatures", "RequestSigning", "SecureHashing",
        "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "MultiRegionSigningTests",
      dependencies: [
        "MultiRegionSigning", "DigitalSignatures", "RequestSigning", "S3Signing", "SecureHashing",
        "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "RequestVerificationTests",
      dependencies: [
        "RequestVerification", "Checksums", "S3Signing", "ConnectionTokens", "DocumentSupport",
        "EventStreamSigning", "RequestSigning", "SecureHashing", "SigningTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "MultiRegionVerificationTests",
      dependencies: [
        "MultiRegionVerification", "DigitalSignatures", "MultiRegionSigning", "RequestSigning",
        "RequestVerification", "S3Signing", "SecureHashing", "SigningTestSupport", "TestSupport",
      ],
      exclude: ["foreign-signatures.py"]),
    .testTarget(
      name: "SignatureDiagnosisTests",
      dependencies: [
        "SignatureDiagnosis", "MultiRegionSigning", "MultiRegionVerification",
        "RequestVerification", "S3Signing", "DocumentSupport",
        "RequestSigning", "SecureHashing", "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "CredentialProvidersTests",
      dependencies: [
        "CredentialProviders", "DigitalSignatures", "DocumentSupport", "RequestSigning",
        "S3Signing", "SecureHashing", "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "POSIXCredentialSourcesTests",
      dependencies: [
        "POSIXCredentialSources", "CredentialProviders", "RequestSigning", "SigningTestSupport",
      ]),
    .testTarget(
      name: "RequestSigningFoundationTests",
      dependencies: [
        "RequestSigningFoundation", "CloudFrontSigning", "ConnectionTokens", "CredentialProviders",
        "DigitalSignatures", "MessageSignatures",
        "MultiRegionVerification", "POSIXCredentialSources", "RequestSigning",
        "RequestVerification", "S3Signing", "SecureHashing", "SignatureDiagnosis",
        "SigningTestSupport", "TestSupport",
      ],
      exclude: ["credential-server.py", "loopback-server.py", "object-server.py"]),
    .testTarget(
      name: "SigV4CommandTests",
      dependencies: [
        "sigv4", "ConnectionTokens", "DigitalSignatures", "DocumentSupport", "RequestSigning",
        "RequestVerification",
        "S3Signing", "SecureHashing", "SignatureDiagnosis", "SigningTestSupport",
        "TestSupport",
      ]),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Checksums", "CloudFrontSigning", "ConnectionTokens", "CredentialProviders",
        "DigitalSignatures",
        "EventStreamSigning", "MessageSignatures",
        "MultiRegionSigning", "MultiRegionVerification", "POSIXCredentialSources", "RequestSigning",
        "RequestSigningFoundation", "RequestVerification", "S3Signing", "SecureHashing",
        "SignatureDiagnosis", "SigningTestSupport", "TestSupport",
      ]),
    .testTarget(
      name: "RealServerTests",
      dependencies: [
        "Checksums", "RequestSigningFoundation", "CredentialProviders", "RequestSigning",
        "S3Signing", "SecureHashing", "SignatureDiagnosis", "SigningTestSupport",
      ],
      exclude: ["serve-s3.py", "serve-s3-requirements.in", "serve-s3-requirements.txt"]),
  ]
)

for target in package.targets where target.type != .plugin {
  target.swiftSettings = commonSettings + (target.swiftSettings ?? [])
}
