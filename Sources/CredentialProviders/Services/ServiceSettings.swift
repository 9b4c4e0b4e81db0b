// SPDX-License-Identifier: Apache-2.0
// The endpoints and retries of services, from the environment and a profile, as in botocore.

internal import RequestSigning
internal import SecureHashing

/// The endpoints and retries of services, from the environment and a profile.
///
///     let settings = try ServiceSettings(profile: "work", sources: .process)
///     let url = try settings.endpointURL(of: .s3)  // nil: use AWS's endpoint
///
/// | property | variable | setting of the profile |
/// |---|---|---|
/// | `region` | `AWS_REGION`, `AWS_DEFAULT_REGION` | `region` |
/// | `endpointURL(of:)` | `AWS_ENDPOINT_URL_STS` etc., `AWS_ENDPOINT_URL` | `services`, `endpoint_url` |
/// | none of these | `AWS_IGNORE_CONFIGURED_ENDPOINT_URLS` | `ignore_configured_endpoint_urls` |
/// | `usesFIPSEndpoints` | `AWS_USE_FIPS_ENDPOINT` | `use_fips_endpoint` |
/// | `usesDualStackEndpoints` | `AWS_USE_DUALSTACK_ENDPOINT` | `use_dualstack_endpoint` |
/// | `usesLegacySTSEndpoints` | `AWS_STS_REGIONAL_ENDPOINTS` | `sts_regional_endpoints` |
/// | `maximumAttempts` | `AWS_MAX_ATTEMPTS` | `max_attempts` |
/// | its default: 5 for `legacy`, 3 otherwise | `AWS_RETRY_MODE` | `retry_mode` |
/// | `accountID` | `AWS_ACCOUNT_ID` | `aws_account_id` |
///
/// A variable overrides the profile. An endpoint URL overrides FIPS and dual-stack. A region such
/// as `fips-us-west-2` or `us-west-2-fips` means `us-west-2` with FIPS endpoints, but only for
/// services in this region, not for those with their own, such as `sso_region`.
///
/// Source: AWS SDKs and Tools Reference Guide, "Service-specific endpoints", "Dual-stack and FIPS
/// endpoints"; the order is that of botocore.
public struct ServiceSettings: Hashable, Sendable {
  /// The region, or nil if none is set.
  public var region: String?

  /// Whether to use endpoints with FIPS 140 validated cryptography.
  public var usesFIPSEndpoints = false

  /// Whether to use endpoints with IPv4 and IPv6.
  public var usesDualStackEndpoints = false

  /// Whether to use the old endpoints of AWS STS (`sts_regional_endpoints = legacy`).
  public var usesLegacySTSEndpoints = false

  /// The maximum number of attempts if a service is busy or unreachable, at least 1.
  public var maximumAttempts = 3

  /// The account, 12 digits, or nil if none is set. An account in the credentials
  /// (``ResolvedCredentials/accountID``) overrides it.
  public var accountID: String?

  /// The settings of Amazon S3 alone.
  package private(set) var s3 = S3Settings()

  /// Whether FIPS endpoints are used only because of the region's name.
  private var hasFIPSOfRegion = false

  private var endpoints: [Service: Result<String, CredentialError>] = [:]

  /// Creates settings with AWS's own endpoints, and no region.
  public init() {}

  /// Reads the settings of the environment and a profile: the given one, the selected one or the
  /// default.
  ///
  /// - Throws: `invalidFile` if a profile file can't be read or parsed, and `invalidConfiguration`
  ///   if a given or selected profile doesn't exist, and for an invalid value.
  public init(profile: String? = nil, sources: CredentialSources) throws(CredentialError) {
    try self.init(profile: profile, in: ProfileFiles(sources: sources), sources: sources)
  }

  /// Creates the given settings, or reads those of the environment and the selected profile.
  init(
    _ given: ServiceSettings?, orOf sources: CredentialSources
  ) throws(CredentialError) {
    if let given { self = given } else { try self.init(sources: sources) }
  }

  package init(
    profile name: String? = nil, in files: ProfileFiles, sources: CredentialSources
  ) throws(CredentialError) {
    let profile = try files.profileIfAny(named: name, sources: sources)
    let reader = SettingsReader(profile: profile, files: files, sources: sources)
    usesFIPSEndpoints = try reader.isTrue("use_fips_endpoint")
    setRegion(ProfileFiles.region(of: profile, sources))
    accountID = sources.setVariable("AWS_ACCOUNT_ID") ?? profile?["aws_account_id"]
    usesDualStackEndpoints = try reader.isTrue("use_dualstack_endpoint")
    usesLegacySTSEndpoints = try reader.usesLegacySTSEndpoints()
    maximumAttempts = try reader.maximumAttempts()
    s3 = try S3Settings(profile)
    if try reader.isTrue("ignore_configured_endpoint_urls") { return }
    for service in Service.all {
      do throws(CredentialError) {
        endpoints[service] = try reader.endpointURL(of: service).map { .success($0) }
      } catch {
        endpoints[service] = .failure(error)
      }
    }
  }

