# SPDX-License-Identifier: Apache-2.0
# Prints sign-ins.txt: profiles of users who have run `aws login`, the files of their sign-ins, and
# what becomes of them in botocore: where AWS Sign-In is asked, whose credentials are found, and what
# is written back. A session of botocore looks for credentials; its HTTP is answered from a list.
#
# Needs botocore 1.44 or later, which reads signInRegion and has the hosts of all partitions.
#
# ours: where the library differs. Credentials that still live are used to their end when they cannot
# be renewed, with a warning; botocore gives none when less than ten minutes are left.
#
# Left out, because the library differs on purpose: an endpoint URL together with FIPS or dual-stack
# (botocore refuses it; the URL wins here, as for other services), answers with an expiresIn above 900
# (AWS Sign-In API Reference, CreateOAuth2Token: "Maximum value is 900 seconds"; botocore believes
# any), answers that lack a part or hold what cannot be sent (botocore writes them to the file), and a
# file that another process replaces meanwhile (botocore does not look).

import datetime
import hashlib
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
from botocore.awsrequest import AWSResponse
from botocore.exceptions import EndpointConnectionError

from botocore_tables import login
from botocore_tables.choices import Choices
from botocore_tables.signing import print_field

SESSION = "arn:aws:iam::123456789012:user/me"
FILE = f".aws/login/cache/{hashlib.sha256(SESSION.encode()).hexdigest()}.json"
MOMENT = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
REGIONS = ["us-west-2", "us-gov-west-1", "us-gov-east-1", "cn-north-1", "eusc-de-east-1",
           "us-iso-east-1", "us-isob-east-1", "eu-isoe-west-1", "us-isof-south-1", "xx-new-1"]
FIPS, DUAL = {"AWS_USE_FIPS_ENDPOINT": "true"}, {"AWS_USE_DUALSTACK_ENDPOINT": "true"}
ABSENT = object()
CASES = []


def file_of(end, sign_in_region=ABSENT):
    """The file of a sign-in whose credentials live until then."""
    file = {"accessToken": {"accessKeyId": "ASIAOLD", "secretAccessKey": "old/secret",
                            "sessionToken": "old-token==", "accountId": "123456789012",
                            "expiresAt": end},
            "tokenType": "aws_sigv4", "clientId": "arn:aws:signin:::devtools/same-device",
            "refreshToken": "old-refresh-token", "idToken": "eyJ.id.token",
            "dpopKey": login.pem("PKCS8")}
    return file if sign_in_region is ABSENT else file | {"signInRegion": sign_in_region}


def renewed(seconds=900):
    return 200, {"accessToken": {"accessKeyId": "ASIANEW", "secretAccessKey": "new/secret",
                                 "sessionToken": "new-token=="},
                 "tokenType": "aws_sigv4", "expiresIn": seconds,
                 "refreshToken": "new-refresh-token"}


def refused(status, error):
    return status, {"error": error, "message": "no"}


def case(name, region=None, variables=None, sign_in_region=ABSENT, left=0, answers=None):
    """A setup. left: for how many seconds the credentials in the file still live."""
    CASES.append((name, region, variables or {}, sign_in_region, left, answers or [renewed()]))


class Raw:
    def __init__(self, body):
        self.body = body

    def stream(self, **options):
        yield self.body


def answer_to(client, request):
    asked.append(request.url)
    status, body = answers.pop(0) if answers else (0, {})
    if status == 0:
        raise EndpointConnectionError(endpoint_url=request.url, error="refused")
    return AWSResponse(request.url, status, {"content-type": "application/json"},
                       Raw(json.dumps(body).encode()))


botocore.httpsession.URLLib3Session.send = answer_to
botocore.credentials._local_now = lambda: MOMENT
time.sleep = lambda seconds: None
LOADER = botocore.session.Session().get_component("data_loader")


def found():
    """Whose credentials a session finds, and their secrets."""
    session = botocore.session.Session(profile="a")
    session.register_component("data_loader", LOADER)
    try:
        credentials = session.get_credentials().get_frozen_credentials()
    except Exception:
        return "refused"
    return "\n".join(credentials)


FIPS_REGIONS = ["fips-us-east-2", "us-gov-west-1-fips", "fips-eu-isoe-west-1"]
for region in REGIONS + FIPS_REGIONS:
    for variant in [{}, FIPS, DUAL, FIPS | DUAL]:
        case(" ".join(["region", region, *variant]), region, variant)
        case(" ".join(["sign-in region", region, *variant]), "eu-west-1", variant, region)
for absent in [None, ""]:
    case(f"sign-in region {absent!r}", "eu-west-1", sign_in_region=absent)
case("no region")
case("no region but that of the sign-in", sign_in_region="eu-west-1")
case("a region that asks for FIPS, and a sign-in in the same one", "fips-us-east-2",
     sign_in_region="us-east-2")
case("a variable, and a sign-in elsewhere", "eu-west-1", {"AWS_DEFAULT_REGION": "eu-west-2"},
     "eu-west-3")
