# SPDX-License-Identifier: Apache-2.0
# Prints generated-requests.txt: 1,500 generated requests and URLs, signed by botocore.
#
# botocore signs a query as it stands in the URL and an S3 path as it stands there too, so it is
# given both in strict percent-encoding; the table holds the same texts plain or in a looser
# spelling. What botocore is known to do differently from others is not generated:
#
# - repeated parameters of a presigned URL (it keeps one);
# - empty pairs in a query (a=1&&b=2), parameters without a name;
# - bytes that are no UTF-8 in the query of a presigned URL;
# - an empty path with S3 (it signs the empty text, where others sign '/');
# - a Date header (it rewrites it), and headers that it signs and this library does not:
#   accept-encoding, content-length, forwarded, proxy-*, sec-websocket-*, trace*, via, x-forwarded-*;
# - the content type of forms in a presigned URL, and a body there (it becomes parameters);
# - spaces other than the ASCII space and tab in headers.

import hashlib
import random
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True

from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth, SigV4Auth, SigV4QueryAuth

from botocore_tables.signing import Signing, print_field

COUNT = 1500

PIECES = [
    "a", "Z", "photos", "2024-01-02", "file.txt", "~", "-", "_", ".", "..", " ", "  ", "+", "%",
    "%20", "%2F", "%zz", "&", "=", "?", "#", "'", "(", ")", "*", "!", "$", "@", ":", ";", ",", '"',
    "<", ">", "[", "]", "{", "}", "|", "\\", "^", "`", "\t", "\x7f", "\u00e9", "e\u0301", "\u00df",
    "\u2603", "\u65e5\u672c", "\U0001f600", "\u00a0", "\u202e", "\ufeff", "/", "//",
]
HOSTS = ["example.amazonaws.com", "bucket.s3.eu-central-1.amazonaws.com", "UPPER.Example.COM",
         "127.0.0.1", "[::1]", "[2001:DB8::1]", "localhost", "a--b.c-d.example", "trailing.dot."]
REGIONS = ["us-east-1", "eu-central-1", "auto", "cn-north-1", "us-gov-west-1"]
SERVICES = ["dynamodb", "execute-api", "lambda", "es", "iam", "sts"]
SIGNED_HEADERS = ["Content-Type", "x-amz-acl", "X-Amz-Meta-Color", "x-amz-meta-a", "Range",
                  "Cache-Control", "Cookie", "If-Match", "accept", "My-Header", "my-header2",
                  "X-Amz-Target", "x-api-key", "Origin", "a", "zz_top.1"]
UNSIGNED_HEADERS = ["User-Agent", "Expect", "Connection", "TE", "Upgrade", "X-Amzn-Trace-Id",
                    "keep-alive", "Transfer-Encoding", "Trailer", "Proxy-Authorization"]
HEADER_PIECES = ["value", "A", "1", " ", "  ", "\t", " \t ", '"', ",", ", ", ";", ":", "=", "%20",
                 "/", "+", "'", "\\", "~", "{", "}"]
SUBDELIMITERS = b"!$'()*,;:@"

# Python promises the same sequence of random() in every version, and of nothing else.
generator = random.Random(20150830)


class KeepingSigV4Auth(SigV4Auth):
    """For paths that are encoded twice and not normalised, which botocore has no class for."""

    def _normalize_url_path(self, path):
        return strict(path or "/", "/")


def chance(probability):
    return generator.random() < probability


def number(low, high):
    return low + int(generator.random() * (high - low + 1))


def pick(choices):
    return choices[number(0, len(choices) - 1)]


def text(longest, pieces=PIECES, shortest=0):
    return "".join(pick(pieces) for _ in range(number(shortest, longest)))


def strict(plain, safe=""):
    return urllib.parse.quote(plain, safe=safe)


def loose(plain, kept, plus_is_space=False):
    """Another spelling: small digits, needless escapes, bytes that may stand for themselves."""
    spelled = ""
    for byte in plain if isinstance(plain, bytes) else plain.encode():
        character = chr(byte)
        if character == " " and plus_is_space and chance(0.5):
            spelled += "+"
        elif byte in kept and chance(0.7):
            spelled += character
        elif strict(bytes([byte])) == character and chance(0.9):
            spelled += character
        else:
            spelled += f"%{byte:02x}" if chance(0.5) else f"%{byte:02X}"
    return spelled


def parameters(unique):
    """Pairs of name and value; the value may be None, which is signed as an empty one."""
    pairs = []
    for _ in range(pick([0, 0, 1, 2, 3, 5])):
        name = text(3, shortest=1).replace("=", "")
        if not name or name.lower().startswith("x-amz-"):
            continue
        if unique and any(name == other for other, _ in pairs):
            continue
        pairs.append((name, None if chance(0.1) else text(4)))
        if not unique and chance(0.2):
            pairs.append((name, text(2)))
    return pairs


def joined(pairs, encode):
    return "&".join(encode(name, False) + ("" if value is None else "=" + encode(value, True))
                    for name, value in pairs)


def s3_path():
    """A key, as bytes, and its path on the wire; no key is the path '/'."""
    if chance(0.05):
        return b"", "/"
    key = text(6, shortest=1).encode()
    if chance(0.1):
        key += bytes([number(0, 255), number(128, 255)])
    return key, "/" + strict(key, "/")


