# SPDX-License-Identifier: Apache-2.0
# Prints rsa-refusals.txt: encodings of RSA keys that are wrong in one way, and forged signatures.

import base64
import hashlib
import math

from rsa_keys.der import ATTRIBUTES, NULL, RSA_ENCRYPTION, integer, pkcs8, private_key, public_key, sequence, spki, value
from rsa_keys.keys import keys

SIZE, P, Q, E = next(keys())
N, D = P * Q, pow(E, -1, (P - 1) * (Q - 1))
GOOD = private_key(P, Q, E)


def show(name, form, encoded, code):
    print()
    print("name:", name)
    print("form:", form)
    print("encoded:", encoded if isinstance(encoded, str) else encoded.hex())
    print("code:", code)


def cut_and_added(name, form, good):
    """One byte less or more, at the end and inside; one of the outer length changed."""
    show(f"{name}, the last byte missing", form, good[:-1], "invalidDER")
    show(f"{name}, a byte more", form, good + b"\0", "invalidDER")
    show(f"{name}, nothing", form, b"", "invalidDER")
    show(f"{name}, indefinite length", form, b"\x30\x80" + good[4:] + b"\0\0", "invalidDER")
    show(f"{name}, length with a zero more", form, b"\x30\x83\0" + good[2:], "invalidDER")
    show(f"{name}, a set", form, b"\x31" + good[1:], "invalidDER")


print("# Printed by rsa-refusals.py. Standards: X.690 (one encoding), RFC 8017, A.1 and 3, RFC 5958, 2, RFC 5280, 4.1.2.7.")
cut_and_added("PKCS #1", "private", GOOD)
cut_and_added("PKCS #8", "private", pkcs8(GOOD))
cut_and_added("public key", "public", spki(public_key(N, E)))
cut_and_added("public key of PKCS #1", "public", public_key(N, E))

for name, encoded in {
    "version 1 (more than two primes)": private_key(P, Q, E, version=1),
    "a ninth number": sequence(GOOD[4:], integer(3)),
    "no coefficient": sequence(GOOD[4:-len(integer(pow(Q, -1, P)))]),
    "PKCS #8 of version 1": pkcs8(GOOD, version=1),
    "PKCS #8 of version 1 with a public key": pkcs8(GOOD, version=1, rest=value(0x81, b"\0" + public_key(N, E))),
    "PKCS #8 with a public key in version 0": pkcs8(GOOD, rest=value(0x81, b"\0" + public_key(N, E))),
    "PKCS #8 with attributes twice": pkcs8(GOOD, rest=ATTRIBUTES * 2),
    "PKCS #8 with a byte after the attributes": pkcs8(GOOD, rest=ATTRIBUTES + b"\0"),
    "PKCS #8 with attributes that aren't complete": pkcs8(GOOD, rest=ATTRIBUTES[:-1]),
    "PKCS #8 with attributes of a different tag": pkcs8(GOOD, rest=b"\xa2" + ATTRIBUTES[1:]),
    "PKCS #8 of an elliptic curve": pkcs8(GOOD, algorithm=bytes.fromhex("06072a8648ce3d0201") + NULL),
    "PKCS #8 for PSS": pkcs8(GOOD, algorithm=bytes.fromhex("06092a864886f70d01010a") + NULL),
    "PKCS #8 with a byte after the key": pkcs8(GOOD + b"\0"),
    "an integer with a zero too many": sequence(integer(0), value(2, b"\0\0" + N.to_bytes(256, "big")), GOOD[4 + 3 + 261 :]),
    "a negative modulus": sequence(integer(0), value(2, N.to_bytes(256, "big")), GOOD[4 + 3 + 261 :]),
    "an empty integer": sequence(integer(0), b"\x02\x00", GOOD[4 + 3 + 261 :]),
}.items():
    show(name, "private", encoded, "invalidDER")