  /// Returns the configured URL of a service, or nil to use AWS's own endpoint.
  ///
  /// - Throws: `invalidConfiguration` if the profile's section `[services NAME]` doesn't exist or
  ///   has an invalid format.
  public func endpointURL(of service: Service) throws(CredentialError) -> String? {
    try endpoints[service]?.get()
  }

  /// Sets the URL of a service: a VPC endpoint, or a test server.
  public mutating func setEndpointURL(_ url: String, of service: Service) {
    endpoints[service] = .success(url)
  }

  /// Sets the region by its name, which may request FIPS endpoints.
  package mutating func setRegion(_ name: String?) {
    if hasFIPSOfRegion { usesFIPSEndpoints = false }
    region = name.map(ServiceRegion.withoutFIPS)
    hasFIPSOfRegion = region != name && !usesFIPSEndpoints
    if hasFIPSOfRegion { usesFIPSEndpoints = true }
  }

  /// Returns the URL of a service: the configured one, or AWS's own in the region of these
  /// settings. Nil if neither a URL nor a region is set.
  func url(of service: Service) throws(CredentialError) -> String? {
    if let url = try endpointURL(of: service) { return url }
    guard let region else { return nil }
    return try "https://" + host(of: service, in: region, usesFIPSEndpoints ? .fips : .usual)
  }

  /// Returns the URL of a service with its own region, whose name may request FIPS endpoints.
  func url(of service: Service, in region: String) throws(CredentialError) -> String {
    if let url = try endpointURL(of: service) { return url }
    let plain = ServiceRegion.withoutFIPS(region)
    let isFIPS = plain != region || usesFIPSEndpoints && !hasFIPSOfRegion
    return try "https://" + host(of: service, in: plain, isFIPS ? .fips : .usual)
  }

  private enum Cryptography { case usual, fips }

  /// Source: the endpoint rules of botocore 1.44.
  private func host(
    of service: Service, in region: String, _ cryptography: Cryptography
  ) throws(CredentialError) -> String {
    let domain = try ServiceRegion.domain(of: region)
    let label = cryptography == .fips ? "-fips" : ""
    if usesDualStackEndpoints {
      return "\(service.host)\(label).\(region).\(try dualStackDomain(region, domain))"
    }
    let isGovCloud = region.hasPrefix("us-gov-")
    if service != .signIn {
      // In GovCloud, all endpoints are FIPS endpoints, most of them under their usual name.
      let isUsual = isGovCloud && service != .rolesAnywhere
      return "\(service.host)\(isUsual ? "" : label).\(region).\(domain)"
    }
    if isGovCloud {
      let isFirst = cryptography == .fips && region == "us-gov-west-1"
      return "\(isFirst ? "" : region + ".")signin\(label).amazonaws-us-gov.com"
    }
    if cryptography == .usual, let host = Self.signInHosts[domain] { return "\(region).\(host)" }
    return "signin\(label).\(region).\(domain)"
  }

  private func dualStackDomain(
    _ region: String, _ domain: String
  ) throws(CredentialError) -> String {
    if let domain = Self.dualStackDomains[domain] { return domain }
    throw CredentialError(
      .invalidConfiguration,
      "use_dualstack_endpoint is set, but the partition of \(region.shown) has no dual-stack "
        + "endpoints.",
      fix: "Remove the setting.")
  }

  /// The AWS Sign-In hosts without FIPS and dual-stack, by the partition's domain.
  private static let signInHosts = [
    "amazonaws.com": "signin.aws.amazon.com", "amazonaws.com.cn": "signin.amazonaws.cn",
    "amazonaws.eu": "signin.amazonaws-eusc.eu", "c2s.ic.gov": "signin.c2shome.ic.gov",
    "sc2s.sgov.gov": "signin.sc2shome.sgov.gov", "cloud.adc-e.uk": "signin.csphome.adc-e.uk",
    "csp.hci.ic.gov": "signin.csphome.hci.ic.gov",
  ]

  /// `dualStackDnsSuffix` of botocore's partitions by `dnsSuffix`, except those without endpoints.
  private static let dualStackDomains = [
    "amazonaws.com": "api.aws", "amazonaws.com.cn": "api.amazonwebservices.com.cn",
    "amazonaws.eu": "api.amazonwebservices.eu", "c2s.ic.gov": "api.aws.ic.gov",
    "sc2s.sgov.gov": "api.aws.scloud",
  ]
}

extension ServiceSettings: Redacted {}

extension ServiceSettings: CustomStringConvertible {
  /// The region and the configured endpoints, without users and passwords in their URLs.
  public var description: String {
    let endpoints = Service.all.compactMap { service -> String? in
      guard let url = try? endpointURL(of: service) else { return nil }
      return "\(service): \(url.withoutURLCredentials)"
    }
    return "ServiceSettings(\(([region ?? "no region"] + endpoints).joined(separator: ", ")))"
  }
}

extension ServiceSettings {
  /// A service with a configurable endpoint.
  public struct Service: Hashable, Sendable, CustomStringConvertible {
    /// Its name in a section `[services NAME]`, and in uppercase in variables: `sso_oidc`.
    public let name: String

