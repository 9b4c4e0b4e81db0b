# SPDX-License-Identifier: Apache-2.0
# Prints p256-refusals.txt: encodings of keys and signatures that are wrong in one way each.
#
# X.690, 8 to 10 (DER), RFC 3279, 2.2.3, RFC 5480, RFC 5915, RFC 5958, SEC 1, 2.3, FIPS 186-5, 6.4.2.

import base64

from curve import p256
from rsa_keys.der import ATTRIBUTES

KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
POINT = p256.multiply(KEY)
MESSAGE = b"refused"
R, S = p256.sign(KEY, MESSAGE)
CURVE = bytes.fromhex("06082A8648CE3D030107")
names = set()


def refuse(form, code, what, encoded):
    name = f"{form}: {what}"
    assert name not in names, name
    names.add(name)
    text = encoded if isinstance(encoded, str) else encoded.hex()
    escaped = text.replace("\n", "\\n").replace("\r", "\\r")
    print(f"\nname: {name}\nform: {form}\ncode: {code}\nencoded: {escaped}")


def variants(encoded):
    """Of one value in DER: cut, longer, other identifiers, other lengths."""
    yield "nothing", b""
    yield "its identifier alone", encoded[:1]
    yield "the last byte is lost", encoded[:-1]
    yield "a byte follows", encoded + b"\0"
    yield "an identifier of a set", b"\x31" + encoded[1:]
    yield "an identifier without the bit of a structure", b"\x10" + encoded[1:]
    content = encoded[2:] if encoded[1] < 0x80 else encoded[3:]
    if len(content) < 0x80:
        yield "a length in the long form", bytes([0x30, 0x81, len(content)]) + content
    yield "a length of two bytes", bytes([0x30, 0x82, 0, len(content)]) + content
    yield "a length of nine bytes", b"\x30\x89" + bytes(8) + bytes([len(content)]) + content
    yield "a length of 2^64 - 1", b"\x30\x88" + b"\xff" * 8 + content
    yield "an open length", b"\x30\x80" + content + b"\0\0"
    yield "a length of one too few", encoded[:len(encoded) - len(content) - 1] \
        + bytes([len(content) - 1]) + content
    yield "a length of one too many", encoded[:len(encoded) - len(content) - 1] \
        + bytes([len(content) + 1]) + content


def signatures():
    good = p256.der_signature(R, S)
    for what, encoded in variants(good):
        yield what, encoded
    r, s = p256.der_integer(R), p256.der_integer(S)
    yield "no number", p256.der(0x30)
    yield "one number", p256.der(0x30, r)
    yield "three numbers", p256.der(0x30, r, s, s)
    yield "a bit string for r", p256.der(0x30, p256.der(3, r[2:]), s)
    yield "an octet string for s", p256.der(0x30, r, p256.der(4, s[2:]))
    yield "an empty r", p256.der(0x30, b"\2\0", s)
    yield "an empty s", p256.der(0x30, r, b"\2\0")
    yield "a zero too many before r", p256.der(0x30, p256.der(2, b"\0" + r[2:]), s)
    yield "a zero too many before s", p256.der(0x30, r, p256.der(2, b"\0" + s[2:]))
    yield "a zero before a small s", p256.der(0x30, r, b"\2\2\0\1")
    yield "two zeros for s", p256.der(0x30, r, b"\2\2\0\0")
    yield "a negative r", p256.der(0x30, b"\2\1\xff", s)
    yield "a negative s of 32 bytes", p256.der(0x30, r, p256.der(2, b"\xff" * 32))
    yield "an r of 257 bits", p256.der(0x30, p256.der_integer(2**256), s)
    yield "an s of 264 bits", p256.der(0x30, r, p256.der_integer(2**264 - 1))
    yield "a long length of r", p256.der(0x30, bytes([2, 0x81, len(r) - 2]) + r[2:], s)
    yield "a sequence around it", p256.der(0x30, good)
    yield "the raw form", R.to_bytes(32, "big") + S.to_bytes(32, "big")
    yield "a null after the numbers", p256.der(0x30, r, s, b"\5\0")


