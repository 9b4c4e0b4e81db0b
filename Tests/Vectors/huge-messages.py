# SPDX-License-Identifier: Apache-2.0
# Prints huge-messages.txt: how SHA-256 ends messages that are too long to be hashed in a test.
# A computation is resumed from a state, after a number of whole blocks that were never hashed.

from sha2.states import sha256

SHA256 = sha256()
LARGEST = 2**61 - 64
CASES = [
    (whole, tail)
    for whole in [2**29 - 64, 2**29, 2**32 - 64, 2**32, 2**35 - 64, 2**53, 2**60, LARGEST]
    for tail in [0, 1, 55, 56, 63, 64, 130]
    if whole < LARGEST or tail < 64
]

print("# Printed by huge-messages.py, which holds a SHA-256 of its own.")
print("# Continue from `state` after `before` bytes, append the bytes 0, 1, 2 and so on, `tail` many.")
for whole, length in CASES:
    name = f"{whole} + {length} bytes"
    state = SHA256.digest(name.encode()).digest()
    print()
    print("name:", name)
    print("state:", state.hex())
    print("before:", whole)
    print("tail:", length)
    print("digest:", SHA256.finish(SHA256.words(state), whole, bytes(range(length))).hex())
