# SPDX-License-Identifier: Apache-2.0
# Prints credential-faults.txt: what becomes of faults of the services that give credentials, in
# botocore and here. A session of botocore looks for credentials; its HTTP is answered from a list.
#
# Where the library differs, DIFFERENCES says what it does, and why: each difference is a decision.

import json
import os
import shutil
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import botocore.credentials
import botocore.httpsession
import botocore.session
import botocore.tokens
from botocore.awsrequest import AWSResponse
from botocore.exceptions import (
    ConnectionClosedError, ConnectTimeoutError, EndpointConnectionError)

from botocore_tables import login
from botocore_tables.signing import print_field

END, PAST = "2999-01-01T00:00:00Z", "2001-01-01T00:00:00Z"
MILLISECONDS = {END: 32472144000000, PAST: 978307200000}
ROLE = "arn:aws:iam::123456789012:role/demo"
IMDS = "/latest/meta-data/iam/security-credentials/"


def keys(end=END, *, token="Token", expiration="Expiration", **others):
    return json.dumps({"Code": "Success", "AccessKeyId": "ASIA", "SecretAccessKey": "secret",
                       token: "token", expiration: end, **others})


def assumed(action):
    return lambda end=END: (
        f"<{action}Response><{action}Result><AssumedRoleUser><Arn>arn:aws:sts::123456789012:"
        "assumed-role/demo/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>"
        "<Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>"
        f"<SessionToken>token</SessionToken><Expiration>{end}</Expiration></Credentials>"
        f"</{action}Result></{action}Response>")


def portal(end=END):
    return json.dumps({"roleCredentials": {
        "accessKeyId": "ASIA", "secretAccessKey": "secret", "sessionToken": "token",
        "expiration": MILLISECONDS[end]}})


def renewed(end=END):
    return json.dumps({"accessToken": "new", "expiresIn": 3600, "refreshToken": "r",
                       "tokenType": "Bearer"})


def signed_in(end=END):
    return json.dumps({"accessToken": {"accessKeyId": "ASIA", "secretAccessKey": "secret",
                                       "sessionToken": "token"},
                       "tokenType": "aws_sigv4", "expiresIn": 900, "refreshToken": "r"})


def plain(text):
    return lambda end=END: text


SSO = ("[profile a]\nsso_session = s\nsso_account_id = 123456789012\nsso_role_name = r\n"
       "[sso-session s]\nsso_start_url = https://d.awsapps.com/start\nsso_region = eu-west-1\n")
# printf s | sha1sum; printf arn:aws:iam::123456789012:user/x | sha256sum.
SSO_FILE = ".aws/sso/cache/a0f1490a20d0211c997b44bc357e1972deab8ae3.json"
LOGIN_FILE = (".aws/login/cache/"
              "2ff2a80db794fe2d23248219d580c027ab8e3592f5c59254e6a865b9c22fc859.json")


def sign_in(end):
    return json.dumps({"accessToken": "old", "expiresAt": end, "clientId": "c",
                       "clientSecret": "s", "registrationExpiresAt": END, "refreshToken": "r"})


# Name: profile, variables, files, and the steps: a part of the address ($: its end), the good answer.
SETUPS = {
    "instance": (None, {}, {}, {
        "token": ("/latest/api/token", plain("a-token")),
        "role": (IMDS + "$", plain("a-role")),
        "keys": (IMDS, keys)}),
    "container": (None, {"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1/creds"}, {}, {
        "keys": ("/creds", keys)}),
    "role": ("a", {}, {
        ".aws/config": f"[profile a]\nrole_arn = {ROLE}\nsource_profile = b\nregion = eu-west-1\n"
                       "[profile b]\naws_access_key_id = AKID\naws_secret_access_key = secret\n"}, {
        "AssumeRole": ("sts.", assumed("AssumeRole"))}),
    "web identity": (None, {"AWS_WEB_IDENTITY_TOKEN_FILE": "HOME/token", "AWS_ROLE_ARN": ROLE,
                            "AWS_DEFAULT_REGION": "eu-west-1"}, {"token": "eyJ.eyJ.sig"}, {
        "AssumeRoleWithWebIdentity": ("sts.", assumed("AssumeRoleWithWebIdentity"))}),
    "sign-on": ("a", {}, {".aws/config": SSO, SSO_FILE: sign_in(END)}, {
        "GetRoleCredentials": ("portal.sso.", portal)}),
    "renewed sign-on": ("a", {}, {".aws/config": SSO, SSO_FILE: sign_in(PAST)}, {
        "CreateToken": ("oidc.", renewed), "GetRoleCredentials": ("portal.sso.", portal)}),
    "sign-in": ("a", {}, {
        ".aws/config": "[profile a]\nlogin_session = arn:aws:iam::123456789012:user/x\n"
                       "region = eu-west-1\n",
        LOGIN_FILE: json.dumps({
            "accessToken": {"accessKeyId": "AOLD", "secretAccessKey": "s", "sessionToken": "t",
                            "accountId": "123456789012", "expiresAt": PAST},
            "refreshToken": "r", "clientId": "arn:aws:signin:::devtools/same-device",
            "dpopKey": login.pem("PKCS8")})}, {
        "CreateOAuth2Token": (".signin.", signed_in)}),
}

