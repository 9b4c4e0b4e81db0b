# SPDX-License-Identifier: Apache-2.0
# Prints credential-requests.txt: what botocore sends to services that give credentials.

import datetime
import json
import os
import sys
import types

sys.dont_write_bytecode = True

import botocore.auth
import botocore.credentials
import botocore.handlers
import botocore.session
import botocore.tokens
import botocore.utils
from botocore import UNSIGNED
from botocore.awsrequest import AWSResponse
from botocore.config import Config

from botocore_tables import login
from botocore_tables.sent import request_of
from botocore_tables.signing import CREDENTIALS, print_field

# What is set on this machine says nothing here.
for variable in [name for name in os.environ if name.startswith("AWS_")]:
    del os.environ[variable]
os.environ["AWS_CONFIG_FILE"] = os.environ["AWS_SHARED_CREDENTIALS_FILE"] = os.devnull

MOMENT = datetime.datetime(2024, 1, 2, 3, 4, 5)
botocore.auth.get_current_datetime = lambda *arguments: MOMENT


def sent_by(service, region, operation, parameters, token=None, unsigned=False):
    """The request of an operation, without the headers that count attempts."""
    version = UNSIGNED if unsigned else None
    client = botocore.session.Session().create_client(
        service, region, aws_access_key_id=CREDENTIALS[0], aws_secret_access_key=CREDENTIALS[1],
        aws_session_token=token, config=Config(signature_version=version))
    client.meta.events.unregister("request-created", botocore.handlers.add_retry_headers)
    return request_of(client, operation, parameters)


def print_request(request):
    print_field("method", request.method)
    print_field("url", request.url)
    for name, value in sorted(request.headers.items(), key=lambda header: header[0].lower()):
        if name not in ("User-Agent", "Content-Length"):
            text = value.decode() if isinstance(value, bytes) else value
            print_field("header", f"{name.lower()}: {text}")
    body = request.body or b""
    body = body if isinstance(body, bytes) else body.encode()
    if body.startswith(b"{"):
        body = compact(json.loads(body))
    print_field("body", body)


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def print_record(name, provider, inputs, request):
    print()
    print_field("name", name)
    print_field("provider", provider)
    for field, value in inputs:
        if value is not None:
            print_field(field, value)
    print_request(request)


ROLE = "arn:aws:iam::123456789012:role/path/reader"


def print_assume_role(name, region, legacy=None, token=None, session_name="ses", **parameters):
    parameters = {"RoleArn": ROLE, "RoleSessionName": session_name, **parameters}
    if legacy:
        os.environ["AWS_STS_REGIONAL_ENDPOINTS"] = "legacy"
    request = sent_by("sts", region, "assume_role", parameters, token)
    if legacy:
        del os.environ["AWS_STS_REGIONAL_ENDPOINTS"]
    inputs = [("role", ROLE), ("region", region), ("legacy", legacy), ("token", token),
              ("session-name", session_name), ("policy", parameters.get("Policy")),
              ("duration", parameters.get("DurationSeconds")),
              ("external-id", parameters.get("ExternalId"))]
    inputs += [("policy-arn", policy["arn"]) for policy in parameters.get("PolicyArns", [])]
    for tag in parameters.get("Tags", []):
        kind = "transitive" if tag["Key"] in parameters.get("TransitiveTagKeys", []) else "own"
        inputs.append(("tag", f"{tag['Key']}\n{tag['Value']}\n{kind}"))
    inputs += [("mfa-serial", parameters.get("SerialNumber")),
               ("mfa-code", parameters.get("TokenCode")),
               ("source-identity", parameters.get("SourceIdentity"))]
    print_record(name, "assume-role", inputs, request)


def print_web_identity(name, region, token, **parameters):
    parameters = {"RoleArn": ROLE, "RoleSessionName": "pod@1", "WebIdentityToken": token,
                  **parameters}
    request = sent_by("sts", region, "assume_role_with_web_identity", parameters)
    inputs = [("role", ROLE), ("region", region), ("session-name", "pod@1"), ("token", token),
              ("policy", parameters.get("Policy")),
              ("duration", parameters.get("DurationSeconds"))]
    inputs += [("policy-arn", policy["arn"]) for policy in parameters.get("PolicyArns", [])]
    print_record(name, "web-identity", inputs, request)


def print_express_session(name, bucket, region, token=None, mode=None):
    parameters = {"Bucket": bucket} | ({"SessionMode": mode} if mode else {})
    request = sent_by("s3", region, "create_session", parameters, token)
    print_record(name, "express", [("bucket", bucket), ("region", region), ("token", token),
                                   ("mode", mode)], request)


