# SPDX-License-Identifier: Apache-2.0
"""Signatures both ways: `foreign-signatures.py sign FOLDER` makes those of awscrt and OpenSSL, the tests
verify them and sign the same, and `foreign-signatures.py verify FOLDER` verifies these.

The verifier here shares no line with the library: botocore writes the canonical request, the key is
derived as SP 800-108 and AWS have it, and OpenSSL judges the signature.
"""

import base64
import datetime
import hashlib
import hmac
import io
import json
import random
import sys
import urllib.parse
from pathlib import Path

import awscrt.auth
import awscrt.http
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

COUNT = 10_000
ALGORITHM = "AWS4-ECDSA-P256-SHA256"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SHA256 = ec.ECDSA(hashes.SHA256())
PIECES = ["a", "Z", "0", "~", "-", "_", ".", " ", "+", "%", "&", "=", "?", "'", "(", "*", "!", "@",
          ":", ";", ",", "\u00e9", "\u2603", "/"]
HEADERS = ["content-type", "x-amz-meta-color", "x-amz-acl", "range", "cache-control", "my-header"]
VALUES = ["text/plain", "a  b", "\"a\"", "bytes=0-9", "a,b", "100-continue"]
REGIONS = ["*", "us-east-1", "us-*", "eu-west-1,us-east-1", "*-east-1", "eu-*,us-*-1"]
DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"

generator = random.Random(4)


def text(most):
    return "".join(generator.choice(PIECES) for _ in range(generator.randrange(most)))


def segment():
    # Dot segments have tests of their own.
    written = urllib.parse.quote(text(8).replace("/", ""), safe="~")
    return "a" + written


def plain_request(callers):
    service = generator.choice(["s3", "events", "execute-api"])
    is_url = generator.randrange(3) == 0
    method = generator.choice(["GET", "PUT", "POST", "DELETE", "HEAD"])
    has_body = method in ("PUT", "POST") and not is_url
    path = "".join("/" + segment() for _ in range(generator.randrange(4))) or "/"
    query = "&".join(f"p{number}={urllib.parse.quote(text(4), safe='~')}"
                     for number in range(generator.randrange(3)))
    host = generator.choice(["mfzwi23gnjvgw.mrap.accesspoint.s3-global.amazonaws.com", "h.example",
                             "127.0.0.1:9000"])
    key, secret, token = generator.choice(callers)
    moment = 1_440_938_160 + generator.randrange(10**8)
    return {
        "accessKeyID": key, "secret": secret, "token": token, "service": service,
        "regions": generator.choice(REGIONS), "method": method, "host": host,
        "target": path + ("?" + query if query else ""),
        "date": datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
                .strftime("%Y%m%dT%H%M%SZ"),
        "lifetime": 1 + generator.randrange(604_800) if is_url else None,
        "headers": [[name, generator.choice(VALUES)] for name in HEADERS
                    if generator.randrange(4) == 0],
        "body": base64.b64encode(text(30).encode() if has_body else b"").decode(),
    }


def sign_with_awscrt(request):
    """Adds the target and the headers as awscrt sends them."""
    auth = awscrt.auth
    is_s3, is_url = request["service"] == "s3", request.get("lifetime") is not None
    config = auth.AwsSigningConfig(
        algorithm=auth.AwsSigningAlgorithm.V4_ASYMMETRIC,
        signature_type=(auth.AwsSignatureType.HTTP_REQUEST_QUERY_PARAMS if is_url
                        else auth.AwsSignatureType.HTTP_REQUEST_HEADERS),
        credentials_provider=auth.AwsCredentialsProvider.new_static(
            request["accessKeyID"], request["secret"], request["token"]),
        region=request["regions"], service=request["service"],
        date=datetime.datetime.strptime(request["date"], "%Y%m%dT%H%M%SZ").replace(
            tzinfo=datetime.timezone.utc),
        use_double_uri_encode=not is_s3, should_normalize_uri_path=not is_s3,
        signed_body_value="UNSIGNED-PAYLOAD" if is_s3 and is_url else None,
        signed_body_header_type=(
            auth.AwsSignedBodyHeaderType.X_AMZ_CONTENT_SHA_256 if is_s3 and not is_url
            else auth.AwsSignedBodyHeaderType.NONE),
        expiration_in_seconds=request["lifetime"])
    message = awscrt.http.HttpRequest(
        request["method"], request["target"],
        awscrt.http.HttpHeaders([("host", request["host"])] + [tuple(each) for each in request["headers"]]),
        io.BytesIO(base64.b64decode(request["body"])))
    auth.aws_sign_request(message, config).result()
    return request | {"signedTarget": message.path,
                      "signedHeaders": [list(each) for each in message.headers]}


