# SPDX-License-Identifier: Apache-2.0
# Prints ed25519-keys.txt: public keys to accept or reject, by Python's integers, and keys in the forms of OpenSSL and
# cryptography.

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding, NoEncryption, PrivateFormat, PublicFormat, load_der_private_key)

from curve import edwards25519
from curve.edwards25519 import P
from rsa_keys.der import ATTRIBUTES, integer, sequence, value

IDENTIFIER = sequence(bytes.fromhex("06032b6570"))  # RFC 8410, 3


def verdict(data):
    found = edwards25519.decode(data)
    if found is None:
        return "no point"
    point, fault = found
    return fault or ("small order" if edwards25519.multiply(8, point) == (0, 1) else None)


def escaped(data):
    return data.decode().replace("\n", "\\n")


def torsion():
    """The eight points whose order divides 8: multiples of one of order 8."""
    for number in range(2, 100):
        found = edwards25519.decode(number.to_bytes(32, "little"))
        if found:
            point = edwards25519.multiply(edwards25519.L, found[0])
            if edwards25519.multiply(4, point) != (0, 1):
                return [edwards25519.multiply(index, point) for index in range(8)]
    raise SystemExit("no point of order 8")


POINTS = torsion()
assert len({edwards25519.encode(point) for point in POINTS}) == 8
encodings = [edwards25519.encode(point) for point in POINTS]
encodings += [(number | sign << 255).to_bytes(32, "little") for number in range(P, 2**255) for sign in [0, 1]]
encodings += [(number | 1 << 255).to_bytes(32, "little") for number in [1, P - 1]]
encodings += [number.to_bytes(32, "little") for number in range(2, 12)]
encodings += [hashlib.sha256(bytes([number])).digest() for number in range(24)]
# Points with a part of small order are accepted, as OpenSSL does.
encodings += [edwards25519.encode(edwards25519.add(edwards25519.multiply(5), point)) for point in POINTS]
encodings += [bytes(31), bytes(33), b""]
print("# Printed by ed25519-keys.py: encodings of points by Python's integers (RFC 8032, 5.1.3), then keys in the forms of")
print("# cryptography (PKCS #8, SubjectPublicKeyInfo) and of RFC 5958, 2, with attributes and public keys.")
for data in encodings:
    print()
    reason = f"{len(data)} bytes" if len(data) != 32 else verdict(data)
    print(f"name: {data.hex() or 'nothing'}")
    print("public:", data.hex())
    print("valid:", "no" if reason else "yes")
    print("reason:", reason or "")
# RFC 8410, 10.1 and 10.3: the same private key, also with an attribute and the public key.
PUBLISHED = """
name: key of RFC 8410
seed: d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842
public: 19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1
public-pem: -----BEGIN PUBLIC KEY-----\\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\\n-----END PUBLIC KEY-----\\n
pem: -----BEGIN PRIVATE KEY-----\\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\\n-----END PRIVATE KEY-----\\n
pem-with-both: -----BEGIN PRIVATE KEY-----\\nMHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\\noB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB\\nZ9w7lshQhqowtrbLDFw4rXAxZuE=\\n-----END PRIVATE KEY-----\\n"""
print(PUBLISHED)
for number in range(3):
    seed = hashlib.sha256(f"ed25519 key {number}".encode()).digest()
    private = Ed25519PrivateKey.from_private_bytes(seed)
    raw = private.public_key().public_bytes_raw()
    octets = value(4, value(4, seed))
    forms = {
        "der-with-attributes": sequence(integer(0), IDENTIFIER, octets, ATTRIBUTES),
        "der-with-public-key": sequence(integer(1), IDENTIFIER, octets, value(0x81, b"\0" + raw)),
        "der-with-both": sequence(integer(1), IDENTIFIER, octets, ATTRIBUTES, value(0x81, b"\0" + raw)),
    }
    # Neither cryptography nor OpenSSL 3.0 reads version 1.
    assert load_der_private_key(forms["der-with-attributes"], None).private_bytes_raw() == seed
    other = Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key().public_bytes_raw()
    forms["der-with-other-public-key"] = sequence(integer(1), IDENTIFIER, octets, value(0x81, b"\0" + other))
    print()
    print(f"name: key {number}")
    print("seed:", seed.hex())
    print("public:", raw.hex())
    for name, encoding in [("der", Encoding.DER), ("pem", Encoding.PEM)]:
        form = private.private_bytes(encoding, PrivateFormat.PKCS8, NoEncryption())
        public = private.public_key().public_bytes(encoding, PublicFormat.SubjectPublicKeyInfo)
        print(f"{name}:", form.hex() if name == "der" else escaped(form))
        print(f"public-{name}:", public.hex() if name == "der" else escaped(public))
    for name, form in forms.items():
        print(f"{name}:", form.hex())
