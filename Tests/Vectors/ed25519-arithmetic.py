# SPDX-License-Identifier: Apache-2.0
# Prints ed25519-arithmetic.txt: operations modulo the prime and the order of Curve25519 on edges and on numbers between,
# and multiples of points, checked by one digest over all results.

import hashlib

from curve import edwards25519
from curve.edwards25519 import BASE, L, P
from randomness.numbers import number
from randomness.xorshift import Xorshift64

R = pow(2**256, -1, L)
# Limbs of factors, of summands, and of what is subtracted.
FACTOR, SUMMAND, SUBTRAHEND = 2**54 - 1, 2**53 - 1, 2**53 - 76


def element(generator, most):
    """A number in five limbs of 51 bits, up to `most` each: six of eight are edges."""
    edges, value = [0, 1, 2**51 - 1, 2**51, most - 1, most], 0
    for index in range(5):
        choice = generator.next() % 8
        limb = edges[choice] if choice < 6 else generator.next() % (most + 1)
        value += limb << 51 * index
    return value


FIELD = {
    "multiply": (100_000, FACTOR, FACTOR, lambda a, b: a * b),
    "square": (100_000, FACTOR, FACTOR, lambda a, b: a * a),
    "add": (100_000, SUMMAND, SUMMAND, lambda a, b: a + b),
    "subtract": (100_000, SUMMAND, SUBTRAHEND, lambda a, b: a - b),
    "number": (100_000, FACTOR, FACTOR, lambda a, b: a),
    "invert": (10_000, FACTOR, FACTOR, lambda a, b: pow(a, P - 2, P)),
}
ORDER = {
    "multiply": (100_000, lambda a, b: a * (b % L) * R),
    "add": (100_000, lambda a, b: a % L + b % L),
    "reduce": (100_000, lambda a, b: a + (b << 256)),
    "comb digits": (100_000, lambda a, b: (a + 2**256 - 1) * (L + 1) // 2),
}


def show(name, seed, count, results):
    digest = hashlib.sha256()
    for result in results:
        digest.update(result)
    print(f"\nname: {name}\nseed: {seed}\ncount: {count}\ndigest: {digest.hexdigest()}")


def numbers_of(seed, count, draw, modulus, operation):
    generator = Xorshift64(seed)
    for _ in range(count):
        first = draw[0](generator)
        yield (operation(first, draw[1](generator)) % modulus).to_bytes(32, "big")


def sums(generator, count):
    """s B + k A for A = B, -B, points with a part of small order, and others."""
    small = edwards25519.multiply(L, edwards25519.decode(bytes([3]) + bytes(31))[0])
    assert edwards25519.multiply(4, small) != (0, 1)
    for index in range(count):
        s, k = number(generator, L), number(generator, L)
        point = [BASE, (P - BASE[0], BASE[1]), small, edwards25519.add(BASE, small)][index % 4]
        yield edwards25519.encode(edwards25519.add(edwards25519.multiply(s), edwards25519.multiply(k, point)))


print("# Printed by ed25519-arithmetic.py, with integers of Python.")
for seed, (name, (count, first, second, operation)) in enumerate(FIELD.items(), 51):
    draw = [lambda generator, most=most: element(generator, most) for most in [first, second]]
    show(f"prime {name}", seed, count, numbers_of(seed, count, draw, P, operation))
for seed, (name, (count, operation)) in enumerate(ORDER.items(), 61):
    draw = [lambda generator: number(generator, 2**256)] * 2
    show(f"order {name}", seed, count, numbers_of(seed, count, draw, L, operation))
show("sums", 71, 120, sums(Xorshift64(71), 120))
generator = Xorshift64(72)
show("base point", 72, 200, (edwards25519.encode(edwards25519.multiply(number(generator, L))) for _ in range(200)))
