# SPDX-License-Identifier: Apache-2.0
# Prints service-settings.txt: variables and files of profiles, and where botocore then asks the
# services that give credentials, and Amazon S3. Needs botocore 1.44 or later, which has the hosts of
# AWS Sign-In in all partitions.
#
# Left out, because the library differs on purpose: http to another machine (botocore sends
# credentials there in plain text), FIPS and dual-stack without a region (botocore asks
# sts-fips.aws-global.amazonaws.com, which does not exist), paths of S3 (see S3Endpoint), AWS_REGION
# (which botocore does not read), Amazon S3 in us-east-1 (which botocore asks without a region in its
# name), in no region, and with dual-stack in aws-iso-e and aws-iso-f (which botocore's clients refuse,
# but not its endpoint rules: bucket-endpoints.py), AWS Sign-In at an endpoint beside FIPS or
# dual-stack (which botocore refuses: the endpoint wins for other services).

import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

import botocore.session
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from botocore_tables.choices import Choices
from botocore_tables.sent import request_of
from botocore_tables.signing import CREDENTIALS, print_field

LOADER = botocore.session.Session().get_component("data_loader")
ROLE = {"RoleArn": "arn:aws:iam::123456789012:role/reader", "RoleSessionName": "ses"}
OPERATIONS = {
    "sts": ("assume_role", ROLE),
    "web-identity": ("assume_role_with_web_identity", ROLE | {"WebIdentityToken": "eyJ.eyJ.sig"}),
    "sso": ("get_role_credentials",
            {"roleName": "r", "accountId": "123456789012", "accessToken": "t"}),
    "sso-oidc": ("create_token", {"clientId": "c", "clientSecret": "s",
                                  "grantType": "refresh_token", "refreshToken": "r"}),
    "signin": ("create_o_auth2_token", {"tokenInput": {
        "clientId": "arn:aws:signin:::devtools/same-device", "grantType": "refresh_token",
        "refreshToken": "r"}}),
    "rolesanywhere": ("list_profiles", {}),
    "s3": ("get_object", {"Bucket": "bucket-name", "Key": "key"}),
}
# The regions of the partitions that endpoints.json has no dual-stack hosts for.
NEWEST = ("eu-isoe-", "us-isof-")
CASES = []


def case(name, config=None, variables=None, profile=None, credentials=None, sso_region="eu-west-1"):
    CASES.append((name, config, variables or {}, profile, credentials, sso_region))


def asked(session, service, region):
    """The URL without its query, the region of the signature, and how often it is asked."""
    operation, parameters = OPERATIONS[service]
    version = None if service in ("sts", "rolesanywhere", "s3") else UNSIGNED
    client = session.create_client(
        "sts" if service == "web-identity" else service, region, aws_access_key_id=CREDENTIALS[0],
        aws_secret_access_key=CREDENTIALS[1], config=Config(signature_version=version))
    request = request_of(client, operation, parameters)
    authorization = request.headers.get("Authorization", b"")
    if isinstance(authorization, bytes):
        authorization = authorization.decode()
    lines = [request.url.split("?")[0]]
    if authorization:
        lines.append(authorization.split("/")[2])
    return "\n".join(lines), (client.meta.config.retries or {}).get("total_max_attempts")


def record(name, config, variables, profile, credentials, sso_region):
    home = tempfile.mkdtemp()
    os.environ.clear()
    os.environ.update(variables | {"HOME": home})
    print_field("name", name)
    if profile is not None:
        print_field("profile", profile)
    for variable in variables.items():
        print_field("variable", "\n".join(variable))
    os.mkdir(os.path.join(home, ".aws"))
    for path, text in [(".aws/config", config), (".aws/credentials", credentials)]:
        if text is not None:
            print_field("file", path + "\n" + text)
            with open(os.path.join(home, path), "w", encoding="utf-8", newline="") as file:
                file.write(text)
    print_field("sso-region", sso_region)
    session = botocore.session.Session(profile=profile)
    session.register_component("data_loader", LOADER)
    attempts = None
    for service in OPERATIONS:
        try:
            region = session.get_config_variable("region")
            if service == "s3" and (
                    region in (None, "", "us-east-1")
                    or "AWS_USE_DUALSTACK_ENDPOINT" in variables and region.startswith(NEWEST)):
                continue
            lines, attempts = asked(session, service,
                                    sso_region if service.startswith("sso") else region)
            print_field(service, lines)
        except Exception as error:
            if service == "signin" and "custom endpoint" in str(error):
                continue
            kind = type(error).__name__ if isinstance(error, BotoCoreError) else "Exception"
            print_field(service + "-refused", kind)
    if attempts:
        print_field("attempts", attempts)
    shutil.rmtree(home)
    print()


