# SPDX-License-Identifier: Apache-2.0
# Prints cavp-p256.txt: the tests of NIST's program for P-256, from the package cryptography-vectors.

import re
from pathlib import Path

import cryptography_vectors

FOLDER = Path(cryptography_vectors.__file__).parent / "asymmetric/ECDSA/FIPS_186-3"


def records(file, section):
    text = (FOLDER / file).read_text(encoding="ascii").replace("\r", "")
    text = text.split(f"\n[{section}]\n", 1)[1]
    text = re.split(r"\n\[P-|\n\[[KB]-", text)[0]
    for block in re.split(r"\n\n+", text):
        fields = dict(re.findall(r"^(\w+) = (.*)$", block, re.M))
        if "Qx" in fields:
            yield fields


def show(kind, number, fields, **shown):
    print()
    print(f"name: {kind} {number}")
    print("kind:", kind)
    for name, field in shown.items():
        print(f"{name.replace('_', '-')}: {fields[field].rjust(64, '0') if field != 'Msg' else fields[field]}")
    if "Result" in fields:
        print("valid:", "yes" if fields["Result"].startswith("P") else "no")


print("# Printed by cavp-p256.py: facts of NIST's Cryptographic Algorithm Validation Program (FIPS 186-3,")
print("# P-256, SHA-256). The numbers are 32 bytes each, but for those that are too long for a coordinate.")
point = {"x": "Qx", "y": "Qy"}
for index, each in enumerate(records("SigGen.txt", "P-256,SHA-256")):
    show("sign", index, each, message="Msg", key="d", **point, nonce="k", r="R", s="S")
for index, each in enumerate(records("SigVer.rsp", "P-256,SHA-256")):
    show("verify", index, each, message="Msg", **point, r="R", s="S")
for index, each in enumerate(records("KeyPair.rsp", "P-256")):
    show("key pair", index, each, key="d", **point)
for index, each in enumerate(records("PKV.rsp", "P-256")):
    show("public key", index, each, **point)
