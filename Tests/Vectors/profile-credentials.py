# SPDX-License-Identifier: Apache-2.0
# Prints profile-credentials.txt: variables and files of profiles, and the credentials that botocore
# finds in them, or whom it would ask for what.
#
# A botocore session looks for credentials with these variables and these files in its home folder.
# Its chain ends before the container's agent and the instance's metadata service: "nothing" was
# found then. Nothing is run, and no service is asked: of a process, the words that botocore would run
# are told.

import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

import botocore.credentials
import botocore.session
from botocore.exceptions import BotoCoreError

from botocore_tables import login  # what a login session needs
from botocore_tables.signing import print_field

KEYS = "aws_access_key_id = AKIDEXAMPLE\naws_secret_access_key = secret/1\n"
OTHER = "aws_access_key_id = AKIDOTHER\naws_secret_access_key = secret/2\n"
ROLE = "role_arn = arn:aws:iam::123456789012:role/r\n"
ROLE2 = "role_arn = arn:aws:iam::123456789012:role/r2\n"
ENV = {"AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": "secret/env"}
FILE = "web_identity_token_file = /var/token\n"
SSO = ("sso_start_url = https://d.awsapps.com/start\nsso_region = eu-west-1\n"
       "sso_account_id = 123456789012\nsso_role_name = reader\n")
SESSION = ("[sso-session s]\nsso_start_url = https://d.awsapps.com/start\nsso_region = eu-west-1\n"
           "sso_registration_scopes = sso:account:access\n")
SSO_ROLE = "sso_session = s\nsso_account_id = 123456789012\nsso_role_name = reader\n"

CASES = []


def case(name, config=None, credentials=None, profile=None, variables=None, files=None):
    CASES.append((name, config, credentials, profile, variables or {}, files or {}))


# The environment.
case("environment", variables=ENV)
case("environment with a token", variables=ENV | {"AWS_SESSION_TOKEN": "token=="})
case("environment with an old token", variables=ENV | {"AWS_SECURITY_TOKEN": "old"})
case("environment with two tokens",
     variables=ENV | {"AWS_SECURITY_TOKEN": "old", "AWS_SESSION_TOKEN": "new"})
case("environment with an empty token",
     variables=ENV | {"AWS_SECURITY_TOKEN": "", "AWS_SESSION_TOKEN": "new"})
case("environment without a secret", variables={"AWS_ACCESS_KEY_ID": "AKIDENV"})
case("environment with an empty secret",
     variables={"AWS_ACCESS_KEY_ID": "AKIDENV", "AWS_SECRET_ACCESS_KEY": ""})
case("environment with a secret only", variables={"AWS_SECRET_ACCESS_KEY": "secret/env"},
     credentials="[default]\n" + KEYS)
case("environment with an empty key", variables=ENV | {"AWS_ACCESS_KEY_ID": ""},
     credentials="[default]\n" + KEYS)
case("environment before files", variables=ENV, credentials="[default]\n" + KEYS)
case("environment before a selected profile", variables=ENV | {"AWS_PROFILE": "a"},
     credentials="[a]\n" + KEYS)
case("a profile that was asked for before the environment", variables=ENV, profile="a",
     credentials="[a]\n" + KEYS)
for end in ["2999-01-29T18:53:01Z", "2999-01-29T18:53:01.25Z", "2999-01-29T18:53:01+01:00",
            "2999-01-29T18:53:01-0930", "2999-01-29 18:53:01Z", "2999-12-31T23:59:59.999999+00:00"]:
    case("environment until " + end, variables=ENV | {"AWS_CREDENTIAL_EXPIRATION": end})
for end in ["tomorrow", "2999-13-01T00:00:00Z", "2999-02-30T00:00:00Z", "2999-01-29T25:53:01Z",
            "2999-01-29T18:53:01", "2001-01-01T00:00:00Z"]:
    case("environment until " + end, variables=ENV | {"AWS_CREDENTIAL_EXPIRATION": end})
