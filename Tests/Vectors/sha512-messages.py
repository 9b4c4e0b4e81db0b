# SPDX-License-Identifier: Apache-2.0
# Prints sha512-messages.txt: SHA-384, SHA-512 and their HMACs of generated messages, by hashlib and hmac; and how
# SHA-512 ends messages that are too long to be hashed in a test, by a SHA-512 without a thought for speed.

import hashlib
import hmac

from randomness.xorshift import Xorshift64


def root(number, degree):
    """The largest integer whose power is not above a number."""
    low, high = 0, 1
    while high**degree <= number:
        high *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle)
    return low


PRIMES = [n for n in range(2, 410) if all(n % d for d in range(2, n))]
K = [root(prime << 192, 3) % 2**64 for prime in PRIMES]
H = [root(prime << 128, 2) % 2**64 for prime in PRIMES[:8]]


def rotated(x, n):
    return (x >> n | x << (64 - n)) % 2**64


def compress(state, block):
    w = [int.from_bytes(block[i : i + 8], "big") for i in range(0, 128, 8)]
    for t in range(16, 80):
        small0 = rotated(w[t - 15], 1) ^ rotated(w[t - 15], 8) ^ w[t - 15] >> 7
        small1 = rotated(w[t - 2], 19) ^ rotated(w[t - 2], 61) ^ w[t - 2] >> 6
        w.append((small1 + w[t - 7] + small0 + w[t - 16]) % 2**64)
    a, b, c, d, e, f, g, h = state
    for t in range(80):
        big1 = rotated(e, 14) ^ rotated(e, 18) ^ rotated(e, 41)
        big0 = rotated(a, 28) ^ rotated(a, 34) ^ rotated(a, 39)
        t1 = h + big1 + (e & f ^ ~e & g) + K[t] + w[t]
        t2 = big0 + (a & b ^ a & c ^ b & c)
        a, b, c, d, e, f, g, h = (t1 + t2) % 2**64, a, b, c, (d + t1) % 2**64, e, f, g
    return [(x + y) % 2**64 for x, y in zip(state, [a, b, c, d, e, f, g, h])]


def finish(state, byte_count_before, tail):
    """The digest of a message whose first bytes led to a state and which ends with the tail."""
    zeros = (111 - len(tail)) % 128
    bit_count = 8 * (byte_count_before + len(tail))
    padded = tail + b"\x80" + bytes(zeros) + bit_count.to_bytes(16, "big")
    for start in range(0, len(padded), 128):
        state = compress(state, padded[start : start + 128])
    return b"".join(word.to_bytes(8, "big") for word in state)


assert len(K) == 80
for length in range(300):
    example = bytes(length % 256 for length in range(length))
    assert finish(H, 0, example) == hashlib.sha512(example).digest()

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
    state = hashlib.sha512(name.encode()).digest()
    words = [int.from_bytes(state[i : i + 8], "big") for i in range(0, 64, 8)]
    print("\n")
    print("name:", name)
    print("state:", state.hex())
    print(f"before: {whole:016x}")
    print("tail:", length)
    print("huge digest:", finish(words, whole, bytes(range(length))).hex(), end="")
print()
