# SPDX-License-Identifier: Apache-2.0
# Prints utf8-headers.txt: headers with values beyond ASCII, as botocore signs them; awscrt signs the
# same where it is installed.
#
# Values with whitespace beyond ASCII are left out: Python folds it, too.

import datetime
import sys

sys.dont_write_bytecode = True

from botocore.auth import S3SigV4Auth

from botocore_tables.signing import CREDENTIALS, Signing, print_field

DATE = "20240102T030405Z"
DIGEST = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
HEADERS = {
    "Latin": [("x-amz-meta-place", "Zürich")],
    "two scripts, runs of spaces": [("x-amz-meta-a", "  東京   Москва ")],
    "beyond the basic plane": [("x-amz-meta-a", "\U0001f600"), ("x-amz-meta-b", "b")],
    "composed and decomposed": [("x-amz-meta-a", "é"), ("x-amz-meta-b", "e\u0301")],
    "given to HTTP": [("Content-Disposition", "attachment; filename=\"été.pdf\"")],
}


def awscrt_signature(url, headers):
    try:
        from awscrt import auth, http
    except ImportError:
        return None
    host, path = url.removeprefix("https://").split("/", 1)
    request = http.HttpRequest("PUT", "/" + path, http.HttpHeaders([("Host", host), *headers]))
    config = auth.AwsSigningConfig(
        algorithm=auth.AwsSigningAlgorithm.V4, region="us-east-1", service="s3",
        signature_type=auth.AwsSignatureType.HTTP_REQUEST_HEADERS,
        credentials_provider=auth.AwsCredentialsProvider.new_static(*CREDENTIALS),
        date=datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc),
        use_double_uri_encode=False, should_normalize_uri_path=False,
        signed_body_value=DIGEST,
        signed_body_header_type=auth.AwsSignedBodyHeaderType.X_AMZ_CONTENT_SHA_256)
    signed = auth.aws_sign_request(request, config).result(10)
    return dict(signed.headers)["Authorization"].rpartition("=")[2]


print("# Printed by utf8-headers.py, which uses botocore.auth and awscrt.")
print()
for name, headers in HEADERS.items():
    url = "https://store.example/bucket/key"
    signing = Signing(S3SigV4Auth, "s3", "us-east-1", DATE, "PUT", url, headers)
    assert awscrt_signature(url, headers) in (None, signing.signature), name
    print_field("name", name)
    print_field("service", "s3")
    print_field("region", "us-east-1")
    print_field("date", DATE)
    print_field("url", url)
    for header, value in headers:
        print_field("header", f"{header}:{value}")
    print_field("canonical-request", signing.canonical_request)
    print_field("signature", signing.signature)
    print()
