// SPDX-License-Identifier: Apache-2.0
// What profiles say about credentials that somebody else has to be asked for, as plain values.

/// The settings of a role that is assumed with other credentials.
public struct AssumeRoleSettings: Hashable, Sendable {
  /// `role_arn`
  public var roleARN: String
  /// `role_session_name`
  public var roleSessionName: String?
  /// `external_id`
  public var externalID: String?
  /// `duration_seconds`
  public var durationSeconds: Int?
  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile that was asked for.
  public var region: String?
  /// `AWS_STS_REGIONAL_ENDPOINTS`, or `sts_regional_endpoints` of the profile that was asked for.
  public var stsRegionalEndpoints: STSRegionalEndpoints?

  /// A role, with nothing else set.
  public init(roleARN: String) { self.roleARN = roleARN }
}

/// The settings of a role that is assumed with a token in a file.
public struct WebIdentitySettings: Hashable, Sendable {
  /// `web_identity_token_file`
  public var webIdentityTokenFile: String
  /// `role_arn`
  public var roleARN: String
  /// `role_session_name`
  public var roleSessionName: String?
  /// `AWS_REGION`, `AWS_DEFAULT_REGION`, or `region` of the profile that was asked for.
  public var region: String?
  /// `AWS_STS_REGIONAL_ENDPOINTS`, or `sts_regional_endpoints` of the profile that was asked for.
  public var stsRegionalEndpoints: STSRegionalEndpoints?

  /// A role and the file of its token, with nothing else set.
  public init(webIdentityTokenFile: String, roleARN: String) {
    self.webIdentityTokenFile = webIdentityTokenFile
    self.roleARN = roleARN
  }
}

/// The settings of a role in an account of IAM Identity Center.
public struct SSOSettings: Hashable, Sendable {
  /// `sso_session`: its name, when the profile refers to one. The token cache goes by it, or else by
  /// the start URL.
  public var ssoSession: String?
  /// `sso_start_url`
  public var ssoStartURL: String
  /// `sso_region`
  public var ssoRegion: String
  /// `sso_account_id`
  public var ssoAccountID: String
  /// `sso_role_name`
  public var ssoRoleName: String

  /// A role in an account.
  public init(
    ssoStartURL: String, ssoRegion: String, ssoAccountID: String, ssoRoleName: String,
    ssoSession: String? = nil
  ) {
    self.ssoStartURL = ssoStartURL
    self.ssoRegion = ssoRegion
    self.ssoAccountID = ssoAccountID
    self.ssoRoleName = ssoRoleName
    self.ssoSession = ssoSession
  }
}

/// Which endpoint of the Security Token Service a role is asked of: `sts_regional_endpoints`.
public enum STSRegionalEndpoints: String, Hashable, Sendable {
  /// That of the region.
  case regional
  /// `sts.amazonaws.com` for the regions that were there first, and that of the region for others.
  case legacy
}
