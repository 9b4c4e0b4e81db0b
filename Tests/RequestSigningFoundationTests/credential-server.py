# SPDX-License-Identifier: Apache-2.0
"""The services that hand out credentials, on loopback: python3 credential-server.py FOLDER

Each refuses what the real one refuses: the metadata service of EC2 a request without a token, the
Security Token Service a wrong signature, and so on. There is a fixture of them below each path /NAME
for which NAME.json is in FOLDER: an object of what they know, whose "faults" say what goes wrong
instead of an answer: for each step a list, its first item for the first request. The port goes to
standard output. Every request is a line of JSON in NAME.log. The server ends with its standard
input, and removes FOLDER.
"""
import base64
import datetime
import hashlib
import hmac
import http.server
import json
import os
import secrets
import socketserver
import sys
import threading
import time
import urllib.parse

folder = sys.argv[1]
lock = threading.Lock()
fixtures = {}


class Fixture:
    """What the services of a test know, and what they have issued."""

    def __init__(self, name):
        with open(os.path.join(folder, name + ".json")) as file:
            self.settings = json.load(file)
        self.log = open(os.path.join(folder, name + ".log"), "a", buffering=1)
        self.faults = self.settings["faults"]
        self.keys = {key: (secret, None) for key, secret in self.settings["keys"].items()}
        self.sign_in = self.settings["signIn"]
        self.access_tokens = {self.sign_in.get("accessToken")}
        self.metadata_tokens = set()
        self.identities = {}


class Rejection(Exception):
    """An answer without credentials."""

    def __init__(self, status, code, message=""):
        self.status, self.code, self.message = status, code, message