def sign(folder):
    callers = [("".join(generator.choices(DIGITS.upper(), k=20)),
                "".join(generator.choices(DIGITS, k=generator.choice([8, 40, 200]))),
                generator.choice([None, "FwoG/ZXIv+YXdz//example+session/token=="]))
               for _ in range(50)]
    with open(folder / "requests.jsonl", "w") as file:
        for _ in range(COUNT):
            print(json.dumps(sign_with_awscrt(plain_request(callers))), file=file)
    with open(folder / "signatures.jsonl", "w") as file:
        for number in range(COUNT):
            if number % 10 == 0:
                key = ec.derive_private_key(generator.randrange(1, ORDER), ec.SECP256R1())
            message = generator.randbytes(generator.randrange(200))
            signature = key.sign(message, SHA256)
            numbers = utils.decode_dss_signature(signature)
            print(json.dumps({
                "key": f"{key.private_numbers().private_value:064x}", "message": message.hex(),
                "der": signature.hex(), "raw": "".join(f"{each:064x}" for each in numbers),
            }), file=file)


def public_key(key_id, secret):
    counter = 1
    while True:
        message = b"\0\0\0\1" + ALGORITHM.encode() + b"\0" + key_id.encode() + bytes([counter, 0, 0, 1, 0])
        candidate = int.from_bytes(
            hmac.digest(b"AWS4A" + secret.encode(), message, "sha256"), "big")
        if candidate <= ORDER - 2:
            return ec.derive_private_key(candidate + 1, ec.SECP256R1()).public_key()
        counter += 1


def is_valid(key, signature, message):
    try:
        key.verify(signature, message, SHA256)
        return True
    except InvalidSignature:
        return False


def verify_request(request, keys):
    """Whether a request that the tests signed is signed as it has to be."""
    path, _, query = request["signedTarget"].partition("?")
    fields = {name.lower(): value for name, value in request["signedHeaders"]}
    is_url = request.get("lifetime") is not None
    if is_url:
        pairs = [each.partition("=") for each in query.split("&")]
        values = {name: urllib.parse.unquote(value) for name, _, value in pairs}
        query = "&".join(name + "=" + value for name, _, value in pairs
                         if name != "X-Amz-Signature")
        assert values["X-Amz-Algorithm"] == ALGORITHM
        parts = [values["X-Amz-" + name] for name in ("Credential", "SignedHeaders", "Signature",
                                                     "Date", "Region-Set")]
        assert values["X-Amz-Expires"] == str(request["lifetime"])
        assert values.get("X-Amz-Security-Token") == request.get("token")
    else:
        algorithm, _, rest = fields["authorization"].partition(" ")
        values = dict(each.split("=", 1) for each in rest.split(", "))
        assert algorithm == ALGORITHM
        parts = [values[name] for name in ("Credential", "SignedHeaders", "Signature")]
        parts += [fields["x-amz-date"], fields["x-amz-region-set"]]
        assert fields.get("x-amz-security-token") == request.get("token")
    credential, names, signature, date, regions = parts
    scope = f"{date[:8]}/{request['service']}/aws4_request"
    assert credential == f"{request['accessKeyID']}/{scope}" and date == request["date"]
    assert regions == request["regions"]

    message = AWSRequest(
        request["method"], f"https://{request['host']}{path}" + ("?" + query if query else ""),
        headers={name: fields[name] for name in names.split(";")},
        data=base64.b64decode(request["body"]))
    message.context["payload_signing_enabled"] = True
    is_s3 = request["service"] == "s3"
    signer = (S3SigV4Auth if is_s3 else SigV4Auth)(
        Credentials(request["accessKeyID"], request["secret"]), request["service"], "us-east-1")
    if is_s3 and is_url:
        signer.payload = lambda _: "UNSIGNED-PAYLOAD"
    canonical = signer.canonical_request(message)
    assert canonical.split("\n")[-2] == names, (canonical, names)
    digest = hashlib.sha256(canonical.encode()).hexdigest()
    identity = (request["accessKeyID"], request["secret"])
    if identity not in keys:
        keys[identity] = public_key(*identity)
    to_sign = "\n".join([ALGORITHM, date, scope, digest])
    if is_valid(keys[identity], bytes.fromhex(signature), to_sign.encode()):
        return True
    print(json.dumps(request), canonical, sep="\n")
    return False


def lines(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def verify(folder):
    requests, keys = lines(folder / "our-requests.jsonl"), {}
    accepted = sum(verify_request(request, keys) for request in requests)
    print(f"OpenSSL and botocore accept {accepted} of {len(requests)} requests")
    signatures = lines(folder / "our-signatures.jsonl")
    valid = 0
    for each in signatures:
        key = ec.derive_private_key(int(each["key"], 16), ec.SECP256R1()).public_key()
        message, raw = bytes.fromhex(each["message"]), bytes.fromhex(each["raw"])
        numbers = [int.from_bytes(part, "big") for part in (raw[:32], raw[32:])]
        assert len(raw) == 64
        valid += (is_valid(key, bytes.fromhex(each["der"]), message)
                  and is_valid(key, utils.encode_dss_signature(*numbers), message)
                  and not is_valid(key, bytes.fromhex(each["der"]), message + b"\0"))
    print(f"OpenSSL accepts {valid} of {len(signatures)} signatures, in both forms")
    if accepted != COUNT or valid != COUNT:
        sys.exit("not all of them are good")


{"sign": sign, "verify": verify}[sys.argv[1]](Path(sys.argv[2]))