def print_role_credentials(name, region, role, account, token):
    request = sent_by("sso", region, "get_role_credentials",
                      {"roleName": role, "accountId": account, "accessToken": token},
                      unsigned=True)
    print_record(name, "sso", [("region", region), ("role", role), ("account", account),
                               ("token", token)], request)


def print_renewal(name, region, start_url, session_name, refreshed):
    """The request for a new token, the file in which it was and the one that is written back."""
    cached = {"startUrl": start_url, "region": region, "accessToken": "old-access-token",
              "expiresAt": "2024-01-02T03:10:00Z", "clientId": "client/id=",
              "clientSecret": "client\\\"secret", "registrationExpiresAt": "2024-03-02T00:00:00Z",
              "refreshToken": "old-refresh-token"}
    cache = {}
    loader = botocore.utils.SSOTokenLoader(cache)
    loader.save_token(start_url, cached, session_name=session_name)
    (key,) = cache

    class ClientOfOneAnswer:
        def create_token(self, **parameters):
            self.request = sent_by("sso-oidc", region, "create_token", parameters, unsigned=True)
            return refreshed

    class SessionOfOneProfile:
        full_config = {"profiles": {"p": {"sso_session": session_name}}, "sso_sessions": {
            session_name: {"sso_start_url": start_url, "sso_region": region}}}

    def moment():
        return MOMENT.replace(tzinfo=datetime.timezone.utc)

    provider = botocore.tokens.SSOTokenProvider(
        SessionOfOneProfile(), cache=cache, time_fetcher=moment, profile_name="p")
    client = provider.__dict__["_client"] = ClientOfOneAnswer()
    before = compact(cache[key])
    provider.load_token().get_frozen_token()
    print_record(name, "sso-renewal", [
        ("region", region), ("start-url", start_url), ("session", session_name),
        ("file-name", key + ".json"), ("file", before), ("answer", compact(refreshed)),
        ("renewed-file", compact(json.loads(botocore.tokens._sso_json_dumps(cache[key]))))],
        client.request)


def print_login(name, region, session, form, answer, **members):
    """The request that renews what `aws login` began, with its proof, and both states of the file."""
    before = {
        "accessToken": {"accessKeyId": "ASIAOLD", "secretAccessKey": "old/secret",
                        "sessionToken": "old-token==", "accountId": "123456789012",
                        "expiresAt": "2024-01-02T03:09:05Z"},
        "tokenType": "aws_sigv4", "clientId": "arn:aws:signin:::devtools/same-device",
        "refreshToken": "old-refresh-token", "idToken": "eyJ.id.token", "dpopKey": login.pem(form),
        **members}
    cache = {}
    loader = botocore.utils.LoginTokenLoader(cache)
    loader.save_token(session, json.loads(json.dumps(before)))
    ((key, _),) = cache.items()
    sent = []

    def client(service, config):
        made = botocore.session.Session().create_client(service, region, config=config)
        made.meta.events.unregister("request-created", botocore.handlers.add_retry_headers)

        def answered(request, **others):
            sent.append(request)
            return AWSResponse(request.url, 200, {"content-type": "application/json"},
                               Raw(compact(answer)))

        made.meta.events.register("before-send", answered)
        return made

    moment = MOMENT.replace(tzinfo=datetime.timezone.utc)
    identifier = "01234567-89ab-4def-8123-456789abcdef"
    botocore.credentials.uuid = types.SimpleNamespace(uuid4=lambda: identifier)
    botocore.credentials.time = types.SimpleNamespace(time=moment.timestamp)
    fetcher = botocore.credentials.LoginCredentialFetcher(
        session, loader, client, time_fetcher=lambda: moment)
    fetcher.refresh_credentials()
    (request,) = sent
    print_record(name, "login", [
        ("region", region), ("session", session), ("proof-id", identifier),
        ("file-name", key + ".json"), ("file", compact(before)), ("answer", compact(answer)),
        ("renewed-file", compact(cache[key]))], request)


def print_cognito(name, operation, region, inputs, parameters, logins=None):
    logins = dict(logins or [])
    if logins:
        parameters["Logins"] = logins
    role = parameters.pop("CustomRoleArn", None)
    if role:
        parameters["CustomRoleArn"] = role
    method = {"GetId": "get_id", "GetCredentialsForIdentity": "get_credentials_for_identity"}
    request = sent_by("cognito-identity", region, method[operation], parameters, unsigned=True)
    inputs = inputs + [("login", f"{name} {token}") for name, token in logins.items()]
    print_record(name, "cognito " + operation, inputs + [("role", role)], request)