HTML = "<html><body>sorry<br></html>"
# Name: status (0: time-out, -1: refused, -2: closed), headers, body (None: that of the step, ended),
# and how often: 0 is always.
FAULTS = {
    "no answer": (0, {}, "", 0), "no answer, once": (0, {}, "", 1),
    "no connection": (-1, {}, "", 0), "closed, once": (-2, {}, "", 1), "closed": (-2, {}, "", 0),
    "500": (500, {}, HTML, 0), "500, once": (500, {}, HTML, 1), "503, once": (503, {}, "", 1),
    "429, once": (429, {}, "", 1), "400": (400, {}, HTML, 0), "401": (401, {}, HTML, 0),
    "403": (403, {}, HTML, 0), "404": (404, {}, "", 0),
    "redirect": (302, {"Location": "https://elsewhere.example/"}, "", 0),
    "nothing": (200, {}, "", 0), "garbage": (200, {}, '{"<', 0), "an empty object": (200, {}, "{}", 0),
    "a list": (200, {}, "[]", 0), "an empty element": (200, {}, "<a/>", 0),
    "ended": (200, {}, None, 0),
}
LAST = {"keys", "AssumeRole", "AssumeRoleWithWebIdentity", "GetRoleCredentials"}


def answer_to(request):
    """One answer of the current setup, with the fault in the place of a step's."""
    setup, step, fault, asked = CURRENT
    for name, (part, good) in SETUPS[setup][3].items():
        if request.url.endswith(part[:-1]) if part.endswith("$") else part in request.url:
            break
    else:
        raise AssertionError(request.url)
    status, headers, body, times = 200, {}, good(), None
    if name == step:
        asked.append(request.url)
        if fault[3] == 0 or len(asked) <= fault[3]:
            status, headers, body, times = fault
    if body is None:
        body = good(PAST)
    if status == 0:
        raise ConnectTimeoutError(endpoint_url=request.url)
    if status == -1:
        raise EndpointConnectionError(endpoint_url=request.url, error="refused")
    if status == -2:
        raise ConnectionClosedError(endpoint_url=request.url)
    return AWSResponse(request.url, status, headers, Raw(body.encode()))


class Raw:
    def __init__(self, body):
        self.body = body

    def stream(self, **options):
        yield self.body


botocore.httpsession.URLLib3Session.send = lambda self, request: answer_to(request)
time.sleep = lambda seconds: None
LOADER = botocore.session.Session().get_component("data_loader")


def outcome(setup):
    profile, variables, files, _ = SETUPS[setup]
    home = tempfile.mkdtemp()
    os.environ.clear()
    os.environ.update({"HOME": home, "AWS_RETRY_MODE": "standard"})
    os.environ.update({name: text.replace("HOME", home) for name, text in variables.items()})
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(home, path)), exist_ok=True)
        with open(os.path.join(home, path), "w", encoding="utf-8") as file:
            file.write(text)
    for kind in [botocore.credentials.SSOProvider, botocore.tokens.SSOTokenProvider]:
        kind._SSO_TOKEN_CACHE_DIR = os.path.join(home, ".aws/sso/cache")
    try:
        session = botocore.session.Session(profile=profile)
        session.register_component("data_loader", LOADER)
        found = session.get_credentials()
        if found is None:
            return "nothing"
        frozen = found.get_frozen_credentials()
        assert frozen.secret_key == "secret", frozen
        return "credentials"
    except AssertionError:
        raise
    except Exception:
        return "refused"
    finally:
        shutil.rmtree(home)



VERSION_1 = ("Version 1 of the metadata service is never asked: it answers every GET that the machine "
             "can be made to send. botocore goes on without a token.")
