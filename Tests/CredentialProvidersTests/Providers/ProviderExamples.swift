// SPDX-License-Identifier: Apache-2.0
// One configured provider of each kind, and its service's responses.

internal import CredentialProviders
internal import RequestSigning

/// Answers in the shapes of AWS's documentation; each names its page.
enum ProviderExamples {
  static let role = "arn:aws:iam::123456789012:role/demo"
  static let pool = "us-east-1:01234567-89ab-cdef-0123-456789abcdef"
  static let identity = "us-east-1:fedcba98-7654-3210-fedc-ba9876543210"
  static let sessionFile = "/home/user/.aws/sso/cache/0ad374308c5a4e22f723adf10145eafad7c4031c.json"
  static let startFile = "/home/user/.aws/sso/cache/e8be5486177c5b5392bd9aa76563515b29358e6e.json"
  static let end = "20240102T090405Z"

  /// AWS Security Token Service API Reference, AssumeRole, Examples.
  static func securityToken(
    _ operation: String = "AssumeRole", expiration: String = "2024-01-02T09:04:05Z"
  ) -> String {
    """
    <\(operation)Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <\(operation)Result>
        <SourceIdentity>DevUser123</SourceIdentity>
        <AssumedRoleUser>
          <Arn>arn:aws:sts::123456789012:assumed-role/demo/TestAR</Arn>
          <AssumedRoleId>ARO123EXAMPLE123:TestAR</AssumedRoleId>
        </AssumedRoleUser>
        <Credentials>
          <AccessKeyId>ASIAIOSFODNN7EXAMPLE</AccessKeyId>
          <SecretAccessKey>\(Secret.key)</SecretAccessKey>
          <SessionToken>\(Secret.sessionToken)</SessionToken>
          <Expiration>\(expiration)</Expiration>
        </Credentials>
        <PackedPolicySize>8</PackedPolicySize>
      </\(operation)Result>
      <ResponseMetadata>
        <RequestId>c6104cbe-af31-11e0-8154-cbc7ccf896c7</RequestId>
      </ResponseMetadata>
    </\(operation)Response>
    """
  }

  /// Amazon S3 API Reference, CreateSession, Response Syntax.
  static func expressSession(expiration: String = "2024-01-02T03:09:05Z") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <CreateSessionResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
      <Credentials>
        <SessionToken>\(Secret.sessionToken)</SessionToken>
        <SecretAccessKey>\(Secret.key)</SecretAccessKey>
        <AccessKeyId>ASIAIOSFODNN7EXAMPLE</AccessKeyId>
        <Expiration>\(expiration)</Expiration>
      </Credentials>
    </CreateSessionResult>
    """
  }

  /// AWS Security Token Service API Reference, Common Errors: responses of Amazon EC2 and STS.
  static func securityTokenError(_ code: String, _ message: String) -> String {
    """
    <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
      <Error><Type>Sender</Type><Code>\(code)</Code><Message>\(message)</Message></Error>
      <RequestId>01234567-89ab-cdef-0123-456789abcdef</RequestId>
    </ErrorResponse>
    """
  }

  /// Amazon EC2 User Guide, "Retrieve security credentials from instance metadata".
  static func instance(
    code: String = "Success", expiration: String = "2024-01-02T09:04:05Z"
  ) -> String {
    """
    {
      "Code" : "\(code)",
      "LastUpdated" : "2024-01-02T03:00:00Z",
      "Type" : "AWS-HMAC",
      "AccessKeyId" : "ASIAIOSFODNN7EXAMPLE",
      "SecretAccessKey" : "\(Secret.key)",
      "Token" : "\(Secret.sessionToken)",
      "Expiration" : "\(expiration)"
    }
    """
  }

  /// Amazon ECS Developer Guide, "Amazon ECS task IAM role".
  static func container(expiration: String = "2024-01-02T09:04:05Z") -> String {
    """
    {
      "AccessKeyId": "ASIAIOSFODNN7EXAMPLE", "Expiration": "\(expiration)",
      "RoleArn": "\(role)", "SecretAccessKey": "\(Secret.key)", "Token": "\(Secret.sessionToken)"
    }
    """
  }

  /// IAM Identity Center Portal API Reference, GetRoleCredentials: milliseconds.
  static func sso(expiration: String = "1704186245000") -> String {
    """
    {"roleCredentials": {"accessKeyId": "ASIAIOSFODNN7EXAMPLE", "expiration": \(expiration),
     "secretAccessKey": "\(Secret.key)", "sessionToken": "\(Secret.sessionToken)"}}
    """
  }

  /// Amazon Cognito Federated Identities API Reference, GetCredentialsForIdentity: seconds.
  static func cognito(
    expiration: String = "1.704186245E9", identity: String = identity
  ) -> String {
    """
    {"Credentials": {"AccessKeyId": "ASIAIOSFODNN7EXAMPLE", "Expiration": \(expiration),
     "SecretKey": "\(Secret.key)", "SessionToken": "\(Secret.sessionToken)"},
     "IdentityId": "\(identity)"}
    """
  }

  static func cognitoIdentity(_ identity: String = identity) -> String {
    "{\"IdentityId\": \"\(identity)\"}"
  }

  /// As the AWS CLI writes it.
  static func signIn(
    expiresAt: String = "2024-01-02T09:04:05Z", registration: String = "2024-03-02T00:00:00Z"
  ) -> String {
    """
    {"startUrl": "https://example.awsapps.com/start", "region": "eu-west-1",
     "accessToken": "\(Secret.accessToken)", "expiresAt": "\(expiresAt)", "clientId": "client",
     "clientSecret": "\(Secret.clientSecret)", "registrationExpiresAt": "\(registration)",
     "refreshToken": "\(Secret.refreshToken)"}
    """
  }

  static func expectCredentials(_ provided: ResolvedCredentials) throws {
    try expect(
      provided, "ASIAIOSFODNN7EXAMPLE", secret: Secret.key, token: Secret.sessionToken, until: end)
  }
}
