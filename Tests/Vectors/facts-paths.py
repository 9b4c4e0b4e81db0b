# SPDX-License-Identifier: Apache-2.0
# Prints facts-paths.txt: wire path and canonical path for each way to give a path and each rule.
# The rules are written here a second time, with urllib; the facts below are asserted against them.

from urllib.parse import quote, unquote_to_bytes

# Wire path, canonical path of a standard service, canonical path of S3. Where S3 is reported to
# expect another form than the one that arrived, the wire path has to take that form as well.
# "live": an answer of a running service in a public report; "agreed": executed in aws-c-auth,
# botocore and others, which agree; "curl": unit1979.c, where canonical and wire path are given.
FACTS = [
    ("empty", "agreed", "", "/", "/"),
    ("root", "agreed", "/", "/", "/"),
    ("space", "live", "/a%20b", "/a%2520b", "/a%20b"),
    ("plus", "live", "/a+b", "/a%2Bb", "/a%2Bb"),
    ("encoded plus", "live", "/a%2Bb", "/a%252Bb", "/a%2Bb"),
    ("question mark of es", "live", "/%3Fa=b%20c", "/%253Fa%3Db%2520c", "/%3Fa%3Db%20c"),
    ("search of es", "live", "/_search/%3Fa=b%20c", "/_search/%253Fa%3Db%2520c", None),
    ("connection", "agreed", "/$default/%40connections/X%3D",
     "/%24default/%2540connections/X%253D", None),
    ("connection of API Gateway", "live", "/$default/%40connections/P-S_9e-7liACH9A%3D",
     "/%24default/%2540connections/P-S_9e-7liACH9A%253D", None),
    ("sub-delims", "live", "/a@b:c!d$e&f'g(h)i*j,k;l=m",
     "/a%40b%3Ac%21d%24e%26f%27g%28h%29i%2Aj%2Ck%3Bl%3Dm",
     "/a%40b%3Ac%21d%24e%26f%27g%28h%29i%2Aj%2Ck%3Bl%3Dm"),
    ("tilde", "agreed", "/~u/%7Eu", "/~u/%257Eu", "/~u/~u"),
    ("lowercase escape of a slash", "live", "/a%2fb", "/a%252fb", "/a/b"),
    ("uppercase escape of a slash", "live", "/a%2Fb", "/a%252Fb", "/a/b"),
    ("slashes", "agreed", "//a///b//", "/a/b/", "//a///b//"),
    ("dot at the end", "agreed", "/foo/bar/.", "/foo/bar", "/foo/bar/."),
    ("two dots at the end", "agreed", "/foo/bar/..", "/foo", "/foo/bar/.."),
    ("two dots and a slash", "agreed", "/foo/bar/../", "/foo/", "/foo/bar/../"),
    ("above the root", "agreed", "/../../a", "/a", "/../../a"),
    ("only dots", "agreed", "/..", "/", "/.."),
    ("dots that are no segments", "agreed", "/.a/..b/...", "/.a/..b/...", "/.a/..b/..."),
    ("encoded dots", "agreed", "/a/%2E%2E/b", "/a/%252E%252E/b", "/a/../b"),
    ("equals", "live", "/a%3Db", "/a%253Db", "/a%3Db"),
    ("beyond ASCII", "live", "/caf%C3%A9-%E2%98%83", "/caf%25C3%25A9-%25E2%2598%2583",
     "/caf%C3%A9-%E2%98%83"),
    ("lowercase escapes", "agreed", "/caf%c3%a9", "/caf%25c3%25a9", "/caf%C3%A9"),
    ("no UTF-8", "agreed", "/%FF%FE", "/%25FF%25FE", "/%FF%FE"),
    ("letters in escapes", "agreed", "/%41%62", "/%2541%2562", "/Ab"),
    ("dot in a name", "live", "/d.e", "/d.e", "/d.e"),
    ("three names", "live", "/x/y/z", "/x/y/z", "/x/y/z"),
    ("get-vanilla", "curl", "/", "/", "/"),
    # curl signs this one as it stands, "/a=b". S3 compares with the strict form (live), so the wire
    # takes that form: what is signed is what is sent, here as there.
    ("test-equals-noencode", "curl, made strict", "/a=b", None, "/a%3Db"),
    ("test-equals-encode", "curl", "/a=b", "/a%3Db", None),
    ("test-s3-tables", "curl",
     "/tables/arn%3Aaws%3As3tables%3Aus-east-1%3A022954301426%3Abucket%2Fjasoehartablebucket/"
     "jasoeharnamespace/jasoehartable/encryption",
     "/tables/arn%253Aaws%253As3tables%253Aus-east-1%253A022954301426%253Abucket%252F"
     "jasoehartablebucket/jasoeharnamespace/jasoehartable/encryption", None),
    ("get-unreserved", "curl",
     "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
     "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", None),
    ("get-slashes-unnormalized", "curl", "//example//", None, "//example//"),
    ("get-plus-normalized", "curl", "/example+space/", "/example%2Bspace/", None),
    ("get-slash-dot-slash-unnormalized", "curl", "/./", None, "/./"),
    ("get-slash-unnormalized", "curl", "//", None, "//"),
    ("get-relative-relative-unnormalized", "curl", "/example1/example2/../..", None,
     "/example1/example2/../.."),
]

# Paths as a server receives them: what no URL can hold stands in them unencoded.
RECEIVED_FACTS = [
    ("raw space", "agreed", b"/example space/", b"/example%20space/", b"/example%20space/"),
    ("get-space-normalized", "curl", b"/example space/", b"/example%20space/", None),
    ("raw letters beyond ASCII", "agreed", "/ሴ".encode(), b"/%E1%88%B4", b"/%E1%88%B4"),
    ("no UTF-8 at all", "agreed", b"/\xff\xfe", b"/%FF%FE", b"/%FF%FE"),
    ("lone percent", "agreed", b"/100%/%zz", b"/100%25/%25zz", b"/100%25/%25zz"),
    ("caret, bracket, pipe", "live", b"/^[]|", b"/%5E%5B%5D%7C", b"/%5E%5B%5D%7C"),
]