for name, encoded in {
    "without NULL, but with a zero": spki(public_key(N, E), algorithm=RSA_ENCRYPTION + b"\0"),
    "for PSS": spki(public_key(N, E), algorithm=bytes.fromhex("06092a864886f70d01010a") + NULL),
    "seven bits unused": sequence(sequence(RSA_ENCRYPTION + NULL), value(3, b"\x07" + public_key(N, E))),
    "a third number": sequence(integer(N), integer(E), integer(1)),
    "no exponent": sequence(integer(N)),
    "a private key": GOOD,
}.items():
    show(f"public key, {name}", "public", encoded, "invalidDER")

for bits in [512, 1024, 2047, 2049, 2056, 4095, 4097, 8192]:
    show(f"modulus of {bits} bits", "public", spki(public_key(2 ** (bits - 1) + 12345, E)), "unsupportedModulus")
show("an even modulus", "public", spki(public_key(N + 1, E)), "unsupportedModulus")
show("modulus 0", "public", spki(public_key(0, E)), "unsupportedModulus")
for e in [0, 1, 2, 65536, 2**33, 2**33 + 1, 2**64 + 1, 2**2048 + 1]:
    show(f"public exponent of {e.bit_length()} bits, ...{e % 16}", "public", spki(public_key(N, e)), "unsupportedExponent")
for e in [3, 17, 257, 65535]:
    show(f"private key with the exponent {e}", "private", private_key(P, Q, E, e=e), "unsupportedExponent")

# The largest primes below 2^512 (OpenSSL: "RSA key ok").
show("private key of 1024 bits", "private", private_key(2**512 - 569, 2**512 - 629, E), "unsupportedModulus")