def standard_path():
    """A path on the wire, in any legal spelling; normalisation is the signer's."""
    if chance(0.05):
        return ""
    segments = []
    for _ in range(number(0, 6)):
        plain = text(3, [piece for piece in PIECES if "/" not in piece])
        segments.append(pick(["", ".", "..", plain and loose(plain, SUBDELIMITERS + b"&=+")]))
    return "/" + "/".join(segments)


def headers():
    fields = []
    for _ in range(pick([0, 0, 1, 2, 3, 4])):
        name = pick(SIGNED_HEADERS)
        fields.append((name, text(5, HEADER_PIECES)))
        if chance(0.15):
            fields.append((name.swapcase(), text(3, HEADER_PIECES)))
    if chance(0.2):
        fields.append((pick(UNSIGNED_HEADERS), "value"))
    return fields


def declared(date, token, body, unsigned):
    """Headers that the caller sets as the signer would; each is signed once."""
    digest = "UNSIGNED-PAYLOAD" if unsigned else hashlib.sha256(body).hexdigest()
    fields = [("X-Amz-Date", date), ("X-Amz-Content-SHA256", digest)]
    if token is not None:
        fields.append(("X-Amz-Security-Token", token))
    return [field for field in fields if chance(0.05)]


def authority(scheme):
    port = pick(["", "", ":443", ":8443", ":65535"] if scheme == "https" else ["", ":80", ":9000"])
    return pick(HOSTS) + port


def print_request(index):
    in_url = index % 2 == 1
    is_s3 = index // 2 % 2 == 1
    by_parts = chance(0.5)
    scheme = "https" if by_parts or chance(0.8) else "http"
    host = authority(scheme)
    pairs = parameters(unique=in_url)
    plus_is_space = chance(0.7)
    inputs = []

    def spelled(part, is_value):
        kept = SUBDELIMITERS + b'/?[]{}|"\\^`<>' + (b"=" if is_value else b"")
        return loose(part, kept + (b"" if plus_is_space else b"+"), plus_is_space)

    if is_s3:
        key, wire_path = s3_path()
        given_path = wire_path if not key else "/" + loose(key, SUBDELIMITERS + b"&=+/")
        plain_path = ("key", key) if key else ("raw-path", "/")
    elif by_parts:
        plain = "/" + text(6)
        wire_path = strict(plain, "/")
        plain_path = ("raw-path", plain)
    else:
        wire_path = given_path = standard_path()
    if by_parts:
        inputs += [("host", host), plain_path]
        inputs += [("parameter", name if value is None else f"{name}={value}")
                   for name, value in pairs]
    else:
        query = joined(pairs, spelled)
        user = "user:pass@" if chance(0.1) else ""
        fragment = "#fragment?&/" if chance(0.1) else ""
        question = "?" if query or chance(0.1) else ""
        inputs.append(("url", f"{scheme}://{user}{host}{given_path}{question}{query}{fragment}"))
        if not plus_is_space:
            inputs.append(("plus", "literal"))
    print_signed(index, is_s3, in_url, scheme, host, wire_path, pairs, inputs)


def print_signed(index, is_s3, in_url, scheme, host, wire_path, pairs, inputs):
    wire_query = joined(pairs, lambda part, _: strict(part))
    wire_url = f"{scheme}://{host}{wire_path}" + ("?" + wire_query if wire_query else "")
    service = "s3" if is_s3 else pick(SERVICES)
    date = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(number(946_684_800, 4_102_444_799)))
    method = pick(["GET", "GET", "PUT", "POST", "DELETE", "HEAD", "PATCH"])
    token = pick([None, None, "tok", "a/b+c=="])
    fields = headers()
    body, unsigned, options = b"", False, {}
    if in_url:
        options["expires"] = pick([1, 60, 900, 3600, 86_400, 604_800])
        inputs.append(("lifetime", options["expires"]))
    elif chance(0.3):
        body = text(4, shortest=1).encode()
        inputs.append(("body", body))
    elif scheme == "https" and chance(0.2):
        unsigned = True
        inputs.append(("payload", "UNSIGNED-PAYLOAD"))
    if not in_url:
        fields += declared(date, token, body, unsigned)
    auth_class = [SigV4Auth, SigV4QueryAuth, S3SigV4Auth, S3SigV4QueryAuth][2 * is_s3 + in_url]
    if auth_class is SigV4Auth and chance(0.2):
        auth_class = KeepingSigV4Auth
        inputs.append(("normalize", "no"))
    region = pick(REGIONS)
    signing = Signing(auth_class, service, region, date, method, wire_url, fields, body, token,
                      unsigned=unsigned, **options)
    print()
    for field, value in [("name", index), ("region", region), ("service", service),
                         ("date", date), ("method", method), *inputs]:
        print_field(field, value)
    for name, value in fields:
        print_field("header", f"{name}:{value}")
    if token is not None:
        print_field("token", token)
    print_field("digest", hashlib.sha256(signing.canonical_request.encode()).hexdigest())
    print_field("signature", signing.signature)


print("# Printed by generated-requests.py, which uses botocore.auth. Fields: see presigned-urls.txt.")
print("# raw-path: a path as plain text. plus: what a '+' in the URL means. digest: of the canonical")
print("# request. A record with a lifetime is a presigned URL. normalize: no, if the path is kept.")
for request_index in range(COUNT):
    print_request(request_index)
