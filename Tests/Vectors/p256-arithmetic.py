# SPDX-License-Identifier: Apache-2.0
# Prints p256-arithmetic.txt: operations modulo the prime and the order of P-256 on edges and on
# numbers between, checked by one digest over all results.

import hashlib

from curve import p256
from randomness.numbers import number
from randomness.xorshift import Xorshift64

RADIX = 2**256


def montgomery(modulus):
    return pow(RADIX, -1, modulus)


def inverse(a, modulus):
    return pow(a, -1, modulus) if a else 0


OPERATIONS = {
    "multiply": (100_000, lambda a, b, m, r: a * b * r % m),
    "square": (100_000, lambda a, b, m, r: a * a * r % m),
    "add": (100_000, lambda a, b, m, r: (a + b) % m),
    "subtract": (100_000, lambda a, b, m, r: (a - b) % m),
    "halve": (100_000, lambda a, b, m, r: a * (m + 1) // 2 % m),
    "invert": (20_000, lambda a, b, m, r: inverse(a, m)),
}


def points(generator):
    """u1 * G + u2 * Q with numbers of the kinds above, where Q is G, its negative, or another point."""
    for index in range(120):
        u1, u2 = number(generator, p256.N), number(generator, p256.N)
        key = [1, p256.N - 1][index % 3] if index % 3 < 2 else generator.next()
        yield p256.add(p256.multiply(u1), p256.multiply(u2 * key % p256.N))


print("# Printed by p256-arithmetic.py, with integers of Python.")
for field, modulus in [("prime", p256.P), ("order", p256.N)]:
    inverse_of_radix = montgomery(modulus)
    for seed, (name, (count, operation)) in enumerate(OPERATIONS.items(), 31):
        generator = Xorshift64(seed)
        digest = hashlib.sha256()
        for _ in range(count):
            a, b = number(generator, modulus), number(generator, modulus)
            digest.update(operation(a, b, modulus, inverse_of_radix).to_bytes(32, "big"))
        print(f"\nname: {field} {name}\nseed: {seed}\ncount: {count}\ndigest: {digest.hexdigest()}")

digest = hashlib.sha256()
for point in points(Xorshift64(41)):
    digest.update(p256.raw(point) if point else bytes(64))
print(f"\nname: points\nseed: 41\ncount: 120\ndigest: {digest.hexdigest()}")
digest = hashlib.sha256()
generator = Xorshift64(42)
for _ in range(200):
    point = p256.multiply(number(generator, p256.N))
    digest.update(p256.raw(point) if point else bytes(64))
print(f"\nname: base point\nseed: 42\ncount: 200\ndigest: {digest.hexdigest()}")
