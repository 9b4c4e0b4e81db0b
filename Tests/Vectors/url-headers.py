# SPDX-License-Identifier: Apache-2.0
# Prints url-headers.txt: which headers botocore and awscrt sign in a presigned URL when they are
# given.
#
# What awscrt leaves out stands here as awscrt 0.38.1 showed it; where the module is installed, it
# is asked again. Botocore leaves headers of tracing out since 1.44; they count for all versions.

import sys

sys.dont_write_bytecode = True

import datetime
import urllib.parse

import botocore.auth

from botocore_tables.signing import CREDENTIALS, Signing, print_field

DATE = "20150830T123600Z"
NAMES = """
    accept accept-encoding accept-language baggage cache-control connection content-disposition
    content-encoding content-length content-md5 content-type cookie date expect expires forwarded
    if-match if-none-match keep-alive origin pragma proxy-authenticate proxy-authorization
    proxy-connection range referer sec-websocket-accept sec-websocket-extensions sec-websocket-key
    sec-websocket-protocol sec-websocket-version te traceparent tracestate trailer transfer-encoding
    upgrade user-agent via x-amz-acl x-amz-checksum-mode x-amz-checksum-sha256 x-amz-copy-source
    x-amz-meta-a x-amz-tagging x-amz-user-agent x-amzn-trace-id x-forwarded-for x-forwarded-host
    x-forwarded-port x-forwarded-proto x-other
""".split()
UNSIGNED_BY_AWSCRT = """
    expect sec-websocket-key sec-websocket-protocol sec-websocket-version transfer-encoding upgrade
    user-agent x-amzn-trace-id
""".split()
UNSIGNED_BY_BOTOCORE_LATER = ["baggage", "traceparent", "tracestate"]


def signed_names(url):
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)
    return query["X-Amz-SignedHeaders"][0].split(";")


def is_signed_by_botocore(name):
    answers = {
        name in signed_names(Signing(
            auth_class, service, "us-east-1", DATE, "PUT", "https://example.com/a", [(name, "1")],
            expires=60).request.url)
        for auth_class, service in [
            (botocore.auth.S3SigV4QueryAuth, "s3"), (botocore.auth.SigV4QueryAuth, "sts")]}
    assert len(answers) == 1
    return answers.pop() and name not in UNSIGNED_BY_BOTOCORE_LATER


def is_signed_by_awscrt(name):
    import awscrt.auth
    import awscrt.http
    headers = awscrt.http.HttpHeaders([("host", "example.com"), (name, "1")])
    request = awscrt.http.HttpRequest("PUT", "/a", headers)
    moment = datetime.datetime.strptime(DATE, "%Y%m%dT%H%M%SZ")
    config = awscrt.auth.AwsSigningConfig(
        algorithm=awscrt.auth.AwsSigningAlgorithm.V4,
        signature_type=awscrt.auth.AwsSignatureType.HTTP_REQUEST_QUERY_PARAMS,
        credentials_provider=awscrt.auth.AwsCredentialsProvider.new_static(*CREDENTIALS),
        region="us-east-1", service="s3", date=moment.replace(tzinfo=datetime.timezone.utc),
        expiration_in_seconds=60)
    signed = awscrt.auth.aws_sign_request(request, config).result()
    return name in signed_names("https://example.com" + signed.path)


def main():
    try:
        import awscrt.auth
        for name in NAMES:
            assert is_signed_by_awscrt(name) == (name not in UNSIGNED_BY_AWSCRT), name
    except ImportError:
        pass
    print("# Printed by url-headers.py, which uses botocore.auth, and awscrt where it is there.")
    print("# Whether a header that is given is signed in a presigned URL.")
    for name in NAMES:
        print()
        print_field("name", name)
        print_field("botocore", "signed" if is_signed_by_botocore(name) else "unsigned")
        print_field("awscrt", "unsigned" if name in UNSIGNED_BY_AWSCRT else "signed")


main()