def numbers():
    """Well formed, and no signature of the message."""
    for what, r, s in [
            ("r = 0", 0, S), ("s = 0", R, 0), ("both 0", 0, 0), ("r = n", p256.N, S),
            ("s = n", R, p256.N), ("r + n", R + p256.N if R + p256.N < 2**256 else p256.N + 1, S),
            ("s = n + 1", R, p256.N + 1), ("r = p", p256.P, S), ("all bits of r", 2**256 - 1, S),
            ("all bits of s", R, 2**256 - 1), ("r and s exchanged", S, R), ("r = 1", 1, S),
            ("s = 1", R, 1), ("r = s = 1", 1, 1), ("-r", p256.N - R, S), ("r + 1", R + 1, S),
            ("s - 1", R, S - 1), ("2 * s", R, 2 * S % p256.N), ("r = n - 1", p256.N - 1, S),
            ("s = n - 1", R, p256.N - 1)]:
        yield what, r.to_bytes(32, "big") + s.to_bytes(32, "big")


def off_curve():
    x, y = POINT
    yield "zeros", 0, 0
    yield "y + 1", x, y + 1
    yield "x + 1", x + 1, y
    yield "coordinates exchanged", y, x
    yield "x = p", p256.P, y
    yield "y = p", x, p256.P
    yield "all bits of x", 2**256 - 1, y
    yield "all bits of y", x, 2**256 - 1
    yield "y = 0", x, 0
    yield "x = 0, y = 1", 0, 1
    yield "the base point of secp256k1", \
        0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, \
        0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8


