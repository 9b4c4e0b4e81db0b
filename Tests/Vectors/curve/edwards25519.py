# SPDX-License-Identifier: Apache-2.0
# edwards25519 and Ed25519 with Python's integers: plain affine arithmetic (RFC 8032, 5.1).

import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
BASE = (0x216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A,
        0x6666666666666666666666666666666666666666666666666666666666666658)


def add(a, b):
    product = D * a[0] * b[0] * a[1] * b[1]
    return ((a[0] * b[1] + a[1] * b[0]) * pow(1 + product, -1, P) % P,
            (a[1] * b[1] + a[0] * b[0]) * pow(1 - product, -1, P) % P)


def multiply(number, point=BASE):
    total = (0, 1)
    while number:
        if number & 1:
            total = add(total, point)
        point = add(point, point)
        number >>= 1
    return total


def encode(point):
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point of 32 bytes and how they break 5.1.3, or None if there is no point."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number % 2**255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square:
        return None
    fault = "y isn't below p" if y >= P else "-0" if x == 0 and sign else None
    return (x if x & 1 == sign else -x % P, y % P), fault


def hash_number(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def sign(seed, message, entropy=b""):
    """5.1.6, or with entropy draft-irtf-cfrg-det-sigs-with-noise-05, 3: half of the hash of prefix and Z is the prefix."""
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    prefix = digest[32:]
    if entropy:
        prefix = hashlib.sha512(prefix + entropy).digest()[:32]
    r = hash_number(prefix, message)
    first = encode(multiply(r))
    k = hash_number(first, encode(multiply(scalar)), message)
    return first + ((r + k * scalar) % L).to_bytes(32, "little")