SET_UP = ("A service that answers is set up, so its failure ends the search: a program may not sign with "
          "other credentials because of it. botocore takes it for none.")
NO_NAME = "A text that cannot be the name of a role does not become a part of a path."
RENEWED = "A token that is no longer taken is renewed, and the step is asked once more. " + SET_UP
FINAL = ("What a service refuses, or answers in another form, is not asked again: only 5xx, 429 and broken "
         "connections are. botocore asks for everything else than 200 and JSON again.")
ENDED = "Credentials that have ended are refused at once, and not asked for again."
LIMITED = "429 asks to come again (RFC 6585, 4). botocore looks for codes in the body only."

# Setup, step, what becomes of it, how often the step is asked, why, and of which faults.
DIFFERENCES = {(setup, step, fault): (ours, asked, reason) for setup, step, ours, asked, reason, faults in [
    ("instance", "token", "nothing", "1", VERSION_1,
     ["no answer", "no answer, once", "no connection", "closed, once", "closed", "404"]),
    ("instance", "token", "refused", "1", VERSION_1,
     ["500", "500, once", "503, once", "429, once", "401", "403", "redirect", "nothing"]),
    ("instance", "token", "refused", "1", SET_UP, ["400"]),
    ("instance", "role", "refused", "1", NO_NAME,
     ["garbage", "an empty object", "a list", "an empty element"]),
    ("instance", "role", "refused", "1", SET_UP,
     ["no answer", "no answer, once", "no connection", "closed, once", "closed", "500", "500, once",
      "503, once", "429, once", "400", "403", "redirect", "nothing"]),
    ("instance", "role", "refused", "2", RENEWED, ["401"]),
    ("instance", "keys", "refused", "1", SET_UP,
     ["no answer", "no answer, once", "no connection", "closed, once", "closed", "500", "500, once",
      "503, once", "429, once", "400", "403", "redirect", "nothing", "garbage", "an empty object",
      "a list", "an empty element"]),
    ("instance", "keys", "refused", "2", RENEWED, ["401"]),
    ("container", "keys", "refused", "1", FINAL,
     ["400", "401", "403", "404", "redirect", "nothing", "garbage", "an empty element"]),
    ("container", "keys", "refused", "1", ENDED, ["ended"]),
    *[(setup, step, "credentials", "2", LIMITED, ["429, once"]) for setup, step in [
        ("role", "AssumeRole"), ("web identity", "AssumeRoleWithWebIdentity"),
        ("sign-on", "GetRoleCredentials"), ("renewed sign-on", "CreateToken"),
        ("renewed sign-on", "GetRoleCredentials"), ("sign-in", "CreateOAuth2Token")]],
] for fault in faults}

if __name__ == "__main__":
    print("# Printed by credential-faults.py: first what is asked and what can go wrong, then what")
    print("# becomes of it, in botocore and here, and how often the step is asked; a reason names what")
    print("# differs. outcome: credentials; nothing, and other sources may be asked; refused.")
    for name, (profile, variables, files, steps) in SETUPS.items():
        print()
        print_field("name", name)
        print_field("kind", "setup")
        if profile:
            print_field("profile", profile)
        for variable in variables.items():
            print_field("variable", "\n".join(variable))
        for path, text in files.items():
            print_field("file", path + "\n" + text)
        for step, (part, good) in steps.items():
            print_field("step", f"{step}\n{part}")
            print_field("answer", good())
            print_field("ended", good(PAST))
    for name, (status, headers, body, times) in FAULTS.items():
        print()
        print_field("name", name)
        print_field("kind", "fault")
        print_field("status", status)
        for header in headers.items():
            print_field("header", "\n".join(header))
        if body is not None:
            print_field("body", body)
        print_field("times", times)
    for setup, (_, _, _, steps) in SETUPS.items():
        for step in steps:
            for name, fault in FAULTS.items():
                if fault[2] is None and step not in LAST:
                    continue
                CURRENT = (setup, step, fault, [])
                theirs = outcome(setup)
                print()
                print_field("name", f"{setup}, {step}: {name}")
                print_field("kind", "case")
                print_field("case", "\n".join([setup, step, name]))
                print_field("botocore", f"{theirs}\n{len(CURRENT[3])}")
                difference = DIFFERENCES.get((setup, step, name))
                if difference:
                    print_field("ours", "\n".join(difference[:2]))
                    print_field("reason", difference[2])
