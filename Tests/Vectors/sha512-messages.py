# SPDX-License-Identifier: Apache-2.0
# Prints sha512-messages.txt: SHA-384, SHA-512 and their HMACs of generated messages, by hashlib and hmac; and how
# SHA-512 ends messages that are too long to be hashed in a test, by a SHA-512 without a thought for speed.

import hashlib
import hmac

from randomness.xorshift import Xorshift64
from sha2.states import sha512

print("# Printed by sha512-messages.py: hashlib and hmac; of huge messages by a SHA-512 of its own.")
SEED, LARGE = 0xBF58476D1CE4E5B9, [2_201, 4_095, 4_096, 65_549, 1_000_003]
WHOLE = Xorshift64(SEED).bytes(max(LARGE))
for name in ["SHA384", "SHA512"]:
    function = getattr(hashlib, name.lower())
    print()
    print(f"name: {name}, every length")
    print(f"seed: {SEED:016x}")
    for length in range(301):
        print("digest:", function(WHOLE[:length]).hexdigest())
    digests = b"".join(function(WHOLE[:length]).digest() for length in range(2_201))
    print("sha256 of the digests of 0 to 2200 bytes:", hashlib.sha256(digests).hexdigest())
    for length in LARGE:
        print("large:", length)
        print("large digest:", function(WHOLE[:length]).hexdigest())
    for size in [0, 1, 47, 48, 64, 127, 128, 129, 255, 256, 300]:
        print("key size:", size)
        print("code:", hmac.digest(WHOLE[:size], WHOLE[size : 3 * size], function).hex())

zeros, block = hashlib.sha512(), bytes(2**20)
for _ in range(5 * 2**10):
    zeros.update(block)
print()
print("name: 5 GiB of zeros")
print("digest of zeros:", zeros.hexdigest())

SHA512 = sha512()
LARGEST = 2**64 - 128
CASES = [
    (whole, tail)
    for whole in [2**29, 2**32, 2**53, 2**60, 2**61 - 128, 2**61, 2**63, LARGEST]
    for tail in [0, 1, 111, 112, 127, 128, 250]
    if whole < LARGEST or tail < 128
]
print("\n# Continue from `state` after `before` bytes, append the bytes 0, 1, 2 and so on, `tail` many.", end="")
for whole, length in CASES:
    name = f"{whole} + {length} bytes"
    state = SHA512.digest(name.encode()).digest()
    print("\n")
    print("name:", name)
    print("state:", state.hex())
    print(f"before: {whole:016x}")
    print("tail:", length)
    print("huge digest:", SHA512.finish(SHA512.words(state), whole, bytes(range(length))).hex(), end="")
print()