def public_keys():
    x, y = POINT[0].to_bytes(32, "big"), POINT[1].to_bytes(32, "big")
    for what, a, b in off_curve():
        raw = a.to_bytes(32, "big") + b.to_bytes(32, "big")
        yield "public-raw", "invalidPoint", what, raw
        yield "public-x963", "invalidPoint", what, b"\4" + raw
        der = p256.der(0x30, p256.ALGORITHM, p256.der(3, b"\0\4", raw))
        yield "public-der", "invalidPoint", what, der
    for size in [0, 1, 32, 63, 65, 96]:
        yield "public-raw", "wrongLength", f"{size} bytes", (x + y + x)[:size]
    for size in [0, 1, 32, 34, 64, 66]:
        yield "public-x963", "wrongLength", f"{size} bytes", (b"\4" + x + y + x)[:size]
    yield "public-x963", "wrongLength", "infinity", b"\0"
    for mark in [0, 1, 2, 3, 5, 6, 7, 255]:
        code = "wrongLength" if mark in (2, 3) else "invalidPoint"  # SEC 1, 2.3.4: of 33 bytes
        yield "public-x963", code, f"mark {mark} of 65 bytes", bytes([mark]) + x + y
    for mark in [0, 1, 4, 5, 6, 255]:
        code = "wrongLength" if mark == 4 else "invalidPoint"  # SEC 1, 2.3.3: of 65 bytes
        yield "compressed", code, f"mark {mark}", bytes([mark]) + x
    yield "compressed", "wrongLength", "32 bytes", b"\2" + x[:31]
    yield "compressed", "wrongLength", "34 bytes", b"\2" + x + b"\0"
    yield "compressed", "invalidPoint", "x = p", b"\2" + p256.P.to_bytes(32, "big")
    yield "compressed", "invalidPoint", "all bits of x", b"\3" + b"\xff" * 32
    for number in range(1, 40):  # no y belongs to about half of all x
        square = (number**3 - 3 * number + p256.B) % p256.P
        if pow(square, (p256.P - 1) // 2, p256.P) != 1:
            yield "compressed", "invalidPoint", f"x = {number}", b"\2" + number.to_bytes(32, "big")
    good = p256.der_public_key(POINT)
    for what, encoded in variants(good):
        yield "public-der", "invalidDER", what, encoded
    secp256k1 = p256.der(0x30, bytes.fromhex("06072A8648CE3D0201"), bytes.fromhex("06052B8104000A"))
    bits = p256.der(3, b"\0\4", x, y)
    yield "public-der", "invalidDER", "the curve secp256k1", p256.der(0x30, secp256k1, bits)
    no_curve = p256.der(0x30, bytes.fromhex("06072A8648CE3D0201"))
    yield "public-der", "invalidDER", "no curve", p256.der(0x30, no_curve, bits)
    yield "public-der", "invalidDER", "unused bits", \
        p256.der(0x30, p256.ALGORITHM, p256.der(3, b"\1\4", x, y))
    yield "public-der", "invalidDER", "no point", p256.der(0x30, p256.ALGORITHM)
    yield "public-der", "invalidDER", "a point of 64 bytes", \
        p256.der(0x30, p256.ALGORITHM, p256.der(3, b"\0", x, y))
    yield "public-der", "invalidDER", "two points", p256.der(0x30, p256.ALGORITHM, bits, bits)


def private_keys():
    secret = KEY.to_bytes(32, "big")
    for what, number in [("0", 0), ("n", p256.N), ("n + 1", p256.N + 1), ("p", p256.P),
                         ("all bits", 2**256 - 1)]:
        encoded = number.to_bytes(32, "big")
        yield "private-raw", "invalidScalar", what, encoded
        yield "private-x963", "invalidScalar", what, b"\4" + p256.raw(POINT) + encoded
        yield "private-der", "invalidScalar", what, p256.der_private_key(number, POINT)
    for size in [0, 31, 33, 64]:
        yield "private-raw", "wrongLength", f"{size} bytes", (secret + secret)[:size]
    for size in [0, 32, 65, 96, 98]:
        yield "private-x963", "wrongLength", f"{size} bytes", \
            (b"\4" + p256.raw(POINT) + secret + b"\0")[:size]
    other = p256.multiply(KEY + 1)
    yield "private-x963", "publicKeyMismatch", "the key of another", \
        b"\4" + p256.raw(other) + secret
    yield "private-der", "publicKeyMismatch", "the key of another", p256.der_private_key(KEY, other)
    for what, encoded in variants(p256.der_private_key(KEY, POINT)):
        yield "private-der", "invalidDER", what, encoded
    point = p256.der(0x81, b"\0\4", p256.raw(POINT))
    for what, rest in [
            ("attributes twice", ATTRIBUTES * 2), ("a byte after the attributes", ATTRIBUTES + b"\0"),
            ("attributes that aren't complete", ATTRIBUTES[:-1]),
            ("attributes of a different tag", b"\xa2" + ATTRIBUTES[1:]),
            ("a public key in version 0", point)]:
        yield "private-der", "invalidDER", f"PKCS #8 with {what}", p256.der_private_key(KEY, POINT, rest)
    for what, rest in [("a public key", point), ("attributes", ATTRIBUTES), ("nothing more", b"")]:
        yield "private-der", "invalidDER", f"PKCS #8 of version 1 with {what}", \
            p256.der_private_key(KEY, POINT, rest).replace(b"\2\1\0", b"\2\1\1", 1)
    parameters = p256.der(0xA0, CURVE)
    yield "private-der", "invalidDER", "SEC 1 without the curve", \
        p256.der(0x30, b"\2\1\1", p256.der(4, secret))
    yield "private-der", "invalidDER", "SEC 1 of version 2", \
        p256.der(0x30, b"\2\1\2", p256.der(4, secret), parameters)
    yield "private-der", "invalidDER", "SEC 1 with a number of 31 bytes", \
        p256.der(0x30, b"\2\1\1", p256.der(4, secret[1:]), parameters)
    yield "private-der", "invalidDER", "SEC 1 with a number of 33 bytes", \
        p256.der(0x30, b"\2\1\1", p256.der(4, b"\0" + secret), parameters)
    yield "private-der", "invalidDER", "SEC 1 with something after it", \
        p256.der(0x30, b"\2\1\1", p256.der(4, secret), parameters, b"\5\0")


def texts():
    encoded = base64.b64encode(p256.der_private_key(KEY, POINT)).decode()

    def block(label, text):
        return f"-----BEGIN {label}-----\n{text}\n-----END {label}-----\n"
    yield "nothing", ""
    yield "base64 alone", encoded
    yield "the end is missing", block("PRIVATE KEY", encoded)[:-30]
    yield "the begin is missing", block("PRIVATE KEY", encoded)[28:]
    yield "a public key's label", block("PUBLIC KEY", encoded)
    yield "an encrypted key's label", block("ENCRYPTED PRIVATE KEY", encoded)
    yield "two labels", f"-----BEGIN PRIVATE KEY-----\n{encoded}\n-----END EC PRIVATE KEY-----\n"
    yield "two blocks", block("PRIVATE KEY", encoded) * 2
    yield "no padding", block("PRIVATE KEY", encoded + "A")
    yield "no line between", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n"


print("# Printed by p256-refusals.py. Each is the encoding of a key or a signature, wrong in one way.")
for what, encoded in signatures():
    refuse("signature-der", "invalidDER", what, encoded)
for size in [0, 1, 63, 65, 72]:
    refuse("signature-raw", "wrongLength", f"{size} bytes", bytes(size))
for what, encoded in numbers():
    refuse("numbers", "invalid", what, encoded)
for form, code, what, encoded in [*public_keys(), *private_keys()]:
    refuse(form, code, what, encoded)
for what, text in texts():
    refuse("private-pem", "invalidPEM", what, text)
print(f"\nname: what is refused\nform: good\npublic-key: {p256.raw(POINT).hex()}")
print(f"message: {MESSAGE.hex()}\nsignature: {R:064x}{S:064x}")
