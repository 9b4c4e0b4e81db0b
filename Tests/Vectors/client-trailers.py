# SPDX-License-Identifier: Apache-2.0
# Prints client-trailers.txt: uploads whose trailers end with LF, CR and LF, as minio-go sends them.
#
# The framing is that of minio-go 7 with TrailingHeaders, in pkg/signer: addSignedTrailer in
# request-signature-streaming.go, and addTrailer in request-signature-streaming-unsigned-trailer.go.

import base64
import hashlib
import hmac
import zlib

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
DATE = "20150830T123600Z"
SCOPE = "20150830/us-east-1/s3/aws4_request"
NOTHING = hashlib.sha256(b"").hexdigest()
BODY = b"hello"
NAME = "x-amz-checksum-crc32"
VALUE = base64.b64encode(zlib.crc32(BODY).to_bytes(4, "big")).decode()


def signing_key():
    key = ("AWS4" + SECRET).encode()
    for part in SCOPE.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


KEY = signing_key()


def sign(*lines):
    return hmac.digest(KEY, "\n".join(lines).encode(), "sha256").hex()


def show(kind, word, framing):
    headers = {
        "content-encoding": "aws-chunked",
        "host": "example.s3.amazonaws.com",
        "x-amz-content-sha256": word,
        "x-amz-date": DATE,
        "x-amz-decoded-content-length": str(len(BODY)),
        "x-amz-trailer": NAME,
    }
    lines = [f"{name}:{value}" for name, value in headers.items()]
    request = "\n".join(["PUT", "/", "", *lines, "", ";".join(headers), word])
    seed = sign("AWS4-HMAC-SHA256", DATE, SCOPE, hashlib.sha256(request.encode()).hexdigest())
    body = framing(seed).decode().replace("\r", "\\r").replace("\n", "\\n")
    print()
    print("name:", kind)
    for line in lines:
        print("header:", line)
    print(f"header: authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{SCOPE},"
          f"SignedHeaders={';'.join(headers)},Signature={seed}")
    print("body:", body)


def signed(previous):
    sent = b""
    for chunk in (BODY, b""):
        digest = hashlib.sha256(chunk).hexdigest()
        previous = sign("AWS4-HMAC-SHA256-PAYLOAD", DATE, SCOPE, previous, NOTHING, digest)
        sent += f"{len(chunk):x};chunk-signature={previous}\r\n".encode()
        sent += chunk + b"\r\n" if chunk else b""
    trailer = f"{NAME}:{VALUE}\n".encode()
    digest = hashlib.sha256(trailer).hexdigest()
    signature = sign("AWS4-HMAC-SHA256-TRAILER", DATE, SCOPE, previous, digest)
    return sent + trailer + f"\r\nx-amz-trailer-signature:{signature}\r\n\r\n".encode()


def unsigned(_):
    return b"5\r\nhello\r\n0\r\n" + f"{NAME}:{VALUE}\n".encode() + b"\r\n\r\n"


print("# Printed by client-trailers.py, which uses hashlib, hmac and zlib of Python. Each record is")
print("# PUT / as it's sent.")
show("signed", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER", signed)
show("unsigned", "STREAMING-UNSIGNED-PAYLOAD-TRAILER", unsigned)