class RecordingSession:
    """What the fetchers of botocore send, answered from a list."""

    def __init__(self, answers):
        self.answers = list(answers)
        self.requests = []

    def send(self, request):
        self.requests.append(request)
        return AWSResponse(request.url, 200, {}, Raw(self.answers.pop(0)))


class Raw:
    def __init__(self, body):
        self.body = body

    def stream(self, **options):
        yield self.body


CREDENTIALS_ANSWER = compact({"AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T",
                              "Expiration": "2024-01-02T09:04:05Z", "Code": "Success"})


def print_instance(name, config):
    session = RecordingSession([b"a-token", b"a-role", CREDENTIALS_ANSWER])
    fetcher = botocore.utils.InstanceMetadataFetcher(config=config, env={})
    fetcher._session = session
    fetcher.retrieve_iam_role_credentials()
    variables = {"ec2_metadata_service_endpoint": "AWS_EC2_METADATA_SERVICE_ENDPOINT",
                 "ec2_metadata_service_endpoint_mode": "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"}
    inputs = [("variable", f"{variables[key]}={value}") for key, value in config.items()]
    for step, request in zip(["token", "role", "credentials"], session.requests, strict=True):
        print_record(f"{name}, {step}", "instance", inputs, request)


def print_container(name, environment):
    session = RecordingSession([CREDENTIALS_ANSWER])
    provider = botocore.credentials.ContainerProvider(
        environment, botocore.utils.ContainerMetadataFetcher(session))
    provider.load()
    inputs = [("variable", f"{key}={value}") for key, value in environment.items()]
    print_record(name, "container", inputs, session.requests[0])


TOKEN = "FwoG/ZXIv+YXdz=="
POLICY = '{"Version": "2012-10-17", "Statement": "caf\u00E9 *~&=+%"}'

print("# Printed by credential-requests.py: the requests of botocore, without User-Agent,")
print("# Content-Length and the headers that count attempts; bodies of JSON without spaces.")
print_assume_role("AssumeRole", "eu-west-1")
print_assume_role("AssumeRole, all of it", "eu-central-1", token=TOKEN, session_name="a=b,c.d@e-f_",
                  Policy=POLICY, DurationSeconds=43200, ExternalId="a/b:c=d,e.f@g-h")
print_assume_role("AssumeRole, no region", None)
print_assume_role("AssumeRole in China", "cn-north-1", DurationSeconds=900)
print_assume_role("AssumeRole in GovCloud", "us-gov-west-1")
print_assume_role("AssumeRole in the European Sovereign Cloud", "eusc-de-east-1")
print_assume_role("AssumeRole, aws-global", "aws-global")
print_assume_role("AssumeRole, legacy, an old region", "eu-west-1", legacy="legacy")
print_assume_role("AssumeRole, legacy, a new region", "eu-south-1", legacy="legacy")
print_web_identity("web identity", "us-east-2", "eyJh.eyJz.c2ln_-")
print_web_identity("web identity, no region, policy", None, "eyJh.eyJz.c2ln_-", Policy=POLICY,
                   DurationSeconds=3600)
POLICY_ARNS = [{"arn": "arn:aws:iam::aws:policy/ReadOnlyAccess"},
               {"arn": "arn:aws:iam::123456789012:policy/a+b"}]
print_assume_role("AssumeRole, tags and policies", "eu-west-1", PolicyArns=POLICY_ARNS,
                  Policy=POLICY, Tags=[{"Key": "team", "Value": "blue sky"},
                                       {"Key": "cost center", "Value": "a/b=c+d@e:f_g.-"},
                                       {"Key": "caf\u00E9", "Value": ""}],
                  TransitiveTagKeys=["cost center", "caf\u00E9"], ExternalId="ab",
                  SourceIdentity="m@example.com")
print_assume_role("AssumeRole, the code of a device", "eu-west-1",
                  SerialNumber="arn:aws:iam::123456789012:mfa/me", TokenCode="012345")
print_assume_role("AssumeRole, the code of a device of hardware", "eu-west-1",
                  DurationSeconds=900, SerialNumber="GAHT12345678", TokenCode="999999")
print_web_identity("web identity, managed policies", "eu-west-1", "eyJh.eyJz.c2ln_-",
                   PolicyArns=POLICY_ARNS, DurationSeconds=3600)
print_express_session("S3 Express", "photos--use1-az4--x-s3", "us-east-1")
print_express_session("S3 Express, a token, only reading", "a-1--euw1-az1--x-s3", "eu-west-1",
                      token=TOKEN, mode="ReadOnly")
