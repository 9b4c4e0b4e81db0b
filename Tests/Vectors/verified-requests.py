# SPDX-License-Identifier: Apache-2.0
# Prints verified-requests.txt: requests as botocore sends them, for a verifier to accept.
#
# Everything stands here as it goes over the wire, after botocore has prepared the request: the
# method, the target, the headers and the body.

import random
import sys
import urllib.parse

sys.dont_write_bytecode = True

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth

from botocore_tables.signing import Signing, print_field

COUNT = 400
DATE = "20240102T030405Z"
TOKEN = "FwoG/ZXIv+YXdz//example+session/token=="
PIECES = ["a", "Z", "0", "~", "-", "_", ".", " ", "+", "%", "&", "=", "?", "'", "(", "*", "!", "@",
          ":", ";", ",", "\u00e9", "\u2603", "/"]
HEADERS = ["Content-Type", "X-Amz-Meta-Color", "x-amz-acl", "Range", "Cache-Control", "My-Header",
           "User-Agent", "Expect", "Date"]
VALUES = ["text/plain", "a  b", " a ", "\"a\"", "bytes=0-9", "a,b", "100-continue"]

# Python promises the same sequence of random() in every version, and of nothing else.
generator = random.Random(20240102)


def below(limit):
    return int(generator.random() * limit)


def one(of):
    return of[below(len(of))]


def text(count):
    return "".join(one(PIECES) for _ in range(below(count)))


def record(index):
    is_s3 = below(2) == 0
    is_url = below(3) == 0
    service = "s3" if is_s3 else one(["iam", "execute-api", "sqs"])
    method = one(["GET", "PUT", "POST", "DELETE", "HEAD"])
    path = "/" + urllib.parse.quote(text(8), safe="/~")
    query = "&".join(
        f"p{number}={urllib.parse.quote(text(4), safe='~')}" for number in range(below(3)))
    url = "https://" + one(["bucket.s3.amazonaws.com", "127.0.0.1:9000", "h.example"]) + path
    url += "?" + query if query else ""
    headers = []
    for name in HEADERS:
        # botocore signs every header of a URL, the date too, and turns the content type of forms.
        if below(4) == 0 and not (is_url and name in ("Date", "User-Agent", "Expect")):
            value = "Tue, 02 Jan 2024 03:04:05 GMT" if name == "Date" else one(VALUES)
            headers.append((name, value))
    body = text(20).encode() if method in ("PUT", "POST") and not is_url else b""
    token = TOKEN if below(3) == 0 else None
    classes = ((S3SigV4QueryAuth if is_s3 else SigV4QueryAuth) if is_url
               else (S3SigV4Auth if is_s3 else SigV4Auth))
    options = {"expires": 1 + below(604800)} if is_url else {}
    unsigned = is_s3 and not is_url and below(3) == 0
    signing = Signing(classes, service, "us-east-1", DATE, method, url, headers, body, token,
                      unsigned=unsigned, **options)
    sent = signing.request.prepare()
    parts = urllib.parse.urlsplit(sent.url)
    print_field("name", index)
    print_field("service", service)
    print_field("date", DATE)
    if token:
        print_field("token", token)
    print_field("method", sent.method)
    print_field("target", parts.path + ("?" + parts.query if parts.query else ""))
    print_field("header", "Host:" + parts.netloc)
    for name, value in sent.headers.items():
        value = value.decode() if isinstance(value, bytes) else value
        if name.lower() != "host":
            print_field("header", f"{name}:{value}")
    if body:
        print_field("body", body)
    print()


print("# Printed by verified-requests.py, which uses botocore.auth. Everything is as it is sent.")
print()
for index in range(COUNT):
    record(index)