case("environment until nothing", variables=ENV | {"AWS_CREDENTIAL_EXPIRATION": ""})

# Which file, which profile.
case("no files")
case("empty files", config="", credentials="")
case("default of the credentials file", credentials="[default]\n" + KEYS)
case("default of the config file", config="[default]\n" + KEYS)
case("default as a profile of the config file", config="[profile default]\n" + KEYS)
case("default twice in the config file, the last one counts",
     config="[profile default]\n" + KEYS + "[default]\n" + OTHER)
case("default twice in the config file, the other way round",
     config="[default]\n" + KEYS + "[profile default]\n" + OTHER)
case("default in upper case is none", credentials="[Default]\n" + KEYS)
case("DEFAULT is for all, and no profile", credentials="[DEFAULT]\n" + KEYS)
case("DEFAULT is for all", credentials="[DEFAULT]\n" + KEYS + "[a]\n", profile="a")
case("credentials file before config file", config="[default]\n" + KEYS,
     credentials="[default]\n" + OTHER)
case("keys of two files are not mixed", config="[default]\n" + KEYS,
     credentials="[default]\naws_access_key_id = AKIDOTHER\n")
case("a secret alone in the credentials file", config="[default]\n" + KEYS,
     credentials="[default]\naws_secret_access_key = other\n")
case("a token of the other file is not taken",
     config="[default]\naws_session_token = token\n", credentials="[default]\n" + KEYS)
case("settings of two files", config="[profile a]\nregion = eu-west-1\n",
     credentials="[a]\n" + KEYS, profile="a")
case("region of the credentials file", config="[profile a]\nregion = eu-west-1\n",
     credentials="[a]\nregion = eu-west-2\n" + KEYS, profile="a")
case("region of the environment", config="[profile a]\nregion = eu-west-1\n" + KEYS, profile="a",
     variables={"AWS_DEFAULT_REGION": "us-west-2"})
case("profile of the config file", config="[profile a]\n" + KEYS, profile="a")
case("profile without the word is none of the config file", config="[a]\n" + KEYS, profile="a")
case("profile with the word is none of the credentials file", credentials="[profile a]\n" + KEYS,
     profile="a")
case("profile with the word by its whole name", credentials="[profile a]\n" + KEYS,
     profile="profile a")
case("profile with many blanks", config="[profile \t  a]\n" + KEYS, profile="a")
case("profile with a blank before the word", config="[ profile a]\n" + KEYS, profile="a")
case("profile in double quotes", config='[profile "a b"]\n' + KEYS, profile="a b")
case("profile in single quotes", config="[profile 'a b']\n" + KEYS, profile="a b")
case("profile with a quote in its middle", config="[profile a' 'b]\n" + KEYS, profile="a b")
case("profile with a backslash", config="[profile a\\ b]\n" + KEYS, profile="a b")
case("profile with a backslash in double quotes", config='[profile "a\\"\\b"]\n' + KEYS,
     profile='a"\\b')
case("profile with quotes in the credentials file", credentials='["a b"]\n' + KEYS,
     profile='"a b"')
case("profile with a blank in the credentials file", credentials="[a b]\n" + KEYS, profile="a b")
case("profile with a quote that is not closed", config='[profile "a]\n' + KEYS, profile="a")
case("profile of two words", config="[profile a b]\n" + KEYS, profile="a")
case("profile without a name", config="[profile]\n" + KEYS, profile="a")
case("a word that begins with profile", config="[profiles a]\n" + KEYS, profile="a")
case("a name glued to the word", config="[profilea]\n" + KEYS, profile="a")
case("number sign in a name", config="[profile a#b]\n" + KEYS, profile="a#b")
case("profile twice by its name", config='[profile a]\n' + KEYS + '[profile "a"]\n' + OTHER,
     profile="a")