FIPS = {"AWS_USE_FIPS_ENDPOINT": "true"}
DUAL = {"AWS_USE_DUALSTACK_ENDPOINT": "true"}
ENDPOINT = {"AWS_ENDPOINT_URL": "https://general.example"}
SERVICES = ("[services s]\nsts =\n  endpoint_url = https://section-sts.example\nsso_oidc =\n"
            "  endpoint_url = https://section-oidc.example/base\ns3 =\n"
            "  endpoint_url = http://127.0.0.1:9000\n  addressing_style = path\n")
PROFILE = "[default]\nregion = eu-west-1\n"

case("nothing")
case("a region of the profile", PROFILE)
case("a region of a named profile", "[profile a]\nregion = cn-north-1\n", profile="a")
case("a region of the selected profile", "[profile a]\nregion = cn-north-1\n",
     {"AWS_PROFILE": "a"})
case("a region of the credentials file", PROFILE, credentials="[default]\nregion = eu-west-2\n")
case("a profile that does not exist", PROFILE, profile="a")
case("a selected profile that does not exist", PROFILE, {"AWS_PROFILE": "a"})
for region in ["us-west-2", "us-gov-west-1", "us-gov-east-1", "cn-north-1", "cn-northwest-1",
               "eusc-de-east-1", "us-iso-east-1", "us-isob-east-1", "eu-isoe-west-1",
               "us-isof-south-1", "ap-southeast-5", "xx-new-1"]:
    for variant in [{}, FIPS, DUAL, FIPS | DUAL]:
        case(" ".join([region, *variant]), None, {"AWS_DEFAULT_REGION": region} | variant,
             sso_region=region)
for name in ["FIPS", "DUALSTACK"]:
    for value in ["", "TRUE", "1", "yes", "False", " true"]:
        case(f"{name} is {value!r}",
             PROFILE + f"use_{name.lower()}_endpoint = true\n",
             {f"AWS_USE_{name}_ENDPOINT": value})
    for value in ["True", "true", "1", "", "false"]:
        case(f"{name} of the profile is {value!r}",
             PROFILE + f"use_{name.lower()}_endpoint = {value}\n")
case("legacy", PROFILE, {"AWS_STS_REGIONAL_ENDPOINTS": "legacy"})
case("legacy of the profile", PROFILE + "sts_regional_endpoints = legacy\n")
case("legacy of the profile, and a variable", PROFILE + "sts_regional_endpoints = legacy\n",
     {"AWS_STS_REGIONAL_ENDPOINTS": "regional"})
case("legacy and FIPS", PROFILE, {"AWS_STS_REGIONAL_ENDPOINTS": "legacy"} | FIPS)
case("legacy and dual-stack", PROFILE, {"AWS_STS_REGIONAL_ENDPOINTS": "legacy"} | DUAL)
case("legacy and an endpoint", PROFILE, {"AWS_STS_REGIONAL_ENDPOINTS": "legacy"} | ENDPOINT)
case("an endpoint", PROFILE, ENDPOINT)
case("an endpoint, FIPS and dual-stack", PROFILE, ENDPOINT | FIPS | DUAL)
case("an endpoint without a region", None, ENDPOINT)
case("an endpoint that is empty", PROFILE + "endpoint_url = https://profile.example\n",
     {"AWS_ENDPOINT_URL": "", "AWS_ENDPOINT_URL_STS": ""})
case("an endpoint with a path", PROFILE, {"AWS_ENDPOINT_URL_STS": "https://h.example/a/b",
                                          "AWS_ENDPOINT_URL_SSO": "https://h.example/a/b",
                                          "AWS_ENDPOINT_URL_SSO_OIDC": "https://h.example/a/b/"})
