# SPDX-License-Identifier: Apache-2.0
# Prints checksums.txt: what S3 asks for beside SHA-256, by zlib, hashlib and plain polynomials.

import base64
import hashlib
import zlib

from randomness.xorshift import Xorshift64


class Check:
    """A check as the textbook has it: the remainder of a polynomial, the highest power first."""

    def __init__(self, width, polynomial):
        self.width = width
        self.polynomial = 1 << width | polynomial
        self.table = [self.remainder(byte << width) for byte in range(256)]

    def remainder(self, number):
        while number.bit_length() > self.width:
            number ^= self.polynomial << number.bit_length() - self.polynomial.bit_length()
        return number

    def reversed(self, number):
        return int(f"{number:0{self.width}b}"[::-1], 2)

    def bit_by_bit(self, message):
        """One long division. Bytes come lowest bit first; begin and end are inverted."""
        bits = "".join(f"{byte:08b}"[::-1] for byte in message)
        ones = (1 << self.width) - 1
        number = int("0" + bits, 2) << self.width ^ ones << len(bits)
        return self.reversed(self.remainder(number) ^ ones)

    def byte_by_byte(self, message):
        ones = register = (1 << self.width) - 1
        swapped = bytes(int(f"{n:08b}"[::-1], 2) for n in range(256))
        for byte in message.translate(swapped):
            index = register >> self.width - 8 ^ byte
            register = register << 8 & ones ^ self.table[index]
        return self.reversed(register ^ ones)

    def __call__(self, message):
        value = self.byte_by_byte(message) if len(message) > 400 else self.bit_by_bit(message)
        return value.to_bytes(self.width // 8, "big")

    def combined(self, first, second, second_byte_count):
        """The product of the first checksum and x^(8 * count), and the second one."""
        power, square, left = 1, 2, 8 * second_byte_count
        while left:
            if left & 1:
                power = self.product(power, square)
            square = self.product(square, square)
            left >>= 1
        moved = self.product(self.reversed(int.from_bytes(first, "big")), power)
        value = self.reversed(moved) ^ int.from_bytes(second, "big")
        return value.to_bytes(self.width // 8, "big")

    def product(self, a, b):
        number = 0
        while b:
            if b & 1:
                number ^= a
            a <<= 1
            b >>= 1
        return self.remainder(number)


def zlib_check(message):
    return zlib.crc32(message).to_bytes(4, "big")


# The polynomials of ISO 3309, of RFC 3720, appendix B.4, and of the NVM Command Set Specification,
# 5.2.1.3.4, where they stand with the highest power first.
IEEE = Check(32, 0x04C11DB7)
CHECKS = {
    "crc32": IEEE,
    "crc32c": Check(32, 0x1EDC6F41),
    "crc64nvme": Check(64, 0xAD93D23594C93659),
}
FUNCTIONS = {
    "crc32": zlib_check,
    "crc32c": CHECKS["crc32c"],
    "crc64nvme": CHECKS["crc64nvme"],
    "sha1": lambda message: hashlib.sha1(message).digest(),
    "md5": lambda message: hashlib.md5(message).digest(),
}

# The published check values: of "123456789", and of the tests of RFC 3720, appendix B.4.
assert CHECKS["crc32"](b"123456789").hex() == "cbf43926"
assert CHECKS["crc32c"](b"123456789").hex() == "e3069283"
assert CHECKS["crc64nvme"](b"123456789").hex() == "ae8b14860a799888"
assert CHECKS["crc32c"](bytes(32))[::-1].hex() == "aa36918a"
assert CHECKS["crc32c"](b"\xff" * 32)[::-1].hex() == "43aba862"
assert CHECKS["crc32c"](bytes(range(32)))[::-1].hex() == "4e79dd46"
# What is computed here, and zlib.
for length in range(600):
    example = Xorshift64(length + 1).bytes(length)
    assert IEEE(example) == zlib_check(example)
    assert IEEE.bit_by_bit(example) == IEEE.byte_by_byte(example)

print("# Printed by checksums.py: CRC-32 by zlib, the others of their kind by division of polynomials,")
print("# SHA-1 and MD5 by hashlib. Checksums are big-endian.")

MESSAGES = {
    "empty": ("", 1),
    "a": ("a", 1),
    "123456789": ("123456789", 1),
    "hello world": ("hello world", 1),
    "66,560 times a": ("a", 66_560),
}
for name, (text, count) in MESSAGES.items():
    print()
    print("name:", name)
    print(f"text: {text}".rstrip())
    print("repeated:", count)
    for function, compute in FUNCTIONS.items():
        digest = compute(text.encode() * count)
        print(f"{function}: {digest.hex()}")
        print(f"{function} in base64: {base64.b64encode(digest).decode()}")

# Registers of 256 bits take messages from 512 bytes on, 128 bytes at a time.
EVERY = {"sha1": range(301), "md5": range(301)}
LARGE = [1_000, 4_095, 4_096, 65_549, 1_000_003]
for number, (function, compute) in enumerate(FUNCTIONS.items()):
    for name, lengths in (("every length", EVERY.get(function, range(781))), ("large", LARGE)):
        seed = 0x94D049BB133111EB + number
        generator = Xorshift64(seed)
        print()
        print(f"name: {function}, {name}")
        print(f"seed: {seed:016x}")
        for length in lengths:
            print("length:", length)
            print("digest:", compute(generator.bytes(length)).hex())

SIZES = [0, 1, 7, 2**20 + 1, 2**33 + 7, 5 * 2**30, 2**61 - 1, 2**63 + 5, 2**64 - 1]
for number, (function, check) in enumerate(CHECKS.items()):
    seed = 0xD6E8FEB86659FD93 + number
    generator = Xorshift64(seed)
    left, right = generator.bytes(1_000), generator.bytes(777)
    assert check.combined(check(left), check(right), len(right)) == check(left + right)
    for size in SIZES:
        first, second = generator.bytes(check.width // 8), generator.bytes(check.width // 8)
        print()
        print(f"name: {function}, {size} bytes more")
        print("first:", first.hex())
        print("second:", second.hex())
        print(f"second byte count: {size:016x}")
        print("combined:", check.combined(first, second, size).hex())