case("profile in other case", config="[profile A]\n" + KEYS, profile="a")
case("profile beyond ASCII", config="[profile \u00e9]\n" + KEYS, profile="\u00e9")
case("profile in another form of Unicode", config="[profile \u00e9]\n" + KEYS, profile="e\u0301")
case("AWS_PROFILE", credentials="[default]\n" + OTHER + "[a]\n" + KEYS,
     variables={"AWS_PROFILE": "a"})
case("AWS_DEFAULT_PROFILE", credentials="[default]\n" + OTHER + "[a]\n" + KEYS,
     variables={"AWS_DEFAULT_PROFILE": "a"})
case("AWS_DEFAULT_PROFILE before AWS_PROFILE", credentials="[a]\n" + KEYS + "[b]\n" + OTHER,
     variables={"AWS_DEFAULT_PROFILE": "a", "AWS_PROFILE": "b"})
case("a name before AWS_PROFILE", credentials="[a]\n" + KEYS + "[b]\n" + OTHER, profile="b",
     variables={"AWS_PROFILE": "a"})
case("AWS_PROFILE that does not exist", credentials="[default]\n" + KEYS,
     variables={"AWS_PROFILE": "a"})
case("AWS_PROFILE that is empty", credentials="[default]\n" + KEYS, variables={"AWS_PROFILE": ""})
case("a name that does not exist", credentials="[default]\n" + KEYS, profile="a")
case("default by name that does not exist", credentials="[a]\n" + KEYS, profile="default")
case("AWS_CONFIG_FILE", config="[default]\n" + OTHER, files={"x": "[default]\n" + KEYS},
     variables={"AWS_CONFIG_FILE": "~/x"})
case("AWS_SHARED_CREDENTIALS_FILE", credentials="[default]\n" + OTHER,
     files={"x": "[default]\n" + KEYS}, variables={"AWS_SHARED_CREDENTIALS_FILE": "~/x"})
case("AWS_CONFIG_FILE with a variable", files={"xy": "[default]\n" + KEYS},
     variables={"AWS_CONFIG_FILE": "$HOME/x${LAST}", "LAST": "y"})
case("AWS_CONFIG_FILE with a variable that is not set", files={"x$LAST": "[default]\n" + KEYS},
     variables={"AWS_CONFIG_FILE": "~/x$LAST"})
case("AWS_CONFIG_FILE with lone dollar signs", files={"$/${LAST/$": "[default]\n" + KEYS},
     variables={"AWS_CONFIG_FILE": "~/$/${LAST/$", "LAST": "y"})
case("AWS_CONFIG_FILE that does not exist", config="[default]\n" + KEYS,
     variables={"AWS_CONFIG_FILE": "~/x"})
case("AWS_CONFIG_FILE that is empty", config="[default]\n" + KEYS,
     variables={"AWS_CONFIG_FILE": ""})
case("config file broken", config="[default\n", credentials="[default]\n" + KEYS)
case("credentials file broken", config="[default]\n" + KEYS, credentials="x\n")
case("file broken in another profile", credentials="[default]\n" + KEYS + "[a]\nx\n")

# Keys.
case("token", credentials="[default]\n" + KEYS + "aws_session_token = token==\n")
case("old token first", credentials="[default]\n" + KEYS
     + "aws_session_token = new\naws_security_token = old\n")
case("old token first, empty too", credentials="[default]\n" + KEYS
     + "aws_session_token = new\naws_security_token =\n")
case("empty token", credentials="[default]\n" + KEYS + "aws_session_token =\n")
case("key without a secret", credentials="[default]\naws_access_key_id = AKIDEXAMPLE\n")
case("key without a secret in the config file",
     config="[default]\naws_access_key_id = AKIDEXAMPLE\n")
case("secret without a key", credentials="[default]\naws_secret_access_key = secret/1\n")
case("names in upper case", credentials="[default]\n" + KEYS.replace("aws_", "AWS_"))
case("secret with delimiters",
     credentials="[default]\naws_access_key_id: AKIDEXAMPLE\naws_secret_access_key = a=b:c#d;e\n")
case("profile without credentials", config="[profile a]\nregion = eu-west-1\n", profile="a")

