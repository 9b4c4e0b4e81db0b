# SPDX-License-Identifier: Apache-2.0
# Prints renamed-signatures.txt: requests, URLs and forms under the names of Google Cloud Storage and Volcengine TOS.
# With a number, prints as many random requests and URLs instead.
#
# `pip install google-cloud-storage==3.17.1 tos==2.9.3`. tos signs with TOS4-HMAC-SHA256 itself. google-cloud-storage
# has no HMAC keys: its function for URLs is run with GOOG4-HMAC-SHA256 in place of GOOG4-RSA-SHA256, and what it asks
# its credentials to sign is signed with the key that Google documents ("HMAC keys for Cloud Storage", "V4 signing
# process with your own program"). Requests signed in headers, and forms, have the same steps.

import base64
import datetime
import hashlib
import hmac
import inspect
import random
import sys
import types
import urllib.parse

sys.dont_write_bytecode = True

import google.cloud.storage._signing as google_signing
import tos.auth
import tos.models2
from botocore_tables.signing import print_field

KEY_ID, SECRET = "GOOG1EXAMPLEKEY", "bGoa+V7g/yqDXvKRqq+JTFn4uQZbPiQJo4pf9RzJ"
TOS_KEY_ID, TOS_SECRET = "AKLTEXAMPLE", "TmpWalpXTXhOelk0TXpZd05HRTVNREV4WkRjNU5XUXc="
TOKEN = "nCgdqdzE4+/example=="
DATE = "20261127T010203Z"
HEX = hashlib.sha256


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


class GoogleKey:
    """Credentials for google-cloud-storage that sign with an HMAC key."""

    signer_email = KEY_ID

    def __init__(self, region):
        self.region, self.string = region, None

    def sign_bytes(self, string):
        self.string = string.decode()
        key = ("GOOG4" + SECRET).encode()
        for part in [DATE[:8], self.region, "storage", "goog4_request"]:
            key = mac(key, part)
        return mac(key, self.string)


def google_function():
    """generate_signed_url_v4 for HMAC keys: two literals and two checks of the kind of credentials differ."""
    source = inspect.getsource(google_signing.generate_signed_url_v4)
    assert source.count("GOOG4-RSA-SHA256") == 2
    names = dict(vars(google_signing), ensure_signed_credentials=lambda credentials: None)
    exec(source.replace("GOOG4-RSA-SHA256", "GOOG4-HMAC-SHA256"), names)
    return names["generate_signed_url_v4"]


def record(name, service, kind, region, method, url, headers, result, *, body=None, token=None, lifetime=None):
    print()
    fields = [("name", name), ("service", service), ("kind", kind), ("region", region), ("method", method),
              ("url", url)]
    fields += [("header", f"{key}:{value}") for key, value in headers]
    if body is not None:
        fields.append(("body", body))
    if token:
        fields.append(("token", token))
    if lifetime:
        fields.append(("lifetime", str(lifetime)))
    for field, value in fields + result:
        print_field(field, value)


def google_url(name, path, *, method="GET", headers=(), lifetime=3600, **options):
    key = GoogleKey("auto")
    url = google_function()(
        key, path, datetime.timedelta(seconds=lifetime), method=method, headers=dict(headers),
        _request_timestamp=DATE, **options)
    given = {}
    for word, parameter in [("generation", "generation"), ("response_type", "response-content-type")]:
        if options.get(word):
            given[parameter] = options[word]
    query = "?" + urllib.parse.urlencode(given, quote_via=urllib.parse.quote) if given else ""
    record(name, "google", "url", "auto", method, "https://storage.googleapis.com" + path + query, headers,
           [("string-to-sign", key.string), ("signature", url.rsplit("=", 1)[1]), ("signed-url", url)],
           lifetime=lifetime)


def google_header(name, path, region="auto", *, method="GET", headers=(), body=b""):
    """A request signed in its headers: google-cloud-storage's canonical headers, and the documented steps."""
    digest = HEX(body).hexdigest()
    signed = dict(headers) | {"Host": "storage.googleapis.com", "x-goog-date": DATE, "x-goog-content-sha256": digest}
    lines, ordered = google_signing.get_canonical_headers(signed)
    names = ";".join(key for key, _ in ordered)
    canonical = "\n".join([method, path, "", *lines, "", names, digest])
    key = GoogleKey(region)
    scope = f"{DATE[:8]}/{region}/storage/goog4_request"
    string = "\n".join(["GOOG4-HMAC-SHA256", DATE, scope, HEX(canonical.encode()).hexdigest()])
    signature = key.sign_bytes(string.encode()).hex()
    authorization = f"GOOG4-HMAC-SHA256 Credential={KEY_ID}/{scope}, SignedHeaders={names}, Signature={signature}"
    record(name, "google", "header", region, method, "https://storage.googleapis.com" + path, headers,
           [("string-to-sign", string), ("signature", signature), ("authorization", authorization)],
           body=body.decode())


class TOSRequest:
    def __init__(self, method, host, path, params, headers):
        self.method, self.path, self.params, self.generic_input = method, path, params, None
        self.url = f"https://{host}{urllib.parse.quote(path, safe='/~')}"
        self.headers = dict(headers) | {"host": host}


class Clock(datetime.datetime):
    @classmethod
    def utcnow(cls):
        return cls.strptime(DATE, "%Y%m%dT%H%M%SZ")