case("an endpoint, and a sign-in elsewhere", "eu-west-1",
     {"AWS_ENDPOINT_URL_SIGNIN": "https://own.example/base/"}, "us-east-2")
case("an endpoint, and no region but that of the sign-in", None,
     {"AWS_ENDPOINT_URL": "https://own.example"}, "us-east-2")
for left in [-1, 0, 1, 299, 300, 301, 900]:
    case(f"{left} seconds left", "eu-west-1", left=left)
    case(f"{left} seconds left, and a refusal", "eu-west-1", left=left,
         answers=[refused(403, "TOKEN_EXPIRED")])


def generated(seed):
    choose = Choices(seed).one
    variables = {}
    for name, values in {"AWS_DEFAULT_REGION": REGIONS, "AWS_USE_FIPS_ENDPOINT": ["true", "false"],
                         "AWS_USE_DUALSTACK_ENDPOINT": ["true", "false"]}.items():
        if choose(*[0] * 2, 1):
            variables[name] = choose(*values)
    if not {"AWS_USE_FIPS_ENDPOINT", "AWS_USE_DUALSTACK_ENDPOINT"} & set(variables):
        if choose(*[0] * 4, 1):
            variables["AWS_ENDPOINT_URL_SIGNIN"] = choose(
                "https://own.example", "https://own.example/", "http://127.0.0.1:4566/a//")
    answers = []
    while choose(0, 1) and len(answers) < 2:
        answers.append(choose((500, {}), (503, {}), (0, {})))
    answers.append(choose(
        renewed(), renewed(), renewed(), renewed(60), renewed(1), (0, {}), (500, {}),
        refused(403, "TOKEN_EXPIRED"), refused(403, "USER_CREDENTIALS_CHANGED"),
        refused(403, "INSUFFICIENT_PERMISSIONS"), refused(403, "SOMETHING_ELSE"),
        refused(400, "INVALID_REQUEST"), (404, {})))
    # A region that asks for FIPS, beside an endpoint URL, is refused as FIPS itself is.
    regions = REGIONS + ([] if "AWS_ENDPOINT_URL_SIGNIN" in variables else FIPS_REGIONS)
    case(f"generated {seed}", choose(None, *regions), variables,
         choose(ABSENT, ABSENT, "", *regions), choose(-60, 0, 60, 200, 300, 301, 600, 900), answers)


FIRST, COUNT = (int(text) for text in (sys.argv[1:3] or ["0", "200"]))
for seed in range(FIRST, FIRST + COUNT):
    generated(seed)

print("# Printed by sign-ins.py, which uses botocore.session. It is 2024-01-02T03:04:05Z.")
print("# variable: name, value; region: that of the profile; sign-in-region: in the file, as JSON;")
print("# left: seconds; answer: status (0: no connection), body. Then where AWS Sign-In is asked, each")
print("# time, the credentials (or: refused), and the key ID, the end and the refresh token that the file")
print("# then holds.")
print()
print_field("name", "the file of a sign-in")
print_field("session", SESSION)
print_field("file", FILE + "\n" + json.dumps(file_of("@END@")))
for name, region, variables, sign_in_region, left, answers in CASES:
    home = tempfile.mkdtemp()
    os.environ.clear()
    os.environ.update(variables | {"HOME": home, "AWS_RETRY_MODE": "standard"})
    end = (MOMENT + datetime.timedelta(seconds=left)).strftime("%Y-%m-%dT%H:%M:%SZ")
    file = file_of(end, sign_in_region)
    config = f"[profile a]\nlogin_session = {SESSION}\n"
    config += f"region = {region}\n" if region else ""
    print()
    print_field("name", name)
    for variable in variables.items():
        print_field("variable", "\n".join(variable))
    if region:
        print_field("region", region)
    if sign_in_region is not ABSENT:
        print_field("sign-in-region", json.dumps(sign_in_region))
    print_field("left", left)
    for status, body in answers:
        print_field("answer", f"{status}\n{json.dumps(body)}")
    for path, text in [(".aws/config", config), (FILE, json.dumps(file))]:
        os.makedirs(os.path.dirname(os.path.join(home, path)), exist_ok=True)
        with open(os.path.join(home, path), "w", encoding="utf-8") as opened:
            opened.write(text)
    asked = []
    outcome = found()
    for url in asked:
        print_field("asked", url)
    print_field("found", outcome)
    if outcome == "refused" and left > 0:
        print_field("ours", "\n".join(["ASIAOLD", "old/secret", "old-token==", "123456789012"]))
    with open(os.path.join(home, FILE), encoding="utf-8") as opened:
        after = json.load(opened)
    access = after["accessToken"]
    print_field("written", "\n".join(
        [access["accessKeyId"], access["expiresAt"], after["refreshToken"]]))
    # What it held besides stays.
    kept = {"accessToken": access, "refreshToken": after["refreshToken"]}
    assert after == file | kept and list(after) == list(file), after
    shutil.rmtree(home)
