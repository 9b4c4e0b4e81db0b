# SPDX-License-Identifier: Apache-2.0
# The DER of RSA keys, put together by hand, so that it can be put together wrongly.

RSA_ENCRYPTION = bytes.fromhex("06092a864886f70d010101")
NULL = b"\x05\x00"
# The attributes of PKCS #8 (RFC 5958, 2) that Windows adds to keys: keyUsage (dotnet/runtime, issue 97932).
ATTRIBUTES = bytes.fromhex("a00d300b0603551d0f310403020080")


def value(identifier, content):
    length = len(content)
    if length < 0x80:
        head = bytes([length])
    else:
        size = (length.bit_length() + 7) // 8
        head = bytes([0x80 | size]) + length.to_bytes(size, "big")
    return bytes([identifier]) + head + content


def sequence(*parts):
    return value(0x30, b"".join(parts))


def integer(number):
    return value(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def public_key(n, e):
    return sequence(integer(n), integer(e))


def spki(key, algorithm=RSA_ENCRYPTION + NULL):
    return sequence(sequence(algorithm), value(3, b"\0" + key))


def private_key(first, second, exponent, **changed):
    """An RSAPrivateKey, with some of its numbers in place of the right ones."""
    d = pow(exponent, -1, (first - 1) * (second - 1))
    numbers = dict(version=0, n=first * second, e=exponent, d=d, p=first, q=second, dp=d % (first - 1),
                   dq=d % (second - 1), qinv=pow(second, -1, first))
    return sequence(*map(integer, (numbers | changed).values()))


def pkcs8(key, algorithm=RSA_ENCRYPTION + NULL, version=0, rest=b""):
    return sequence(integer(version), sequence(algorithm), value(4, key), rest)
