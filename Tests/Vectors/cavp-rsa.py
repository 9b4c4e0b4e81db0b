# SPDX-License-Identifier: Apache-2.0
# Prints cavp-rsa.txt: the tests of NIST's program for RSA with PKCS #1 v1.5, from the package cryptography-vectors.

import re
from pathlib import Path

import cryptography_vectors

from rsa_keys.der import private_key, public_key, spki

FILE = Path(cryptography_vectors.__file__).parent / "asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp"

print("# Printed by cavp-rsa.py: facts of NIST's Cryptographic Algorithm Validation Program (FIPS 186-3, SigVer15),")
print("# 2048 to 4096 bits, SHA-1 and SHA-256. A valid signature is the one that the private key makes, where there is one.")
text = FILE.read_text(encoding="ascii").replace("\r", "")
for size, section in re.findall(r"\[mod = (\d+)\]\n(.*?)(?=\n\[mod|\Z)", text, re.S):
    if int(size) < 2048:
        continue
    modulus = {}
    for number, block in enumerate(re.split(r"\n\n+", section)):
        fields = dict(re.findall(r"^(\w+) = (.*)$", block, re.M))
        modulus |= {name: int(fields[name], 16) for name in ("n", "p", "q") if name in fields}
        if fields.get("SHAAlg") not in ("SHA1", "SHA256"):
            continue
        e = int(fields["e"], 16)
        is_valid = fields["Result"].startswith("P")
        print()
        print(f"name: {size} bits, {number}, {fields['SHAAlg']}, {fields['Result']}, e of {e.bit_length()} bits")
        print("hash:", fields["SHAAlg"])
        print("key:", spki(public_key(modulus["n"], e)).hex())
        print("message:", fields["Msg"])
        print("signature:", fields["S"].lower())
        print("valid:", "yes" if is_valid else "no")
        if is_valid and 65536 < e < 2**33:
            print("private key:", private_key(modulus["p"], modulus["q"], e).hex())
