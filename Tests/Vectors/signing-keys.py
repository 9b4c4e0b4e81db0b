# SPDX-License-Identifier: Apache-2.0
# Prints signing-keys.txt: signing keys, two of them published, under secrets of many sizes.

import hmac

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
PUBLISHED = [
    ("AWS General Reference, \"Calculate the signature\"", "20150830",
     "c4afb1cc5771d871763a393e44b703571b55cc28424d1a5e86da6ed3c154a4b9"),
    ("AWS General Reference, \"Examples of how to derive a signing key\"", "20120215",
     "f4780e2d9f65fa895f9c67b32ce1baf0b0d8a43505a000a1a9e090d414db404d"),
]


def signing_key(secret, day, region, service):
    key = ("AWS4" + secret).encode()
    for part in [day, region, service, "aws4_request"]:
        key = hmac.digest(key, part.encode(), "sha256")
    return key.hex()


def print_key(name, secret, day, region, service):
    key = signing_key(secret, day, region, service)
    print()
    print("name:", name)
    print("secret-access-key:", secret)
    print(f"scope: {day}/{region}/{service}/aws4_request")
    print("key:", key)
    return key


print("# Printed by signing-keys.py, which uses hmac of Python. The first two keys are published.")
for origin, day, published in PUBLISHED:
    assert print_key(origin, SECRET, day, "us-east-1", "iam") == published
for size in [1, 59, 60, 61, 128, 1000]:
    # "AWS4" and a secret of 60 bytes are one block of SHA-256.
    print_key(f"secret of {size} bytes", "k" * size, "20240229", "auto", "s3")
print_key("secret outside of ASCII", "S\u00e9cret\u2603", "99991231", "eu-central-1", "execute-api")