# Plain text: bytes, and what goes on the wire. S3 signs exactly that; the others encode it again.
RAW_FACTS = [
    ("empty", b"", b"/"),
    ("space", b"/a b", b"/a%20b"),
    ("space of the suite", b"/example space/", b"/example%20space/"),
    ("percent sign", b"/a%20b", b"/a%2520b"),
    ("lone percent sign", b"/100%", b"/100%25"),
    ("plus", b"/a+b", b"/a%2Bb"),
    ("what encodeURIComponent leaves", b"/~*'()!", b"/~%2A%27%28%29%21"),
    ("what Foundation leaves", b"/+?:@!$&'()*,;=", b"/%2B%3F%3A%40%21%24%26%27%28%29%2A%2C%3B%3D"),
    ("question mark and number sign", b"/a?b#c", b"/a%3Fb%23c"),
    ("composed letter", b"/\xc3\xa9", b"/%C3%A9"),
    ("decomposed letter", b"/e\xcc\x81", b"/e%CC%81"),
    ("snowman", "/☃".encode(), b"/%E2%98%83"),
    ("no UTF-8", b"/\xff\xfe", b"/%FF%FE"),
    ("controls", b"/\x00\r\n\x7f", b"/%00%0D%0A%7F"),
    ("dots and slashes", b"//a/./b/..//", b"//a/./b/..//"),
]

# Object keys: bytes, and the path on the wire, which S3 accepted ("live") or which follows from it.
KEY_FACTS = [
    ("letter", "live", b"A", b"/A"),
    ("space", "live", b"a b", b"/a%20b"),
    ("plus", "live", b"a+b", b"/a%2Bb"),
    ("slash", "live", b"a/b", b"/a/b"),
    ("equals", "live", b"a=b", b"/a%3Db"),
    ("beyond ASCII", "live", "café-☃".encode(), b"/caf%C3%A9-%E2%98%83"),
    ("dot", "live", b"d.e", b"/d.e"),
    ("three names", "live", b"x/y/z", b"/x/y/z"),
    ("slash at the start", "agreed", b"/a", b"//a"),
    ("two slashes inside", "agreed", b"a//b/", b"/a//b/"),
    ("two dots", "agreed", b"a/../b", b"/a/../b"),
    ("only dots", "agreed", b"..", b"/.."),
    ("percent", "agreed", b"a%20b", b"/a%2520b"),
    ("composed letter", "agreed", b"\xc3\xa9", b"/%C3%A9"),
    ("decomposed letter", "agreed", b"e\xcc\x81", b"/e%CC%81"),
    ("no UTF-8", "agreed", b"\xff\xfe", b"/%FF%FE"),
    ("newline", "agreed", b"a\nb", b"/a%0Ab"),
]

RULES = ["once", "twice", "normalized once", "normalized twice"]


def encode(path):
    return quote(path, safe="/~").encode()


def normalize(path):
    kept = []
    for segment in path.split(b"/"):
        if segment == b"..":
            kept = kept[:-1]
        elif segment not in (b"", b"."):
            kept.append(segment)
    joined = b"".join(b"/" + segment for segment in kept)
    return joined + b"/" if path.endswith(b"/") or not joined else joined


def wire_and_canonical(kind, path, rule):
    is_once = rule.endswith("once")
    if kind == "encoded":
        wire = encode(unquote_to_bytes(path)) if is_once else path
    elif kind == "raw":
        wire = encode(path)
    elif kind == "key":
        wire = b"/" + encode(path)
    else:
        wire = path
    wire = wire or b"/"
    path = normalize(wire) if rule.startswith("normalized") else wire
    if not is_once:
        return wire, encode(path)
    return wire, encode(unquote_to_bytes(path)) if kind == "received" else path


def escape(value):
    text = "".join(
        chr(byte) if 32 <= byte < 127 and byte != 92 else f"\\x{byte:02x}" for byte in value
    )
    return text[:-1] + "\\x20" if text.endswith(" ") else text


def show(kind, name, origin, path, standard, s3):
    print(f"\nname: {kind}, {name} ({origin})\nkind: {kind}\npath: {escape(path)}")
    for rule in RULES[:1] if kind == "key" else RULES:
        wire, canonical = wire_and_canonical(kind, path, rule)
        expected = {"normalized twice": standard, "once": s3}.get(rule)
        assert expected in (None, canonical), (name, rule, expected, canonical)
        if kind != "received":  # which is never sent again
            print(f"{rule} wire: {escape(wire)}")
        print(f"{rule} canonical: {escape(canonical)}")


print("# Printed by facts-paths.py: what a path becomes on the wire, and what of it is signed.")
for name, origin, path, standard, s3 in FACTS:
    standard, s3 = (None if fact is None else fact.encode() for fact in (standard, s3))
    show("encoded", name, origin, path.encode(), standard, s3)
    show("received", name, origin, path.encode(), standard, s3)
for name, origin, path, standard, s3 in RECEIVED_FACTS:
    show("received", name, origin, path, standard, s3)
for name, path, wire in RAW_FACTS:
    assert wire_and_canonical("raw", path, "twice")[0] == wire, name
    show("raw", name, "RFC 3986, 2.1 and 2.3", path, None, wire)
for name, origin, path, wire in KEY_FACTS:
    show("key", name, origin, path, None, wire)