    /// The start of its endpoints' host names.
    fileprivate let host: String

    /// The name of the service.
    public var description: String { name }

    /// AWS STS: `AWS_ENDPOINT_URL_STS`.
    public static let sts = Service(name: "sts", host: "sts")
    /// The portal of IAM Identity Center: `AWS_ENDPOINT_URL_SSO`.
    public static let sso = Service(name: "sso", host: "portal.sso")
    /// The OIDC service of IAM Identity Center: `AWS_ENDPOINT_URL_SSO_OIDC`.
    public static let ssoOIDC = Service(name: "sso_oidc", host: "oidc")
    /// AWS Sign-In, which refreshes `aws login` sign-ins: `AWS_ENDPOINT_URL_SIGNIN`.
    public static let signIn = Service(name: "signin", host: "signin")
    /// IAM Roles Anywhere: `AWS_ENDPOINT_URL_ROLESANYWHERE`.
    public static let rolesAnywhere = Service(name: "rolesanywhere", host: "rolesanywhere")
    /// Amazon S3: `AWS_ENDPOINT_URL_S3`.
    public static let s3 = Service(name: "s3", host: "s3")

    fileprivate static let all = [sts, sso, ssoOIDC, signIn, rolesAnywhere, s3]
  }
}

/// Reads settings from the environment and a profile.
private struct SettingsReader {
  let profile: ProfileFiles.Section?
  let files: ProfileFiles
  let sources: CredentialSources

  /// Returns a variable, even if it's empty, or the setting of the same name.
  private func text(_ name: String) throws(CredentialError) -> String? {
    if let value = sources.variable("AWS_" + name.uppercased()) { return value }
    return try profile?.text(name)
  }

  /// As in botocore, everything except `true` counts as false.
  func isTrue(_ name: String) throws(CredentialError) -> Bool {
    try text(name)?.lowercased() == "true"
  }

  func usesLegacySTSEndpoints() throws(CredentialError) -> Bool {
    switch try text("sts_regional_endpoints")?.lowercased() {
    case nil, "", "regional": return false
    case "legacy": return true
    case let other?:
      throw CredentialError(
        .invalidConfiguration,
        "sts_regional_endpoints (AWS_STS_REGIONAL_ENDPOINTS) isn't valid: \(other.shown).",
        fix: "Use regional or legacy.")
    }
  }

  func maximumAttempts() throws(CredentialError) -> Int {
    let usual = try attemptsOfMode()
    var given = sources.setVariable("AWS_MAX_ATTEMPTS")
    if given == nil { given = try profile?.text("max_attempts") }
    guard let given else { return usual }
    if let number = Int(given), (1...100).contains(number) { return number }
    throw CredentialError(
      .invalidConfiguration, "max_attempts (AWS_MAX_ATTEMPTS) isn't valid: \(given.shown).",
      fix: "Use 1 to 100.")
  }

  /// Source: AWS SDKs and Tools Reference Guide, "Retry behavior". The modes don't differ otherwise
  /// here: there are too few credential requests to limit their rate.
  private func attemptsOfMode() throws(CredentialError) -> Int {
    var given = sources.setVariable("AWS_RETRY_MODE")
    if given == nil { given = try profile?.text("retry_mode") }
    switch given?.lowercased() {
    case nil, "standard", "adaptive": return 3
    case "legacy": return 5
    case let other?:
      throw CredentialError(
        .invalidConfiguration, "retry_mode (AWS_RETRY_MODE) isn't valid: \(other.shown).",
        fix: "Use standard, adaptive or legacy.")
    }
  }

  func endpointURL(of service: ServiceSettings.Service) throws(CredentialError) -> String? {
    let name = "AWS_ENDPOINT_URL"
    if let url = sources.setVariable(name + "_" + service.name.uppercased())
      ?? sources.setVariable(name)
    {
      return url
    }
    if let url = try sectionURL(of: service), !url.isEmpty { return url }
    let url = try profile?.text("endpoint_url")
    return url == "" ? nil : url
  }

  /// Returns the `endpoint_url` of a service in the profile's section `[services NAME]`.
  private func sectionURL(
    of service: ServiceSettings.Service
  ) throws(CredentialError) -> String? {
    guard let profile, let name = try profile.text("services") else { return nil }
    guard let section = files.services(named: name), !section.settings.isEmpty else {
      throw CredentialError(
        .invalidConfiguration,
        "Profile \(profile.name.shown) uses [services \(name)], which is empty or isn't in "
          + "\(files.configPath), so the endpoint of \(service) is unknown.",
        fix: "Check the spelling.")
    }
    guard let setting = section.setting(service.name) else { return nil }
    if setting.text == nil {
      return setting.settings.first { $0.name == "endpoint_url" }?.text
    }
    throw CredentialError(
      .invalidConfiguration,
      "\(setting) of [services \(name)] must have indented settings, not a value.",
      fix: "Write endpoint_url = https://host on the next line, indented.")
  }
}
