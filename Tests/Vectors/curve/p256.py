# SPDX-License-Identifier: Apache-2.0
# P-256 and ECDSA with Python's integers: plain affine arithmetic, and the nonces of RFC 6979.

import hashlib
import hmac

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(a, b):
    """The sum of two points; None is infinity."""
    if a is None or b is None:
        return a or b
    if a[0] == b[0] and (a[1] + b[1]) % P == 0:
        return None
    if a == b:
        slope = (3 * a[0] ** 2 - 3) * pow(2 * a[1], -1, P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, P)
    x = (slope**2 - a[0] - b[0]) % P
    return x, (slope * (a[0] - x) - a[1]) % P


def multiply(number, point=G):
    total = None
    while number:
        if number & 1:
            total = add(total, point)
        point = add(point, point)
        number >>= 1
    return total


def code(key, *parts):
    return hmac.digest(key, b"".join(parts), "sha256")


def nonces(key, digest, entropy=b""):
    """RFC 6979, 3.2; entropy is the additional data of 3.6."""
    secret = key.to_bytes(32, "big")
    hashed = (int.from_bytes(digest, "big") % N).to_bytes(32, "big")
    k, v = bytes(32), b"\1" * 32
    for byte in [b"\0", b"\1"]:
        k = code(k, v, byte, secret, hashed, entropy)
        v = code(k, v)
    while True:
        v = code(k, v)
        candidate = int.from_bytes(v, "big")
        if 0 < candidate < N:
            yield candidate
        k = code(k, v, b"\0")
        v = code(k, v)


def sign(key, message, entropy=b""):
    digest = hashlib.sha256(message).digest()
    for nonce in nonces(key, digest, entropy):
        r = multiply(nonce)[0] % N
        s = pow(nonce, -1, N) * (int.from_bytes(digest, "big") + r * key) % N
        if r and s:
            return r, s


def der_length(count):
    return bytes([count]) if count < 0x80 else bytes([0x81, count])


def der(identifier, *contents):
    content = b"".join(contents)
    return bytes([identifier]) + der_length(len(content)) + content


def der_integer(number):
    return der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def der_signature(r, s):
    return der(0x30, der_integer(r), der_integer(s))


ALGORITHM = der(0x30, bytes.fromhex("06072A8648CE3D0201"), bytes.fromhex("06082A8648CE3D030107"))


def raw(point):
    return point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")


def der_public_key(point):
    return der(0x30, ALGORITHM, der(3, b"\0\4", raw(point)))


def der_private_key(key, point, rest=b""):
    """PKCS #8 with the public key, as OpenSSL writes it."""
    inner = der(0x30, b"\2\1\1", der(4, key.to_bytes(32, "big")), der(0xA1, der(3, b"\0\4", raw(point))))
    return der(0x30, b"\2\1\0", ALGORITHM, der(4, inner), rest)
