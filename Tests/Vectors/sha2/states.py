# SPDX-License-Identifier: Apache-2.0
"""SHA-256 and SHA-512 of FIPS 180-4, continued from a state, which hashlib can't do. Without a thought for speed."""

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


class SHA2:
    """One of the two. The sums are the rotations of FIPS 180-4, 4.1.2 and 4.1.3: big 0 and 1, small 0 and 1, of which the
    last of the small ones is a shift."""

    def __init__(self, name, rounds, sums):
        self.digest, self.rounds, self.sums = getattr(hashlib, name), rounds, sums
        self.size = self.digest().block_size // 16
        self.bits = 8 * self.size
        primes = [n for n in range(2, 410) if all(n % d for d in range(2, n))][:rounds]
        self.constants = [root(prime << 3 * self.bits, 3) % 2**self.bits for prime in primes]
        self.start = [root(prime << 2 * self.bits, 2) % 2**self.bits for prime in primes[:8]]
        for length in range(300):
            message = bytes(index % 256 for index in range(length))
            assert self.finish(self.start, 0, message) == self.digest(message).digest()

    def words(self, data):
        return [int.from_bytes(data[i : i + self.size], "big") for i in range(0, len(data), self.size)]

    def rotated(self, x, n):
        return (x >> n | x << (self.bits - n)) % 2**self.bits

    def sum(self, kind, x):
        first, second, third = self.sums[kind]
        last = x >> third if kind.startswith("small") else self.rotated(x, third)
        return self.rotated(x, first) ^ self.rotated(x, second) ^ last

    def compress(self, state, block):
        modulus, w = 2**self.bits, self.words(block)
        for t in range(16, self.rounds):
            w.append((self.sum("small1", w[t - 2]) + w[t - 7] + self.sum("small0", w[t - 15]) + w[t - 16]) % modulus)
        a, b, c, d, e, f, g, h = state
        for t in range(self.rounds):
            t1 = h + self.sum("big1", e) + (e & f ^ ~e & g) + self.constants[t] + w[t]
            t2 = self.sum("big0", a) + (a & b ^ a & c ^ b & c)
            a, b, c, d, e, f, g, h = (t1 + t2) % modulus, a, b, c, (d + t1) % modulus, e, f, g
        return [(x + y) % modulus for x, y in zip(state, [a, b, c, d, e, f, g, h])]

    def finish(self, state, byte_count_before, tail):
        """The digest of a message whose first bytes led to a state and which ends with the tail."""
        block, length = 16 * self.size, 2 * self.size
        zeros = (block - length - 1 - len(tail)) % block
        bit_count = 8 * (byte_count_before + len(tail))
        padded = tail + b"\x80" + bytes(zeros) + bit_count.to_bytes(length, "big")
        for start in range(0, len(padded), block):
            state = self.compress(state, padded[start : start + block])
        return b"".join(word.to_bytes(self.size, "big") for word in state)


def sha256():
    return SHA2("sha256", 64, {"big0": (2, 13, 22), "big1": (6, 11, 25), "small0": (7, 18, 3), "small1": (17, 19, 10)})


def sha512():
    return SHA2("sha512", 80, {"big0": (28, 34, 39), "big1": (14, 18, 41), "small0": (1, 8, 7), "small1": (19, 61, 6)})