print_express_session("S3 Express, reading and writing", "photos--usw2-az1--x-s3", "us-west-2",
                      mode="ReadWrite")
print_role_credentials("SSO", "eu-west-1", "Power User+/\u00E9", "123456789012", "a.b-c_d==")
print_role_credentials("SSO in China", "cn-northwest-1", "Reader", "012345678901", "t")
print_role_credentials("SSO in GovCloud", "us-gov-west-1", "Reader", "012345678901", "t")
print_renewal("SSO renewal", "eu-west-1", "https://example.awsapps.com/start", "my session", {
    "accessToken": "new-access-token", "expiresIn": 28800, "refreshToken": "new-refresh-token",
    "tokenType": "Bearer"})
print_renewal("SSO renewal, no further one", "cn-north-1", "https://example.awsapps.cn/start/#",
              "admin-\u00E9", {"accessToken": "new-access-token", "expiresIn": 3600})
RENEWED = {"accessToken": {"accessKeyId": "ASIANEW", "secretAccessKey": "new/secret",
                           "sessionToken": "new-token=="},
           "tokenType": "aws_sigv4", "expiresIn": 900, "refreshToken": "new-refresh-token"}
print_login("login", "eu-west-1", "arn:aws:iam::123456789012:user/me", "TraditionalOpenSSL", RENEWED)
print_login("login in China", "cn-north-1", "arn:aws-cn:sts::123456789012:assumed-role/caf\u00E9/x",
            "PKCS8", RENEWED | {"expiresIn": 1})
print_login("login, unknown members stay", "us-gov-west-1", "", "PKCS8", RENEWED,
            other=[1, -2.5e3, True, False, None, {"a": "b\n"}], last={})
POOL = "us-east-1:01234567-89ab-cdef-0123-456789abcdef"
IDENTITY = "us-east-1:fedcba98-7654-3210-fedc-ba9876543210"
LOGINS = [("accounts.google.com", "eyJ.go\"o\\gle"), ("slack.com", "eyJ.sl/ack")]
print_cognito("GetId, a guest", "GetId", "us-east-1", [("pool", POOL)], {"IdentityPoolId": POOL})
print_cognito("GetId, logins", "GetId", "us-east-1", [("pool", POOL)], {"IdentityPoolId": POOL},
              LOGINS)
print_cognito("GetId in China", "GetId", "cn-north-1", [("pool", "cn-north-1:0-1")],
              {"IdentityPoolId": "cn-north-1:0-1"})
print_cognito("GetId in GovCloud", "GetId", "us-gov-west-1", [("pool", "us-gov-west-1:0-1")],
              {"IdentityPoolId": "us-gov-west-1:0-1"})
print_cognito("credentials of a guest", "GetCredentialsForIdentity", "us-east-1",
              [("pool", POOL), ("identity", IDENTITY)], {"IdentityId": IDENTITY})
print_cognito("credentials, logins and role", "GetCredentialsForIdentity", "us-east-1",
              [("pool", POOL), ("identity", IDENTITY)],
              {"IdentityId": IDENTITY, "CustomRoleArn": ROLE}, LOGINS)
print_cognito("credentials, developer-authenticated", "GetCredentialsForIdentity", "us-east-1",
              [("pool", POOL), ("identity", IDENTITY)], {"IdentityId": IDENTITY},
              [("cognito-identity.amazonaws.com", "eyJ.dev")])
print_instance("instance", {})
print_instance("instance, IPv6", {"ec2_metadata_service_endpoint_mode": "ipv6"})
print_instance("instance, an endpoint", {
    "ec2_metadata_service_endpoint": "http://localhost:1338/",
    "ec2_metadata_service_endpoint_mode": "ipv6"})
RELATIVE = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"
FULL = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
AUTHORIZATION = "AWS_CONTAINER_AUTHORIZATION_TOKEN"
print_container("ECS", {RELATIVE: "/v2/credentials/0123?a=b"})
print_container("EKS Pod Identity", {FULL: "http://169.254.170.23/v1/credentials",
                                     AUTHORIZATION: "eyJ.pod"})
print_container("EKS Pod Identity, IPv6", {FULL: "http://[fd00:ec2::23]/v1/credentials",
                                           AUTHORIZATION: "Basic abc"})
print_container("both addresses", {RELATIVE: "/relative", FULL: "https://example.com/full",
                                   AUTHORIZATION: "t"})
print_container("another host, with TLS", {FULL: "https://example.com:8443/creds"})
print_container("the machine itself", {FULL: "http://127.0.0.9:8080/creds"})
print_container("a slash at the end", {FULL: "http://localhost/creds/"})