for path in ["/", "//", "/a/", "/a//", "/a/b/"]:
    case(f"endpoints with the path {path}", PROFILE,
         {"AWS_ENDPOINT_URL_" + service: "https://h.example" + path
          for service in ["STS", "SSO", "SSO_OIDC", "SIGNIN"]})
case("an endpoint with a path, and no region", None,
     {"AWS_ENDPOINT_URL_STS": "https://h.example/a/"})
case("an endpoint on this machine", PROFILE, {"AWS_ENDPOINT_URL": "http://localhost:4566"})
case("an endpoint that is not a URL", PROFILE, {"AWS_ENDPOINT_URL": "general.example"})
for service in ["STS", "SSO", "SSO_OIDC", "S3", "sts", "OIDC"]:
    case("an endpoint of " + service, PROFILE,
         ENDPOINT | {"AWS_ENDPOINT_URL_" + service: "https://own.example:8443"})
case("an endpoint of the profile", PROFILE + "endpoint_url = https://profile.example\n")
case("an endpoint of the profile, and of a variable",
     PROFILE + "endpoint_url = https://profile.example\n", ENDPOINT)
case("an endpoint of the profile that is empty", PROFILE + "endpoint_url =\n")
case("services", PROFILE + "services = s\n" + SERVICES)
case("services and an endpoint", PROFILE + "services = s\nendpoint_url = https://profile.example\n"
     + SERVICES)
case("services and variables", PROFILE + "services = s\n" + SERVICES,
     {"AWS_ENDPOINT_URL_STS": "https://own.example"})
case("services and a general variable", PROFILE + "services = s\n" + SERVICES, ENDPOINT)
case("services that do not exist", PROFILE + "services = t\n" + SERVICES)
case("services that do not exist, and a variable", PROFILE + "services = t\n" + SERVICES, ENDPOINT)
case("services that are empty", PROFILE + "services = s\n[services s]\n")
case("services without a name", PROFILE + "services =\n" + SERVICES)
case("services of another profile", PROFILE + "[profile a]\nservices = s\n" + SERVICES)
case("services in upper case", PROFILE + "services = s\n[services s]\nSTS =\n"
     "  endpoint_url = https://section-sts.example\nS3 =\n  ENDPOINT_URL = https://s.example\n")
case("services that say something else", PROFILE + "services = s\n[services s]\nsts =\n  a = b\n")
case("services with a text", PROFILE + "services = s\n[services s]\nsts = https://s.example\n")
case("services with an empty endpoint", PROFILE + "services = s\n[services s]\nsts =\n"
     "  endpoint_url =\n")
case("services with a name in quotes", PROFILE + "services = a b\n"
     + SERVICES.replace("[services s]", '[services "a b"]'))
