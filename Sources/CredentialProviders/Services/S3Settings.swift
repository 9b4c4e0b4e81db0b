// SPDX-License-Identifier: Apache-2.0
// The settings of Amazon S3 in a profile, indented below `s3 =`.

/// The settings of Amazon S3 in a profile, indented below `s3 =`.
///
/// Source: AWS CLI, topic `s3-config`, and botocore.
package struct S3Settings: Hashable, Sendable {
  /// Where a request contains the name of the bucket (`addressing_style`).
  package enum AddressingStyle: String, Sendable {
    case automatic = "auto"
    case virtual
    case path
  }

  /// `addressing_style`.
  package private(set) var addressingStyle = AddressingStyle.automatic

  /// `use_dualstack_endpoint`.
  package private(set) var usesDualStackEndpoints = false

  /// `use_accelerate_endpoint`.
  package private(set) var usesAccelerateEndpoints = false

  init() {}

  /// Reads the settings of a profile. Names of unknown settings are ignored, such as those of
  /// `aws s3 cp`.
  init(_ profile: ProfileFiles.Section?) throws(CredentialError) {
    for setting in profile?.setting("s3")?.settings ?? [] {
      let text = setting.text ?? ""
      switch setting.name {
      case "addressing_style": addressingStyle = try Self.addressingStyle(text)
      case "use_dualstack_endpoint": usesDualStackEndpoints = text.lowercased() == "true"
      case "use_accelerate_endpoint": usesAccelerateEndpoints = text.lowercased() == "true"
      default: break
      }
    }
  }

  private static func addressingStyle(_ text: String) throws(CredentialError) -> AddressingStyle {
    if let style = AddressingStyle(rawValue: text) { return style }
    throw CredentialError(
      .invalidConfiguration, "addressing_style isn't valid: \(text.shown).",
      fix: "Use auto, virtual or path.")
  }
}