def main():
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request, address):
        """Clients that give up are a part of the tests."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def do(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        name = self.path.split("/")[1]
        with lock:
            self.fixture = fixtures.get(name) or fixtures.setdefault(name, Fixture(name))
            service, step, give = self.route(self.path.split("?")[0].removeprefix("/" + name))
            faults = self.fixture.faults.get(step)
            fault = faults.pop(0) if faults else ""
        status, headers, text = self.answer(service, give, fault)
        self.fixture.log.write(json.dumps({
            "step": step, "status": status, "method": self.command, "target": self.path,
            "headers": self.headers.items(), "body": self.body.decode()}) + "\n")
        if fault == "hang":
            time.sleep(600)
        if fault == "close":
            self.close_connection = True
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        content = text.encode()
        self.send_header("Content-Length", str(len(content)))
        if self.fixture.settings["faults"]:
            # A client may ask again by itself when a connection that it used before is closed.
            self.send_header("Connection", "close")
        self.end_headers()
        if fault == "cut":
            self.close_connection = True
            content = content[:len(content) // 2]
        self.wfile.write(content)

    do_GET = do_PUT = do_POST = do

    def log_message(self, *arguments):
        pass

    def route(self, path):
        """Which service is asked, for what, and who answers."""
        if path == "/latest/api/token":
            return "instance", "token", self.metadata_token
        if path == ROLES:
            return "instance", "role", self.metadata_role
        if path == ROLES + "my-role":
            return "instance", "instance", self.metadata_credentials
        if path == "/container":
            return "container", "container", self.container
        if path == "/federation/credentials":
            return "sso", "portal", self.portal
        if path == "/token":
            return "sso", "renewal", self.renewal
        if target := self.headers.get("X-Amz-Target"):
            step = target.removeprefix("AWSCognitoIdentityService.")
            return "cognito", step, {
                "GetId": self.identity, "GetCredentialsForIdentity": self.identity_credentials,
            }.get(step, self.nothing)
        if path in ("", "/") and self.command == "POST":
            self.form = dict(urllib.parse.parse_qsl(self.body.decode(), strict_parsing=True))
            step = self.form.get("Action", "")
            return "sts", step, {
                "AssumeRole": self.role, "AssumeRoleWithWebIdentity": self.web_identity,
            }.get(step, self.nothing)
        return "elsewhere", "elsewhere", self.elsewhere

    def answer(self, service, give, fault):
        if fault in ("hang", "close"):
            return 0, {}, ""
        if fault == "redirect":
            return 307, {"Location": "/" + self.path.split("/")[1] + "/elsewhere"}, "moved"
        if fault == "garbage":
            return 200, {}, '{"<'
        if fault.isdigit():
            if fault == "401":
                self.fixture.metadata_tokens.clear()
            return int(fault), {"Content-Type": "text/html"}, "<html><body>sorry<br></html>"
        self.life = -60 if fault == "expired" else 21_600
        try:
            headers, text = give()
            return 200, headers, text
        except Rejection as refusal:
            return refusal.status, {}, error_text(service, refusal)

    def require(self, condition, status, code, message=""):
        if not condition:
            raise Rejection(status, code, message)

    def nothing(self):
        raise Rejection(400, "InvalidAction")

    def elsewhere(self):
        return self.json(AccessKeyId="ASIAELSEWHERE", SecretAccessKey="s", Token="t",
                         Expiration=self.end().strftime(EXTENDED))

    # Amazon EC2 User Guide, "Use the Instance Metadata Service to access instance metadata".

    def metadata_token(self):
        seconds = self.headers.get("X-aws-ec2-metadata-token-ttl-seconds", "")
        self.require(self.command == "PUT", 405, "MethodNotAllowed")
        self.require("X-Forwarded-For" not in self.headers, 403, "Forbidden")
        self.require(seconds.isdigit() and 1 <= int(seconds) <= 21_600, 400, "BadRequest")
        token = secrets.token_urlsafe(40) + "=="
        self.fixture.metadata_tokens.add(token)
        return {"X-Aws-Ec2-Metadata-Token-Ttl-Seconds": seconds}, token

    def check_metadata_token(self):
        token = self.headers.get("X-aws-ec2-metadata-token")
        self.require(token in self.fixture.metadata_tokens, 401, "Unauthorized")

    def metadata_role(self):
        self.check_metadata_token()
        return {"Content-Type": "text/plain"}, "my-role"

    def metadata_credentials(self):
        self.check_metadata_token()
        key, secret, token = self.issue()
        return self.json(
            Code="Success", LastUpdated="2024-01-02T03:00:00Z", Type="AWS-HMAC", AccessKeyId=key,
            SecretAccessKey=secret, Token=token, Expiration=self.end().strftime(EXTENDED))

    # Amazon ECS Developer Guide, "Amazon ECS task IAM role"; in EKS the token's file is renewed.

    def container(self):
        with open(self.fixture.settings["authorizationFile"]) as file:
            self.require(self.headers.get("Authorization") == file.read(), 403, "AccessDenied")
        key, secret, token = self.issue()
        return self.json(
            RoleArn=ROLE, AccessKeyId=key, SecretAccessKey=secret, Token=token,
            Expiration=self.end().strftime(EXTENDED))

    # IAM Identity Center Portal API Reference, GetRoleCredentials; OIDC API Reference, CreateToken.

    def portal(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        token = self.headers.get("x-amz-sso_bearer_token")
        self.require(token in self.fixture.access_tokens, 401, "UnauthorizedException",
                     f"Session token {token} not found or invalid")
        self.require(query == {"role_name": ["read & write"], "account_id": ["123456789012"]},
                     403, "ForbiddenException", "No access")
        key, secret, token = self.issue()
        return self.json(roleCredentials={
            "accessKeyId": key, "secretAccessKey": secret, "sessionToken": token,
            "expiration": int(self.end().timestamp() * 1000)})

    def renewal(self):
        self.require(self.headers.get("Content-Type") == "application/json", 400,
                     "InvalidRequestException")
        sign_in = self.fixture.sign_in
        self.require(
            json.loads(self.body) == {
                "grantType": "refresh_token", "clientId": sign_in["clientId"],
                "clientSecret": sign_in["clientSecret"], "refreshToken": sign_in["refreshToken"]},
            400, "InvalidGrantException", "Invalid refresh token provided")
        token = secrets.token_urlsafe(40)
        self.fixture.access_tokens.add(token)
        sign_in["refreshToken"] = secrets.token_urlsafe(40)
        return self.json(
            accessToken=token, expiresIn=28_800, tokenType="Bearer",
            refreshToken=sign_in["refreshToken"])

    # Amazon Cognito Federated Identities API Reference, GetId and GetCredentialsForIdentity.

    def check_logins(self, request):
        logins = request.get("Logins", {})
        known = self.fixture.settings["logins"]
        self.require(all(known.get(name) == token for name, token in logins.items()), 400,
                     "NotAuthorizedException", f"Invalid login token: {logins}")
        return tuple(sorted(logins))

    def identity(self):
        self.require(self.headers.get("Content-Type") == "application/x-amz-json-1.1", 400,
                     "SerializationException")
        request = json.loads(self.body)
        pool = request.get("IdentityPoolId")
        self.require(pool == self.fixture.settings["pool"], 400, "ResourceNotFoundException", pool)
        logins = self.check_logins(request)
        identity = f"us-east-1:{secrets.token_hex(16)}"
        self.fixture.identities[identity] = logins
        return self.json(IdentityId=identity)

    def identity_credentials(self):
        request = json.loads(self.body)
        identity = request.get("IdentityId")
        identities = self.fixture.identities
        self.require(identity in identities, 400, "ResourceNotFoundException", "Identity not found")
        self.require(identities[identity] == self.check_logins(request), 400,
                     "NotAuthorizedException", "Access to Identity is forbidden")
        key, secret, token = self.issue()
        return self.json(IdentityId=identity, Credentials={
            "AccessKeyId": key, "SecretKey": secret, "SessionToken": token,
            "Expiration": self.end().timestamp()})

    # AWS Security Token Service API Reference, AssumeRole and AssumeRoleWithWebIdentity.

    def role(self):
        self.check_signature()
        self.require(self.form.get("RoleArn") == ROLE, 403, "AccessDenied", "not authorized")
        return self.assumed()

    def web_identity(self):
        self.require("Authorization" not in self.headers, 400, "InvalidClientTokenId")
        with open(self.fixture.settings["webIdentityFile"]) as file:
            self.require(self.form.get("WebIdentityToken") == file.read().strip(), 400,
                         "InvalidIdentityToken", "The token cannot be read: " + str(self.form))
        return self.assumed()

    def assumed(self):
        self.require(self.form.get("Version") == "2011-06-15", 400, "InvalidAction")
        self.require(2 <= len(self.form.get("RoleSessionName", "")) <= 64, 400, "ValidationError")
        key, secret, token = self.issue()
        action = self.form["Action"]
        return {"Content-Type": "text/xml"}, (
            f'<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result>'
            f"<Credentials><AccessKeyId>{key}</AccessKeyId><SecretAccessKey>{secret}"
            f"</SecretAccessKey><SessionToken>{token}</SessionToken><Expiration>"
            f"{self.end().strftime(EXTENDED)}</Expiration></Credentials></{action}Result>"
            f"</{action}Response>")

    def check_signature(self):
        """AWS Identity and Access Management User Guide, "Create a signed AWS API request"."""
        algorithm, _, fields = self.headers.get("Authorization", "").partition(" ")
        fields = dict(field.strip().split("=", 1) for field in fields.split(",") if "=" in field)
        self.require(algorithm == "AWS4-HMAC-SHA256" and len(fields) == 3, 403,
                     "IncompleteSignature")
        key, *scope = fields["Credential"].split("/")
        self.require(key in self.fixture.keys, 403, "InvalidClientTokenId")
        secret, token = self.fixture.keys[key]
        names = fields["SignedHeaders"].split(";")
        moment = self.headers["X-Amz-Date"]
        age = datetime.datetime.now(UTC) - datetime.datetime.strptime(
            moment + "+0000", "%Y%m%dT%H%M%SZ%z")
        self.require(scope == [moment[:8], "eu-west-1", "sts", "aws4_request"]
                     and abs(age.total_seconds()) < 300, 403, "SignatureDoesNotMatch", "scope")
        needed = {"host", "x-amz-date"} | ({"x-amz-security-token"} if token else set())
        self.require(needed <= set(names)
                     and self.headers.get("X-Amz-Security-Token") == token, 403,
                     "InvalidClientTokenId", "token")
        canonical = "\n".join(
            [self.command, self.path, ""]
            + [f"{name}:{self.headers[name].strip()}" for name in names]
            + ["", ";".join(names), hashlib.sha256(self.body).hexdigest()])
        text = "\n".join([algorithm, moment, "/".join(scope),
                          hashlib.sha256(canonical.encode()).hexdigest()])
        chain = ("AWS4" + secret).encode()
        for part in scope + [text]:
            chain = hmac.new(chain, part.encode(), hashlib.sha256).digest()
        self.require(hmac.compare_digest(chain.hex(), fields["Signature"]), 403,
                     "SignatureDoesNotMatch", "it is another one")

    def issue(self):
        """New credentials, which AssumeRole takes from here on."""
        key = "ASIA" + secrets.token_hex(8).upper()
        self.fixture.keys[key] = (base64.b64encode(secrets.token_bytes(30)).decode(),
                                  base64.b64encode(secrets.token_bytes(301)).decode())
        return key, *self.fixture.keys[key]

    def end(self):
        return datetime.datetime.now(UTC) + datetime.timedelta(seconds=self.life)

    def json(self, **members):
        return {"Content-Type": "application/json"}, json.dumps(members)


def error_text(service, refusal):
    """What the services say when they refuse, each in its own form."""
    if service == "sts":
        return (f"<ErrorResponse><Error><Code>{refusal.code}</Code><Message>{refusal.message}"
                "</Message></Error></ErrorResponse>")
    if service == "cognito":
        return json.dumps({"__type": refusal.code, "message": refusal.message})
    return json.dumps({"code": refusal.code, "message": refusal.message})


UTC = datetime.timezone.utc
EXTENDED = "%Y-%m-%dT%H:%M:%SZ"
ROLES = "/latest/meta-data/iam/security-credentials/"
ROLE = "arn:aws:iam::123456789012:role/demo"

main()