for value in ["true", "TRUE", "1", "", "no"]:
    case(f"ignored by a variable: {value!r}", PROFILE + "services = t\n",
         ENDPOINT | {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": value})
case("ignored by the profile", PROFILE + "services = s\nignore_configured_endpoint_urls = true\n"
     + SERVICES, ENDPOINT)
case("ignored by the profile, and a variable says no",
     PROFILE + "services = s\nignore_configured_endpoint_urls = true\n" + SERVICES,
     {"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": "false"})
for region in ["fips-us-west-2", "us-west-2-fips", "us-gov-west-1-fips", "fips-ca-central-1",
               "fips-us-gov-east-1"]:
    case(f"FIPS in the region {region}", f"[default]\nregion = {region}\n", sso_region=region)
for region in ["fips-us-east-2", "us-east-2-fips"]:
    case(f"FIPS in the region {region}, and none in Identity Center's of this name",
         f"[default]\nregion = {region}\n", sso_region="us-east-2")
    case(f"FIPS in Identity Center's region {region}, and none in the profile's of this name",
         "[default]\nregion = us-east-2\n", sso_region=region)
case("FIPS in the region, and everywhere", "[default]\nregion = fips-us-east-2\n", FIPS,
     sso_region="us-east-2")
case("FIPS in the region, and a setting that says no",
     "[default]\nregion = fips-us-west-2\nuse_fips_endpoint = false\n")
case("FIPS in the region, and dual-stack", "[default]\nregion = us-east-2-fips\n", DUAL)
case("FIPS in the region, and a URL", "[default]\nregion = us-east-2-fips\n", ENDPOINT)
case("attempts", PROFILE, {"AWS_MAX_ATTEMPTS": "7"})
case("attempts of the profile", PROFILE + "max_attempts = 2\n")
case("attempts of the profile, and a variable", PROFILE + "max_attempts = 2\n",
     {"AWS_MAX_ATTEMPTS": "4"})
case("attempts that are no number", PROFILE + "max_attempts = many\n")


REGIONS = ["eu-west-1", "eu-south-1", "us-east-1", "cn-north-1", "us-gov-west-1", "eusc-de-east-1",
           "us-iso-east-1", "us-west-2", "fips-us-west-2", "us-gov-west-1-fips"]


def generated(seed):
    choose = Choices(seed).one
    fips, dual = choose(*[None] * 4, "true", "false"), choose(*[None] * 4, "true", "True")

    def settings(place):
        lines = []
        # A variant needs a region, so that each has one in the default profile.
        lines.append("region = " + choose(*REGIONS))
        for name, text in [("use_fips_endpoint", fips), ("use_dualstack_endpoint", dual)]:
            if text:
                lines.append(f"{name} = {text}")
        if choose(*[0] * 3, 1):
            lines.append(f"endpoint_url = https://{place}.example:8443")
        if choose(*[0] * 2, 1):
            lines.append("services = " + choose("s", "s", "t", "missing"))
        if choose(*[0] * 5, 1):
            lines.append("ignore_configured_endpoint_urls = " + choose("true", "false", "TRUE"))
        if choose(*[0] * 5, 1):
            lines.append("sts_regional_endpoints = " + choose("legacy", "regional"))
        if choose(*[0] * 5, 1):
            lines.append("max_attempts = " + choose("1", "2", "9"))
        return "".join(line + "\n" for line in lines)

    config = "[default]\n" + settings("default") + "[profile a]\n" + settings("a")
    for name in ["s", "t"]:
        config += f"[services {name}]\n"
        for service in ["sts", "sso", "sso_oidc", "s3", "dynamodb"]:
            if choose(0, 1) or service == "dynamodb":
                key = choose(*["endpoint_url"] * 4, "other")
                config += f"{service} =\n  {key} = https://{name}-{service.replace('_', '-')}.example\n"
    variables = {}
    for name, values in {
            "AWS_ENDPOINT_URL": ["https://general.example", "http://127.0.0.1:4566", ""],
            "AWS_ENDPOINT_URL_STS": ["https://vpce-1.sts.eu-west-1.vpce.amazonaws.com", "",
                                     "https://own-sts.example/base/"],
            "AWS_ENDPOINT_URL_SSO": ["https://own-sso.example/base", "http://[::1]:1"],
            "AWS_ENDPOINT_URL_SSO_OIDC": ["https://own-oidc.example/base",
                                          "https://own-oidc.example/base//"],
            "AWS_ENDPOINT_URL_S3": ["http://minio.example:9000", "https://s3.example"],
            "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS": ["true", "false", ""],
            "AWS_USE_FIPS_ENDPOINT": ["true", "false", ""],
            "AWS_USE_DUALSTACK_ENDPOINT": ["True", "false", ""],
            "AWS_STS_REGIONAL_ENDPOINTS": ["legacy", "regional"],
            "AWS_DEFAULT_REGION": REGIONS, "AWS_MAX_ATTEMPTS": ["5"],
            "AWS_PROFILE": ["a", "a", "default"]}.items():
        if choose(*[0] * 5, 1):
            variables[name] = choose(*values)
    case(f"generated {seed}", config, variables, choose(None, None, "a"),
         choose(None, None, "[a]\nregion = ca-central-1\nuse_fips_endpoint = true\n"),
         choose(*REGIONS))


FIRST, COUNT = (int(text) for text in (sys.argv[1:3] or ["0", "150"]))
for seed in range(FIRST, FIRST + COUNT):
    generated(seed)

print("# Printed by service-settings.py, which uses botocore.session and its clients.")
print("# variable: name, value; file: path in the home folder, contents; then, of each service,")
print("# the URL that is asked, and the region of its signature.")
print()
for arguments in CASES:
    record(*arguments)