# Processes.
PROCESS = "[profile a]\ncredential_process = "
for name, line in {
    "process": "/bin/tool --json",
    "process with quotes": "tool \"a b\" 'c d' e\" \"f ''",
    "process with backslashes": "tool a\\ b \\\"c \"d\\\"e\\f\\\\\" 'g\\h' \"$x\\$y\"",
    "process with shell characters": "tool a|b && c > d; e `f` $(g) $HOME ~ * # h",
    "process with an equals sign": "tool --region=eu-west-1 a:b",
    "process that is continued": "tool a\n   b 'c\n   d'",
    "process in quotes": "\"/opt/my tool\" x",
}.items():
    case(name, config=PROCESS + line + "\n", profile="a")
case("process with a quote that is not closed", config=PROCESS + "tool 'a\n", profile="a")
case("process with a backslash at its end", config=PROCESS + "tool a\\\n", profile="a")
case("process that is empty", config=PROCESS + "\n", profile="a")
case("keys of the credentials file before a process", config=PROCESS + "tool\n",
     credentials="[a]\n" + KEYS, profile="a")
case("process before keys of the config file", config=PROCESS + "tool\n" + KEYS, profile="a")
case("process of the credentials file", credentials="[a]\ncredential_process = tool\n",
     profile="a")

# Roles.
case("role with a source", config="[profile a]\nsource_profile = b\nregion = eu-west-1\n" + ROLE,
     credentials="[b]\n" + KEYS, profile="a")
case("role with all settings",
     config="[profile a]\nsource_profile = b\nrole_session_name = me\nexternal_id = x y\n"
     "duration_seconds = 3600\n" + ROLE + "[profile b]\nregion = eu-west-2\n" + KEYS, profile="a")
case("role for a time that is no number",
     config="[profile a]\nsource_profile = b\nduration_seconds = 1h\n" + ROLE + "[profile b]\n"
     + KEYS, profile="a")
case("role of a role", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\nsource_profile = c\nexternal_id = x\n" + ROLE2, credentials="[c]\n" + KEYS,
     profile="a")
case("role before keys of its profile", config="[profile a]\nsource_profile = b\n" + ROLE + OTHER
     + "[profile b]\n" + KEYS, profile="a")
case("role in the credentials file", credentials="[a]\nsource_profile = b\n" + ROLE + "[b]\n"
     + KEYS, profile="a")
case("role with itself as its source", config="[profile a]\nsource_profile = a\n" + ROLE + KEYS,
     profile="a")
