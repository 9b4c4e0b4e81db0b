# SPDX-License-Identifier: Apache-2.0
# Uploads in chunks, with hashlib and hmac of Python (Amazon S3 API Reference, "Signature Calculations for
# the Authorization Header: Transferring Payload in Multiple Chunks").

import hashlib
import hmac

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
DATE = "20150830T123600Z"
SCOPE = "20150830/us-east-1/s3/aws4_request"
HOST = "example.s3.amazonaws.com"
NOTHING = hashlib.sha256(b"").hexdigest()


def signing_key():
    key = ("AWS4" + SECRET).encode()
    for part in SCOPE.split("/"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


KEY = signing_key()


def sign(*lines):
    return hmac.digest(KEY, "\n".join(lines).encode(), "sha256").hex()


def upload_headers(kind, body, trailers):
    """The signed headers of PUT /, sorted by name; content-length stays unsigned."""
    headers = {
        "content-encoding": "aws-chunked",
        "host": HOST,
        "x-amz-content-sha256": {
            "signed": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + ("-TRAILER" if trailers else ""),
            "unsigned": "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
        }[kind],
        "x-amz-date": DATE,
        "x-amz-decoded-content-length": str(len(body)),
    }
    if trailers:
        headers["x-amz-trailer"] = ",".join(sorted(trailers))
    return headers


def seed_signature(headers):
    """The signature of PUT / with these headers."""
    lines = [f"{name}:{value}" for name, value in headers.items()]
    request = ["PUT", "/", "", *lines, "", ";".join(headers), headers["x-amz-content-sha256"]]
    digest = hashlib.sha256("\n".join(request).encode()).hexdigest()
    return sign("AWS4-HMAC-SHA256", DATE, SCOPE, digest)


def encode(kind, body, size, trailers, line_end=b"\r\n"):
    """What is sent: chunks, the empty chunk, trailers with this line end."""
    previous = seed_signature(upload_headers(kind, body, trailers))
    chunks = [body[start : start + size] for start in range(0, len(body), size)] + [b""]
    sent = b""
    for chunk in chunks:
        sent += f"{len(chunk):x}".encode()
        if kind == "signed":
            digest = hashlib.sha256(chunk).hexdigest()
            previous = sign("AWS4-HMAC-SHA256-PAYLOAD", DATE, SCOPE, previous, NOTHING, digest)
            sent += b";chunk-signature=" + previous.encode()
        sent += b"\r\n" + chunk + (b"\r\n" if chunk else b"")
    lines = [f"{name}:{trailers[name]}" for name in sorted(trailers)]
    for line in lines:
        sent += line.encode() + line_end
    if kind == "signed" and trailers:
        digest = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
        previous = sign("AWS4-HMAC-SHA256-TRAILER", DATE, SCOPE, previous, digest)
        sent += b"x-amz-trailer-signature:" + previous.encode() + b"\r\n"
    return sent + b"\r\n"
