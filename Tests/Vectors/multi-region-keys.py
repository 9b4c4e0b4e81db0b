# SPDX-License-Identifier: Apache-2.0
# Prints multi-region-keys.txt: keys of Signature Version 4a (SP 800-108, 4.1, as AWS uses it).

import hmac

from curve import p256

# Facts of aws-c-auth (tests/key_derivation_tests.c) and of the page of AWS's test suite.
PUBLISHED = {
    ("AKISORANDOMAASORANDOM", "q+jcrXGc+0zWN6uzclKVhvMmUsIfRPa4rlRandom"):
        0x7FD3BD010C0D9C292141C2B77BFBDE1042C92E6836FFF749D1269EC890FCA1BD,
    ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"):
        0x7EFC8C0E65A324242818C5A50C891C6060B6A00717B7BA3CBE3C5D765BE9259C,
    ("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"):
        0x04C4D39191AE06F37A86B873D2F9951F7C37621D69E0EB834FB622C368F360C3,
}


def derive(access_key_id, secret):
    label = b"AWS4-ECDSA-P256-SHA256"
    for counter in range(1, 255):
        message = (1).to_bytes(4, "big") + label + b"\0" + access_key_id.encode() \
            + bytes([counter]) + (256).to_bytes(4, "big")
        number = int.from_bytes(hmac.digest(b"AWS4A" + secret.encode(), message, "sha256"), "big")
        if number <= p256.N - 2:
            return number + 1
    raise ValueError("no key")


print("# Printed by multi-region-keys.py, with hmac of Python. The first three are published.")
cases = list(PUBLISHED)
for size in [1, 16, 59, 60, 61, 64, 100, 200]:
    cases.append((f"AKIDSIZE{size}", "+/x8" * (size // 4) + "s" * (size % 4)))
cases.append(("A" * 128, "secret"))
for access_key_id, secret in cases:
    key = derive(access_key_id, secret)
    assert PUBLISHED.get((access_key_id, secret), key) == key
    print(f"\nname: {access_key_id[:40]}\naccess-key-id: {access_key_id}\nsecret: {secret}")
    print(f"key: {key:064x}\npublic-key: {p256.raw(p256.multiply(key)).hex()}")
