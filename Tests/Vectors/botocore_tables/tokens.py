# SPDX-License-Identifier: Apache-2.0
# Proofs of identity and SMTP passwords, each as the package of its maker creates it.

import base64
import datetime
import hashlib
import hmac
import json

import aws_bedrock_token_generator.token_generator
import botocore.auth
import botocore.credentials
import cassandra_sigv4.auth
import google.auth._helpers
import google.auth.aws
import gql.transport.appsync_auth
import hvac.aws_utils
import pymongo_auth_aws.auth
import requests

from botocore_tables.signing import CREDENTIALS, Signing

STS = "sts.amazonaws.com"


def moment(date):
    return datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ")


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def bedrock(region, date, expires, token=None, credentials=CREDENTIALS):
    """aws-bedrock-token-generator: its key, with its parameters in canonical order."""
    signing = Signing(
        botocore.auth.SigV4QueryAuth, "bedrock", region, date, "POST",
        "https://bedrock.amazonaws.com/?Action=CallWithBearerToken", token=token,
        credentials=credentials, expires=expires)
    theirs = aws_bedrock_token_generator.token_generator._generate_token(
        botocore.credentials.Credentials(*credentials, token), region, expires)
    prefix = "bedrock-api-key-"
    url = base64.b64decode(theirs.removeprefix(prefix)).decode()
    query = signing.canonical_request.split("\n")[2]
    ordered = f"bedrock.amazonaws.com/?{query}&X-Amz-Signature={signing.signature}&Version=1"
    assert theirs.startswith(prefix)
    assert sorted(url.replace("?", "&").split("&")) == sorted(ordered.replace("?", "&").split("&"))
    return prefix + base64.b64encode(ordered.encode()).decode()


def keyspaces(region, date, challenge, token=None, credentials=CREDENTIALS):
    """cassandra-sigv4: what its authenticator returns for a challenge."""
    class Session:
        region_name = region

        def get_credentials(self):
            return botocore.credentials.Credentials(*credentials, token)

    class Clock(datetime.datetime):
        utcnow = staticmethod(lambda: moment(date))

    cassandra_sigv4.auth.datetime = Clock
    return cassandra_sigv4.auth.SigV4Authenticator(Session()).evaluate_challenge(challenge)


def mongodb(region, date, server_nonce, sts_host=STS, token=None, credentials=CREDENTIALS):
    """pymongo-auth-aws: the document of its second message."""
    assert pymongo_auth_aws.auth._get_region(sts_host) == region
    botocore.auth.get_current_datetime = lambda *arguments: moment(date)
    credential = pymongo_auth_aws.auth.AwsCredential(*credentials, token)
    return compact(pymongo_auth_aws.auth._aws_auth_header(
        credential, base64.b64decode(server_nonce), sts_host))


def vault(region, date, role=None, server_id=None, sts_host=STS, token=None, credentials=CREDENTIALS):
    """hvac: the body of its login, with our order of headers. hvac itself signs for the global endpoint only."""
    class Clock(datetime.datetime):
        utcnow = staticmethod(lambda: moment(date))

    hvac.aws_utils.datetime = Clock
    request = hvac.aws_utils.generate_sigv4_auth_request(header_value=server_id)
    if sts_host != STS:
        request.prepare_url(f"https://{sts_host}/", None)
        request.headers["Host"] = sts_host
    hvac.aws_utils.SigV4Auth(*credentials, token, region).add_auth(request)
    names = ["Host", "Content-Length", "Content-Type", "X-Vault-AWS-IAM-Server-ID", "X-Amz-Date",
             "X-Amz-Security-Token", "Authorization"]
    assert set(request.headers) <= set(names)
    headers = {ours(name): [request.headers[name]] for name in names if name in request.headers}
    values = {"iam_http_request_method": request.method, "iam_request_url": request.url,
              "iam_request_headers": compact(headers), "iam_request_body": request.body}
    for name in list(values)[1:]:
        values[name] = base64.b64encode(values[name].encode()).decode()
    return compact(values | ({"role": role} if role is not None else {}))


def google_subject_token(region, date, audience, token=None, credentials=CREDENTIALS):
    """google-auth: its subject token, with the audience signed, as it recommends."""
    google.auth._helpers.utcnow = lambda: moment(date)
    url = f"https://sts.{region}.{domain(region)}?Action=GetCallerIdentity&Version=2011-06-15"
    signer = google.auth.aws.RequestSigner(region)
    signed = signer.get_request_options(
        google.auth.aws.AwsSecurityCredentials(*credentials, token), url, "POST",
        additional_headers={"x-goog-cloud-target-resource": audience})

    class Supplier(google.auth.aws.AwsSecurityCredentialsSupplier):
        def get_aws_security_credentials(self, context, request):
            return None

        def get_aws_region(self, context, request):
            return region

    class Signer:
        def get_request_options(self, *arguments):
            return signed

    credential = google.auth.aws.Credentials(
        audience, "urn:ietf:params:aws:token-type:aws4_request", "https://sts.googleapis.com/v1/token",
        aws_security_credentials_supplier=Supplier())
    credential._request_signer = Signer()
    credential._region = region
    return credential.retrieve_subject_token(None)


def domain(region):
    return "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"


def appsync(region, date, hostname, message=None, api="events", token=None, credentials=CREDENTIALS):
    """gql: the headers of a GraphQL API. Those of an Event API are botocore's, for its path."""
    headers = [("accept", "application/json, text/javascript"), ("content-encoding", "amz-1.0"),
               ("content-type", "application/json; charset=UTF-8")]
    connect = "/graphql/connect" if message is None else "/graphql"
    signing = Signing(
        botocore.auth.SigV4Auth, "appsync", region, date, "POST",
        f"https://{hostname}{'/event' if api == 'events' else connect}", headers,
        (message or "{}").encode(), token=token, credentials=credentials)
    signed = dict(signing.request.headers) | {"host": hostname}
    if api == "graphql":
        theirs = gql.transport.appsync_auth.AppSyncIAMAuthentication(
            hostname, region, credentials=botocore.credentials.Credentials(*credentials, token))
        assert theirs.get_headers(message) == signed
    names = ["host", *[name for name, _ in headers], "X-Amz-Date", "X-Amz-Security-Token", "Authorization"]
    text = compact({ours(name): signed[name] for name in names if name in signed})
    if message is not None:
        return text
    return "header-" + base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def ours(name):
    """The name of a header as we write it."""
    return name.lower() if name.startswith("X-Amz-") else name


def ses_smtp(region, date=None, credentials=CREDENTIALS, secret_access_key=None):
    """AWS's algorithm: Amazon SES, Developer Guide, "Obtaining Amazon SES SMTP credentials"."""
    key = ("AWS4" + (secret_access_key or credentials[1])).encode()
    for text in ["11111111", region, "ses", "aws4_request", "SendRawEmail"]:
        key = hmac.new(key, text.encode(), hashlib.sha256).digest()
    return base64.b64encode(b"\x04" + key).decode()