case("keys of a source before its role", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\nsource_profile = c\n" + ROLE2 + KEYS, profile="a")
case("role with a process", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\ncredential_process = tool x\n", profile="a")
case("role with a web identity", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\n" + FILE + ROLE2, profile="a")
case("role with single sign-on", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\n" + SSO, profile="a")
for name in ["Environment", "EcsContainer", "Ec2InstanceMetadata"]:
    case("role with " + name, config=f"[profile a]\ncredential_source = {name}\n" + ROLE,
         profile="a", variables=ENV)
case("role with a source in other case", config="[profile a]\ncredential_source = environment\n"
     + ROLE, profile="a", variables=ENV)
case("role with an unknown source", config="[profile a]\ncredential_source = Vault\n" + ROLE,
     profile="a")
case("role without a source", config="[profile a]\n" + ROLE, profile="a")
case("role without a source, with keys", config="[profile a]\n" + ROLE + KEYS, profile="a")
case("role with two sources", config="[profile a]\nsource_profile = b\n"
     "credential_source = Environment\n" + ROLE + "[profile b]\n" + KEYS, profile="a",
     variables=ENV)
case("role with a source that does not exist", config="[profile a]\nsource_profile = b\n" + ROLE,
     profile="a")
case("role with a source that says nothing", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\nregion = eu-west-1\n", profile="a")
case("role with a source that has half of the keys", config="[profile a]\nsource_profile = b\n"
     + ROLE + "[profile b]\naws_access_key_id = AKIDEXAMPLE\n", profile="a")
case("role with itself and without keys", config="[profile a]\nsource_profile = a\n" + ROLE,
     profile="a")
case("roles in a circle", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\nsource_profile = a\n" + ROLE2, profile="a")
case("roles in a circle further on", config="[profile a]\nsource_profile = b\n" + ROLE
     + "[profile b]\nsource_profile = c\n" + ROLE2 + "[profile c]\nsource_profile = b\n" + ROLE,
     profile="a")
case("roles in a circle with keys at its beginning", config="[profile a]\nsource_profile = b\n"
     + ROLE + KEYS + "[profile b]\nsource_profile = a\n" + ROLE2, profile="a")
case("source without a role", config="[profile a]\nsource_profile = b\n[profile b]\n" + KEYS,
     profile="a")

# Web identities.
case("web identity", config="[profile a]\nrole_session_name = me\n" + FILE + ROLE, profile="a")
case("web identity before keys", config="[profile a]\n" + FILE + ROLE, profile="a",
     credentials="[a]\n" + KEYS)
case("web identity with a source is none of it", config="[profile a]\nsource_profile = b\n" + FILE
     + ROLE, profile="a")
case("web identity without a role", config="[profile a]\n" + FILE, profile="a")
case("web identity without a path", config="[profile a]\nweb_identity_token_file =\n" + ROLE + KEYS,
     profile="a")
case("web identity with an empty session", config="[profile a]\nrole_session_name =\n" + FILE + ROLE,
     profile="a")
case("role with an empty session", config="[profile a]\nsource_profile = a\nrole_session_name =\n"
     + ROLE + KEYS, profile="a")
ROLE_VARIABLES = {"AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/env",
                  "AWS_ROLE_SESSION_NAME": "env"}
case("web identity, and variables", config="[default]\nrole_session_name = me\n" + FILE + ROLE,
     variables=ROLE_VARIABLES)
case("web identity, and a session in a variable", config="[default]\n" + FILE + ROLE,
     variables={"AWS_ROLE_SESSION_NAME": "env"})
case("web identity without a role, and variables", config="[default]\n" + FILE,
     variables=ROLE_VARIABLES)
case("web identity of a selected profile, and variables", config="[profile a]\n" + FILE + ROLE,
     variables=ROLE_VARIABLES | {"AWS_PROFILE": "a"})
case("web identity of a named profile, and variables", config="[profile a]\n" + FILE + ROLE,
     variables=ROLE_VARIABLES, profile="a")
case("web identity of a source, and variables", config="[default]\nsource_profile = b\n" + ROLE
     + "[profile b]\n" + FILE + ROLE2, variables=ROLE_VARIABLES)
case("web identity without a role of a source, and variables",
     config="[default]\nsource_profile = b\n" + ROLE + "[profile b]\n" + FILE,
     variables=ROLE_VARIABLES)

# Single sign-on.
case("sign-on", config="[profile a]\n" + SSO, profile="a")
case("sign-on before keys", config="[profile a]\n" + SSO, credentials="[a]\n" + KEYS, profile="a")
case("sign-on with a session", config="[profile a]\n" + SSO_ROLE + SESSION, profile="a")
case("sign-on with a session in quotes", config="[profile a]\n" + SSO_ROLE
     + SESSION.replace("[sso-session s]", '[sso-session "s"]'), profile="a")
case("sign-on with a session that says the same", config="[profile a]\n" + SSO_ROLE
     + "sso_region = eu-west-1\n" + SESSION, profile="a")
case("sign-on with a session that says something else", config="[profile a]\n" + SSO_ROLE
     + "sso_region = eu-west-2\n" + SESSION, profile="a")
case("sign-on with a session that says another name", config="[profile a]\n" + SSO_ROLE + SESSION
     + "sso_role_name = other\n", profile="a")
case("sign-on with a session that does not exist", config="[profile a]\n" + SSO_ROLE, profile="a")
case("sign-on with a session in the credentials file", config="[profile a]\n" + SSO_ROLE,
     credentials=SESSION, profile="a")
for name in ["sso_start_url", "sso_region", "sso_account_id", "sso_role_name"]:
    lines = [line for line in SSO.splitlines(True) if not line.startswith(name)]
    case("sign-on without " + name, config="[profile a]\n" + "".join(lines), profile="a")
case("sign-on with a start only", config="[profile a]\nsso_start_url = https://x\n" + KEYS,
     profile="a")
case("session without role and account", config="[profile a]\nsso_session = s\n" + KEYS + SESSION,
     profile="a")
case("keys of the credentials file before a login session",
     config="[profile a]\nlogin_session = arn:aws:iam::1:user/x\n", credentials="[a]\n" + KEYS,
     profile="a")
SIGNED_IN = "login_session = arn:aws:iam::123456789012:user/x\n"
# The name of the file: printf arn:aws:iam::123456789012:user/x | sha256sum.
SIGN_IN = {
    ".aws/login/cache/"
    "2ff2a80db794fe2d23248219d580c027ab8e3592f5c59254e6a865b9c22fc859.json": json.dumps({
    "accessToken": {"accessKeyId": "ASIA", "secretAccessKey": "secret/3", "sessionToken": "t",
                    "accountId": "123456789012", "expiresAt": "2024-01-02T03:19:05Z"},
    "refreshToken": "r", "clientId": "c", "dpopKey": login.pem("PKCS8")})}
case("a login session", config="[profile a]\n" + SIGNED_IN, profile="a", files=SIGN_IN)
case("a login session of the credentials file", credentials="[a]\n" + SIGNED_IN, profile="a",
     files=SIGN_IN)
case("a login session before a process",
     config="[profile a]\ncredential_process = x\n" + SIGNED_IN, profile="a", files=SIGN_IN)
case("a login session before keys of the config file", config="[profile a]\n" + KEYS + SIGNED_IN,
     profile="a", files=SIGN_IN)
case("sign-on before a login session", config="[profile a]\n" + SSO + SIGNED_IN, profile="a",
     files=SIGN_IN)
case("web identity before a login session", config="[profile a]\n" + ROLE + FILE + SIGNED_IN,
     profile="a", files=SIGN_IN)
case("a role with the source of a login session",
     config="[profile a]\n" + ROLE + "source_profile = b\n[profile b]\n" + SIGNED_IN, profile="a",
     files=SIGN_IN)
case("a role with a device", config="[profile a]\n" + ROLE + "mfa_serial = GAHT12345678\n"
     "source_profile = b\n[profile b]\n" + KEYS, profile="a")
case("a role with a device, with the credentials of another one",
     config="[profile a]\n" + ROLE + "source_profile = b\n[profile b]\n" + ROLE2
     + "mfa_serial = arn:aws:iam::123456789012:mfa/me\ncredential_source = EcsContainer\n",
     profile="a")


class Process(Exception):
    """What would be run."""


def popen(words, **_):
    if not words:
        subprocess.Popen(words)
    raise Process(words)


def load(self, load=botocore.credentials.ProcessProvider.load):
    try:
        return load(self)
    except Process as process:
        return process


botocore.credentials.ProcessProvider.__init__.__defaults__ = (popen,)
botocore.credentials.ProcessProvider.load = load
# What asks for a code once is what asks.
botocore.credentials.create_mfa_serial_refresher = lambda refresh: refresh
# The chain ends before what is asked over HTTP; as a source, both only have to be found.
for provider in ["ContainerProvider", "InstanceMetadataProvider"]:
    kind = getattr(botocore.credentials, provider)
    kind.load = lambda self: None


def find(profile):
    session = botocore.session.Session(profile=profile)
    region = session.get_config_variable("region")
    return session.get_credentials(), region


def print_source(found):
    fetcher = getattr(getattr(found, "_refresh_using", None), "__self__", None)
    method = getattr(found, "method", None)
    if isinstance(found, Process):
        print_field("kind", "process")
        for word in found.args[0]:
            print_field("word", word)
    elif found is None:
        print_field("kind", "nothing")
    elif method == "assume-role":
        print_role(fetcher)
        print_source(fetcher._source_credentials)
    elif method == "assume-role-with-web-identity":
        print_field("kind", "web-identity")
        print_field("role", fetcher._role_arn)
        print_field("token-file", fetcher._web_identity_token_loader._web_identity_token_path)
        if not fetcher._using_default_session_name:
            print_field("session", fetcher._assume_kwargs["RoleSessionName"])
    elif method == "sso":
        print_field("kind", "sso")
        for name in ["start_url", "sso_region", "account_id", "role_name"]:
            print_field("sso", getattr(fetcher, "_" + name))
        if fetcher._sso_session_name:
            print_field("sso-session", fetcher._sso_session_name)
    elif method == "login":
        print_field("kind", "login")
        print_field("login-session", fetcher._session_name)
    else:
        print_field("kind", method)
        frozen = found.get_frozen_credentials()
        print_field("access-key", frozen.access_key)
        print_field("secret-key", frozen.secret_key)
        if frozen.token:
            print_field("token", frozen.token)
        if getattr(found, "_expiry_time", None):
            print_field("expires", int(found._expiry_time.replace(microsecond=0).timestamp()))


def print_role(fetcher):
    arguments = fetcher._assume_kwargs
    session = None if fetcher._using_default_session_name else arguments["RoleSessionName"]
    print_field("kind", "assume-role")
    print_field("role", "\n".join(str(value or "") for value in [
        arguments["RoleArn"], session, arguments.get("ExternalId"),
        arguments.get("DurationSeconds")]))
    if arguments.get("SerialNumber"):
        print_field("mfa-serial", arguments["SerialNumber"])


def with_source(config):
    """credential_source is looked up at once: let it find something of its name."""
    for name, kind in {"EcsContainer": "ContainerProvider",
                       "Ec2InstanceMetadata": "InstanceMetadataProvider"}.items():
        found = botocore.credentials.Credentials("x", "x", method=name)
        wanted = f"credential_source = {name}\n" in (config or "")
        getattr(botocore.credentials, kind).load = (
            (lambda self, found=found: found) if wanted else (lambda self: None))


def kind_of(error):
    """The name of an error of botocore; those of Python differ between versions."""
    return type(error).__name__ if isinstance(error, BotoCoreError) else "Exception"


def record(name, config, credentials, profile, variables, files):
    home = tempfile.mkdtemp()
    os.environ.clear()
    os.environ.update(variables | {"HOME": home})
    files = files | {path: text for path, text in
                     [(".aws/config", config), (".aws/credentials", credentials)]
                     if text is not None}
    for path, text in files.items():
        os.makedirs(os.path.dirname(os.path.join(home, path)), exist_ok=True)
        with open(os.path.join(home, path), "w", encoding="utf-8", newline="") as file:
            file.write(text)
    print_field("name", name)
    if profile is not None:
        print_field("profile", profile)
    for variable in variables.items():
        print_field("variable", "\n".join(variable))
    for path, text in files.items():
        print_field("file", path + "\n" + text)
    with_source(config)
    try:
        found, region = find(profile)
        lines = [found]
    except Exception as error:
        print_field("refused", kind_of(error))
        lines = []
    for found in lines:
        if region:
            print_field("region", region)
        if getattr(found, "_expiry_time", None) and found.method == "env":
            try:
                found.get_frozen_credentials()
            except Exception as error:
                print_field("refused", kind_of(error))
                continue
        print_source(found)
    shutil.rmtree(home)
    print()


print("# Printed by profile-credentials.py, which uses botocore.session.")
print("# variable: name, value; file: path in the home folder, contents; role: ARN, session,")
print("# external ID, seconds; a line each.")
print()
for arguments in CASES:
    record(*arguments)
