# SPDX-License-Identifier: Apache-2.0
# Prints batches.txt: lists of messages, and the digest and the authentication code of each.

import hashlib
import hmac

from randomness.xorshift import Xorshift64

UNEQUAL = [5, 70_000, 0, 1, 119, 120, 30_000, 64, 2, 128, 55, 56, 9_999, 3, 0, 65, 127, 200_000, 4]

# The mask 0x7F leaves seven bits, so that the messages can be text as well.
BATCHES = {
    "no message": (0xFF, []),
    "one empty message": (0xFF, [0]),
    "one message": (0xFF, [1_000]),
    "two messages, the first longer": (0xFF, [700, 3]),
    "two messages, the second longer": (0xFF, [3, 700]),
    "two messages of the same length": (0xFF, [130, 130]),
    "two empty messages": (0xFF, [0, 0]),
    "three messages": (0xFF, [10, 300, 20]),
    "three messages, the longest first": (0xFF, [5_000, 1, 1]),
    "three messages, the longest last": (0xFF, [1, 1, 5_000]),
    "wildly unequal": (0xFF, UNEQUAL),
    "wildly unequal, backwards": (0xFF, UNEQUAL[::-1]),
    "wildly unequal text": (0x7F, UNEQUAL),
    "one long among many short": (0xFF, [8] * 20 + [100_000] + [8] * 20),
    "long and short in turns": (0xFF, [4_096, 7] * 10),
    "whole blocks": (0xFF, [64 * n for n in (1, 2, 3, 1, 40, 2, 0, 5)]),
    "every length from 0 to 130": (0xFF, list(range(131))),
    "every length from 130 to 0, as text": (0x7F, list(range(130, -1, -1))),
}

print("# Printed by batches.py, which uses hashlib and hmac of Python.")
print("# The seed gives the key of 32 bytes, and then each message; the mask clears bits of these.")
for number, (name, (mask, lengths)) in enumerate(BATCHES.items()):
    seed = 0xBF58476D1CE4E5B9 + number
    generator = Xorshift64(seed)
    key = generator.bytes(32)
    print()
    print("name:", name)
    print(f"seed: {seed:016x}")
    print(f"mask: {mask}")
    for length in lengths:
        message = bytes(byte & mask for byte in generator.bytes(length))
        print("length:", length)
        print("digest:", hashlib.sha256(message).hexdigest())
        print("code:", hmac.digest(key, message, "sha256").hex())