def tos_record(name, kind, path, *, method="GET", query=(), headers=(), body=b"", token=None, lifetime=None):
    region, host = "cn-beijing", "photos.tos-cn-beijing.volces.com"
    auth = tos.auth.Auth(TOS_KEY_ID, TOS_SECRET, region, token)
    steps = []
    string_to_sign = auth._string_to_sign
    auth._string_to_sign = lambda *arguments: steps.append(string_to_sign(*arguments)) or steps[-1]
    request = TOSRequest(method, host, path, dict(query), headers)
    url = request.url + ("?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote) if query else "")
    if kind == "url":
        signed = auth.sign_url(request, lifetime)
        results = [("signature", signed.rsplit("=", 1)[1]), ("signed-url", signed)]
        body = None
    else:
        request.headers["x-tos-content-sha256"] = HEX(body).hexdigest()
        auth.sign_request(request)
        authorization = request.headers["Authorization"]
        results = [("signature", authorization.rsplit("=", 1)[1]), ("authorization", authorization)]
    record(name, "tos", kind, region, method, url, headers, [("string-to-sign", steps[-1]), *results],
           body=None if body is None else body.decode(), token=token, lifetime=lifetime)


def tos_form(name, token=None):
    region, bucket, key = "cn-beijing", "photos", "a/b"
    auth = tos.auth.Auth(TOS_KEY_ID, TOS_SECRET, region, token)
    form = auth.post_sign(bucket, key, 3600, [], tos.models2.ContentLengthRange(0, 100))
    record(name, "tos", "form", region, "POST", "https://photos.tos-cn-beijing.volces.com/", [],
           [("policy", form.origin_policy), ("credential", form.credential), ("signature", form.signature)],
           token=token)


def random_records(count):
    """As many random requests and URLs, with the names of parameters in the same order for all who sort them."""
    draw = random.Random(20261127)
    letters = "abcXYZ019-_.~ +%&=/é火😀'\"()*,;:@$!"

    def text(longest=20):
        return "".join(draw.choices(letters, k=draw.randint(1, longest)))

    def value():
        # tos signs runs of spaces as they are; AWS and Google sign one space.
        return " ".join("".join(draw.choices("abc XYZ/=;,\"'0123", k=draw.randint(1, 20))).split()) or "a"

    for number in range(count):
        key = "a" + text().replace("//", "/")
        headers = [(name, value()) for name in
                   draw.sample(["meta-a", "meta-b", "acl", "storage-class"], draw.randint(0, 3))]
        method = draw.choice(["GET", "PUT", "POST", "DELETE", "HEAD"])
        body = draw.randbytes(draw.randint(0, 50)).hex().encode()
        lifetime = draw.randint(1, 604_800)
        region = draw.choice(["auto", "us", "europe-west1"])
        name = f"random {number}"
        if draw.random() < 0.5:
            path = "/photos/" + urllib.parse.quote(key, safe="/~")
            headers = [("x-goog-" + header, text) for header, text in headers]
            if draw.random() < 0.3:
                headers.append(("Content-Type", "text/plain"))
            if draw.random() < 0.5:
                google_url(name, path, method=method, headers=headers, lifetime=lifetime,
                           generation=draw.choice([None, str(number)]), response_type=draw.choice([None, text()]))
            else:
                google_header(name, path, region, method=method, headers=headers, body=body)
            continue
        headers = [("x-tos-" + header, text) for header, text in headers]
        query = [(parameter, text()) for parameter in draw.sample(["versionId", "prefix", "x"], draw.randint(0, 2))]
        options = {"method": method, "query": query, "headers": headers, "token": draw.choice([None, TOKEN])}
        if draw.random() < 0.5:
            tos_record(name, "url", "/" + key, lifetime=lifetime, **options)
        else:
            tos_record(name, "header", "/" + key, body=body, **options)


def print_tables():
    tos.auth.datetime = types.SimpleNamespace(
        datetime=Clock, timedelta=datetime.timedelta)
    print("# Printed by renamed-signatures.py, which uses google-cloud-storage 3.17.1 and tos 2.9.3.")
    google_url("a link", "/photos/caf%C3%A9%20%2B1.jpg")
    google_url("one generation", "/photos/a", generation="1700000000000001", lifetime=604_800)
    google_url("a content type for the response", "/photos/a", response_type="text/plain; charset=utf-8")
    google_url("an upload that must not replace an object", "/photos/a~b", method="PUT", lifetime=1,
               headers=[("Content-Type", "image/png"), ("x-goog-if-generation-match", "0")])
    google_url("a resumable upload", "/photos/film", method="POST", headers=[("x-goog-resumable", "start")])
    google_header("a download", "/photos/caf%C3%A9.jpg")
    google_header("an upload with a condition and metadata", "/photos/a", "europe-west1", method="PUT", body=b"hello",
                  headers=[("x-goog-if-generation-match", "0"), ("x-goog-meta-a", "b  c"), ("Content-Type", "text/plain")])
    google_header("a deletion", "/photos/a", method="DELETE")
    tos_record("TOS: a link", "url", "/café +1.jpg", lifetime=3600)
    tos_record("TOS: a link with a parameter and a token", "url", "/a", query=[("versionId", "1/2+3")], token=TOKEN,
               lifetime=60)
    tos_record("TOS: a download", "header", "/café.jpg")
    tos_record("TOS: an upload with a token", "header", "/a~b", method="PUT", body=b"hello", token=TOKEN,
               headers=[("content-type", "text/plain"), ("x-tos-meta-a", "1"), ("x-tos-acl", "private")])
    tos_form("TOS: a form")
    tos_form("TOS: a form with a token", TOKEN)
    tos_record("TOS: a list", "header", "/", query=[("list-type", "2"), ("prefix", "a/b c")])


if sys.argv[1:]:
    tos.auth.datetime = types.SimpleNamespace(datetime=Clock, timedelta=datetime.timedelta)
    random_records(int(sys.argv[1]))
else:
    print_tables()
