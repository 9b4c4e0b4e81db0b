# SPDX-License-Identifier: Apache-2.0
# Prints cavp-sha512.txt: SHA-384, SHA-512 and their HMACs, as published, from the package cryptography-vectors.

import re
from pathlib import Path

import cryptography_vectors

FOLDER = Path(cryptography_vectors.__file__).parent


def lines(file):
    text = (FOLDER / file).read_text(encoding="ascii")
    return re.findall(r"(?m)^(\w+) = (\S*)\s*$", text)


def messages(file):
    """Length in bits, message and digest; the message of no bits is written as one zero byte."""
    fields = [(name, value) for name, value in lines(file) if name in ("Len", "Msg", "MD")]
    for (_, bits), (_, message), (_, digest) in zip(fields[0::3], fields[1::3], fields[2::3]):
        yield int(bits) // 8, message if int(bits) else "", digest


print("# Printed by cavp-sha512.py: facts of NIST's Cryptographic Algorithm Validation Program, SHA test vectors")
print("# for hashing byte-oriented messages (CAVS 11.1), and of RFC 4231, sections 4.2 to 4.8.")
for name in ["SHA384", "SHA512"]:
    short, long = [list(messages(f"hashes/SHA2/{name}{kind}Msg.rsp")) for kind in ("Short", "Long")]
    # All 128 long messages have 800 KB.
    for count, message, digest in short + long[15::16]:
        print()
        print(f"name: {name}, {count} bytes")
        print("function:", name)
        print("message:", message)
        print("digest:", digest)
    chain = lines(f"hashes/SHA2/{name}Monte.rsp")
    print()
    print(f"name: {name}, Monte Carlo")
    print("seed:", dict(chain)["Seed"])
    for field, value in chain:
        if field == "MD":
            print("digest:", value)
    fields = [value for field, value in lines(f"HMAC/rfc-4231-{name.lower()}.txt") if field != "Len"]
    cases = list(zip(fields[0::3], fields[1::3], fields[2::3]))
    assert len(cases) == 6
    for number, (key, message, code) in zip([1, 2, 3, 4, 6, 7], cases):
        print()
        print(f"name: HMAC-{name}, test case {number}")
        print("keyed function:", name)
        print("key:", key)
        print("message:", message)
        print("code:", code)