# RFC 8017, 3.2: d is less than n. This one is the least above it that fits dp and dq, and as long as n.
ORDER = math.lcm(P - 1, Q - 1)
LARGE_D = N + (D - N) % ORDER
assert N <= LARGE_D < 2**SIZE
dp, dq, qinv = D % (P - 1), D % (Q - 1), pow(Q, -1, P)
for name, changed in {
    "d + 2": dict(d=D + 2), "d with the exponents of another e": dict(e=E + 2), "d of 0": dict(d=0),
    "dp + 1": dict(dp=dp + 1), "dp + p - 1": dict(dp=dp + P - 1), "dp of 0": dict(dp=0), "dq - 1": dict(dq=dq - 1),
    "dq + q - 1": dict(dq=dq + Q - 1),
    "qinv + 1": dict(qinv=qinv + 1), "qinv of 0": dict(qinv=0), "qinv + p": dict(qinv=qinv + P), "qinv of p": dict(qinv=P),
    "the inverse of p": dict(qinv=pow(P, -1, Q)),
    "p and q swapped": dict(p=Q, q=P), "p + 2": dict(p=P + 2), "q - 2": dict(q=Q - 2), "q even": dict(q=Q - 1),
    "p of 0": dict(p=0), "n + 2": dict(n=N + 2), "n - p": dict(n=N - 2 * P), "p and q halved and doubled": dict(p=2 * P, q=Q // 2),
    "n and 1": dict(p=N, q=1), "d above n": dict(d=LARGE_D), "d two bits longer than n": dict(d=D + (P - 1) * (Q - 1) * 4),
    "p twice": dict(n=P * P, q=P),
}.items():
    show(f"private key, {name}", "private", private_key(P, Q, E, **changed), "inconsistentKey")

PEM = "-----BEGIN RSA PRIVATE KEY-----\\n{}\\n-----END RSA PRIVATE KEY-----\\n"
BASE64 = base64.b64encode(GOOD).decode()
for name, text in {
    "encrypted": PEM.format("Proc-Type: 4,ENCRYPTED\\nDEK-Info: AES-128-CBC,00\\n\\n" + BASE64),
    "of another label": PEM.replace("RSA", "EC").format(BASE64), "two of them": PEM.format(BASE64) * 2,
    "not base64": PEM.format(BASE64[:-4] + "===="), "empty": "",
    "without its last line": PEM.format(BASE64).split("-----END")[0],
}.items():
    show(f"PEM, {name}", "private-pem", text, "invalidPEM")

# Bleichenbacher's forgery (2006) for an exponent of 3, against verifiers that do not look behind the digest, and its kin:
# cubes of which the beginning is right. And what is right but for one thing.
ROOT3 = 2**2047 + 1
while ROOT3 % 3 != 2 or ROOT3 % 2 == 0:
    ROOT3 += 2


def cube_root(number):
    low, high = 0, 1 << number.bit_length() // 3 + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle)
    return low


MESSAGE = b"forged"
INFO = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(MESSAGE).digest()
for padding in [8, 1, 0]:
    head = b"\0\1" + b"\xff" * padding + b"\0" + INFO
    target = int.from_bytes(head + b"\xff" * (256 - len(head)), "big")
    root = cube_root(target)
    cube = root**3
    assert cube.to_bytes(256, "big").startswith(head) and cube < ROOT3
    print()
    print(f"name: a forged signature under the exponent 3, {padding} bytes of padding")
    print("form: forgery")
    print("key:", spki(public_key(ROOT3, 3)).hex())
    print("message:", MESSAGE.hex())
    print("encoded:", root.to_bytes(256, "big").hex())
right = b"\0\1" + b"\xff" * (256 - 3 - len(INFO)) + b"\0" + INFO
for name, encoded in {
    "the digest of another hash": right[:-len(INFO)] + bytes.fromhex("3021300906052b0e03021a05000414") + INFO[-32:],
    "block type 2": b"\0\2" + right[2:], "block type 0": b"\0\0" + right[2:], "a byte before": b"\1" + right[1:],
    "one byte of padding changed": right[:9] + b"\xfe" + right[10:], "no zero": right.replace(b"\xff\0", b"\xff\xff"),
    "NULL left out": b"\0\1" + b"\xff" * (256 - 3 - len(INFO) + 2) + b"\0" + bytes.fromhex("302f300b0609608648016503040201" "0420") + INFO[-32:],
    "the digest one byte shorter": b"\0\1" + b"\xff" * (256 - 2 - len(INFO)) + b"\0" + INFO[:-1],
    "padding shorter, zeros at the end": b"\0\1" + b"\xff" * 8 + b"\0" + INFO + bytes(256 - 11 - len(INFO)),
}.items():
    number = int.from_bytes(encoded[:256], "big")
    if number >= N:
        number %= N
    print()
    print(f"name: signed, but {name}")
    print("form: forgery")
    print("key:", spki(public_key(N, E)).hex())
    print("message:", MESSAGE.hex())
    print("encoded:", pow(number, D, N).to_bytes(256, "big").hex())
good = pow(int.from_bytes(right, "big"), D, N)
for name, encoded in {
    "s + n": (good + N).to_bytes(257, "big")[1:] if good + N < 2**2048 else (good + N).to_bytes(257, "big"), "n - s": (N - good).to_bytes(256, "big"),
    "n": N.to_bytes(256, "big"), "0": bytes(256), "1": (1).to_bytes(256, "big"), "n - 1": (N - 1).to_bytes(256, "big"), "all ones": b"\xff" * 256,
    "a zero before": b"\0" + good.to_bytes(256, "big"), "a zero behind": good.to_bytes(256, "big") + b"\0", "nothing": b"",
    "one byte less": good.to_bytes(256, "big")[1:], "the padded digest itself": right,
}.items():
    print()
    print(f"name: the signature {name}")
    print("form: forgery")
    print("key:", spki(public_key(N, E)).hex())
    print("message:", MESSAGE.hex())
    print(f"encoded: {encoded.hex()}".rstrip())
print()
print("name: the right signature")
print("form: right")
print("key:", spki(public_key(N, E)).hex())
print("message:", MESSAGE.hex())
print("encoded:", good.to_bytes(256, "big").hex())
