// SPDX-License-Identifier: Apache-2.0
// The table of rooms: which module may know which (docs/explanation/architecture.md).

/// A module of the house.
struct Room {
  let name: String
  /// Core rooms compile for wasm and microcontrollers, and as loose files of somebody's target.
  let isCore: Bool
  let mayImport: [Permission]

  /// A module that may be imported, and what the `#if` around the import has to ask.
  struct Permission {
    let module: String
    let conditions: [String]

    static func always(_ module: String) -> Permission {
      Permission(module: module, conditions: [])
    }

    static func ifAvailable(_ module: String) -> Permission {
      Permission(module: module, conditions: ["canImport(\(module))"])
    }

    static func ifEnabled(
      _ module: String, trait: String, available: String? = nil
    ) -> Permission {
      Permission(module: module, conditions: [trait, "canImport(\(available ?? module))"])
    }
  }

  static let all = [
    Room(
      name: "HardwareKernels", isCore: true,
      mayImport: [.always("_Builtin_intrinsics"), .always("Builtin")]),
    Room(
      name: "SecureHashing", isCore: true,
      mayImport: [
        .ifEnabled("HardwareKernels", trait: "HardwareAcceleration"),
        // Which instructions the processor has, beside the kernels that need them.
        .ifEnabled(
          "_Builtin_intrinsics", trait: "HardwareAcceleration", available: "HardwareKernels"),
      ]),
    Room(
      name: "DigitalSignatures", isCore: true, mayImport: [.ifAvailable("SecureHashing")]),
    Room(
      name: "RequestSigning", isCore: true,
      mayImport: [
        .ifAvailable("SecureHashing"),
        // The lock of the key cache (decision 0005); Embedded Swift has none.
        Permission(module: "os", conditions: ["canImport(os)", "!hasFeature(Embedded)"]),
        Permission(
          module: "Synchronization",
          conditions: ["canImport(Synchronization)", "!hasFeature(Embedded)"]),
      ]),
    Room(
      name: "MultiRegionSigning", isCore: true,
      mayImport: [
        .ifAvailable("RequestSigning"), .ifAvailable("DigitalSignatures"),
        .ifAvailable("SecureHashing"),
      ]),
    Room(
      name: "CredentialProviders", isCore: false,
      mayImport: [.always("RequestSigning"), .always("SecureHashing")]),
    Room(
      name: "RequestSigningFoundation", isCore: false,
      mayImport: [
        .always("Foundation"), .ifAvailable("FoundationNetworking"),
        .ifAvailable("FoundationEssentials"), .always("SecureHashing"),
        .always("DigitalSignatures"), .always("RequestSigning"), .always("MultiRegionSigning"),
        .always("CredentialProviders"),
      ]),
    Room(
      name: "sigv4", isCore: false,
      mayImport: [
        .ifAvailable("Glibc"), .ifAvailable("Musl"), .ifAvailable("Darwin"),
        .always("SecureHashing"), .always("DigitalSignatures"), .always("RequestSigning"),
        .always("MultiRegionSigning"), .always("CredentialProviders"),
      ]),
  ]

  /// The only names that core files may declare at the top: vendored, they share them with a host.
  static let topLevelNames = [
    "SHA256", "HMAC", "HashFunction", "SymmetricKey", "Hexadecimal", "Base64", "ConstantTime",
    "Insecure", "CyclicRedundancyCheck", "CRC32", "CRC32C", "CRC64NVME", "P256", "SigV4", "SigV4A",
  ]
}
