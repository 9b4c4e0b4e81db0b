# SPDX-License-Identifier: Apache-2.0
# Prints huge-messages.txt: how SHA-256 ends messages that are too long to be hashed in a test.
#
# A computation is resumed from a state, after a number of whole blocks that were never hashed.
# hashlib cannot do that, so this is SHA-256 of FIPS 180-4 once more, without a thought for speed.

import hashlib


def root(number, degree):
    """The largest integer whose power is not above a number."""
    low, high = 0, 1
    while high**degree <= number:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


PRIMES = [n for n in range(2, 312) if all(n % d for d in range(2, n))]
K = [root(prime << 96, 3) % 2**32 for prime in PRIMES]
H = [root(prime << 64, 2) % 2**32 for prime in PRIMES[:8]]


def rotated(x, n):
    return (x >> n | x << (32 - n)) % 2**32


def compress(state, block):
    w = [int.from_bytes(block[i : i + 4], "big") for i in range(0, 64, 4)]
    for t in range(16, 64):
        small0 = rotated(w[t - 15], 7) ^ rotated(w[t - 15], 18) ^ w[t - 15] >> 3
        small1 = rotated(w[t - 2], 17) ^ rotated(w[t - 2], 19) ^ w[t - 2] >> 10
        w.append((small1 + w[t - 7] + small0 + w[t - 16]) % 2**32)
    a, b, c, d, e, f, g, h = state
    for t in range(64):
        big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
        big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
        t1 = h + big1 + (e & f ^ ~e & g) + K[t] + w[t]
        t2 = big0 + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = (t1 + t2) % 2**32, a, b, c, (d + t1) % 2**32, e, f, g
    return [(x + y) % 2**32 for x, y in zip(state, [a, b, c, d, e, f, g, h])]


def finish(state, byte_count_before, tail):
    """The digest of a message whose first bytes led to a state and which ends with the tail."""
    zeros = (55 - len(tail)) % 64
    bit_count = 8 * (byte_count_before + len(tail))
    padded = tail + b"\x80" + bytes(zeros) + bit_count.to_bytes(8, "big")
    for start in range(0, len(padded), 64):
        state = compress(state, padded[start : start + 64])
    return b"".join(word.to_bytes(4, "big") for word in state)


assert len(K) == 64
for length in range(200):
    message = bytes(range(length))
    assert finish(H, 0, message) == hashlib.sha256(message).digest()

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
    state = hashlib.sha256(name.encode()).digest()
    words = [int.from_bytes(state[i : i + 4], "big") for i in range(0, 32, 4)]
    print()
    print("name:", name)
    print("state:", state.hex())
    print("before:", whole)
    print("tail:", length)
    print("digest:", finish(words, whole, bytes(range(length))).hex())
