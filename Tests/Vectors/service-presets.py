# SPDX-License-Identifier: Apache-2.0
# Prints service-presets.txt: what botocore signs for the services that have a preset.

import hashlib
import sys

sys.dont_write_bytecode = True

from botocore.auth import S3SigV4Auth, SigV4Auth, SigV4QueryAuth

from botocore_tables.signing import Signing, print_field

REGION = "us-east-1"
DATE = "20240102T030405Z"
TOKEN = "FwoG/ZXIv+YXdz=="
BODY = b'{"a": 1}'


def print_vector(preset, service, method, url, headers=(), body=None, payload=None, added=(),
                 auth_class=SigV4Auth, **options):
    """`added`: headers that the preset adds by itself, and that botocore has to be given."""
    signing = Signing(auth_class, service, REGION, DATE, method, url, [*headers, *added],
                      body=body or b"", token=TOKEN, **options)
    print()
    print_field("name", f"{preset}, {method}" + (" in the URL" if "expires" in options else ""))
    print_field("preset", preset)
    for field, value in [("service", service), ("region", REGION), ("date", DATE), ("method", method), ("url", url),
                         ("token", TOKEN)]:
        print_field(field, value)
    for name, value in headers:
        print_field("header", f"{name}:{value}")
    if body is not None:
        print_field("body", body)
    if payload is not None:
        print_field("payload", payload)
    if "expires" in options:
        print_field("lifetime", options["expires"])
    signing.print_steps()


def declared(value):
    value = hashlib.sha256(value).hexdigest() if isinstance(value, bytes) else value
    return [("x-amz-content-sha256", value)]


OUTPOST = "https://ap-123456789012.op-01ac5d28a6a232904.s3-outposts.us-east-1.amazonaws.com"
LAMBDA = "https://ap-123456789012.s3-object-lambda.us-east-1.amazonaws.com"
GLACIER = "https://glacier.us-east-1.amazonaws.com/-/vaults/a%20b/archives"
LATTICE = "https://user-02222f67d3a427111.1234abc.vpc-lattice-svcs.us-east-1.on.aws/a%20b//c"
EVENTS = "STREAMING-AWS4-HMAC-SHA256-EVENTS"
STREAM = "https://transcribestreaming.us-east-1.amazonaws.com"
WEBSOCKET = "wss://transcribestreaming.us-east-1.amazonaws.com:8443/stream-transcription-websocket"

print("# Printed by service-presets.py, which uses botocore.auth. Fields: see published-vectors.txt.")
print("# preset: the name of the preset in SigV4.Service.")
for preset, service, host in [("s3Outposts", "s3-outposts", OUTPOST),
                              ("s3ObjectLambda", "s3-object-lambda", LAMBDA)]:
    print_vector(preset, service, "PUT", f"{host}/a%20b//%C3%A9", body=BODY, auth_class=S3SigV4Auth)
print_vector("glacier", "glacier", "POST", GLACIER,
             [("x-amz-glacier-version", "2012-06-01"),
              ("x-amz-sha256-tree-hash", hashlib.sha256(BODY).hexdigest())],
             BODY, added=declared(BODY))
print_vector("vpcLattice", "vpc-lattice-svcs", "POST", LATTICE, payload="UNSIGNED-PAYLOAD",
             added=declared("UNSIGNED-PAYLOAD"))
print_vector("openSearchServerless", "aoss", "PUT",
             "https://c.us-east-1.aoss.amazonaws.com/index%2Ca/_doc",
             [("content-type", "application/json")], BODY, added=declared(BODY))
print_vector("executeAPI", "execute-api", "POST",
             "https://abc123.execute-api.us-east-1.amazonaws.com/prod/%40connections/X%3D", (), BODY)
print_vector("transcribeStreaming", "transcribe", "POST", f"{STREAM}/stream-transcription",
             [("content-type", "application/vnd.amazon.eventstream")], payload=EVENTS,
             added=declared(EVENTS))
print_vector("pollyStreaming", "polly", "POST",
             "https://polly.us-east-1.amazonaws.com/v1/synthesisStream",
             [("content-type", "application/vnd.amazon.eventstream")], payload=EVENTS,
             added=declared(EVENTS))
print_vector("transcribeStreaming", "transcribe", "GET", f"{WEBSOCKET}?language-code=en-US",
             auth_class=SigV4QueryAuth, expires=300)
