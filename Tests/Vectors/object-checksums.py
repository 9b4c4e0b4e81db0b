# SPDX-License-Identifier: Apache-2.0
# Prints object-checksums.txt: checksums of multipart uploads, by zlib, hashlib, xxhash and bit by bit.

import base64
import hashlib
import zlib

import xxhash


def reflected(polynomial, width):
    """A check that takes the bits of each byte from the lowest on, all ones before and after."""

    def check(message):
        remainder = ones = (1 << width) - 1
        for byte in message:
            remainder ^= byte
            for _ in range(8):
                remainder = remainder >> 1 ^ (polynomial if remainder & 1 else 0)
        return (remainder ^ ones).to_bytes(width // 8, "big")

    return check


CRC32C = reflected(0x82F63B78, 32)
CRC64NVME = reflected(0x9A6C9329AC4BC9B5, 64)
assert CRC32C(b"123456789").hex() == "e3069283"  # RFC 3720, appendix B.4
assert CRC64NVME(b"123456789").hex() == "ae8b14860a799888"  # NVM Express, 5.2.1.3.4

ALGORITHMS = {
    "CRC32": lambda message: zlib.crc32(message).to_bytes(4, "big"),
    "CRC32C": CRC32C,
    "CRC64NVME": CRC64NVME,
    "SHA1": lambda message: hashlib.sha1(message).digest(),
    "SHA256": lambda message: hashlib.sha256(message).digest(),
    "SHA512": lambda message: hashlib.sha512(message).digest(),
    "MD5": lambda message: hashlib.md5(message).digest(),
    "XXHASH64": lambda message: xxhash.xxh64(message).digest(),
    "XXHASH3": lambda message: xxhash.xxh3_64(message).digest(),
    "XXHASH128": lambda message: xxhash.xxh3_128(message).digest(),
    "Content-MD5": lambda message: hashlib.md5(message).digest(),
}

UPLOADS = [
    [b""],
    [b"one part"],
    [b"first part, ", b"second part"],
    [b"a" * 500, b"", b"b" * 70, b"c"],
    [bytes([number]) * (number + 1) for number in range(40)],
]


def base64_text(checksum):
    return base64.b64encode(checksum).decode()


print("# Printed by object-checksums.py: zlib, hashlib, xxhash, and the other checks bit by bit.")
print("# Parts are hexadecimal. The composite form as in the Amazon S3 User Guide,")
print("# \"Checking object integrity\": the checksum of the parts' checksums, '-', their number.")
for number, parts in enumerate(UPLOADS):
    for name, algorithm in ALGORITHMS.items():
        checksums = [algorithm(part) for part in parts]
        print()
        print(f"name: {name}, upload {number} of {len(parts)} parts")
        print(f"algorithm: {name}")
        for part, checksum in zip(parts, checksums):
            print(f"part: {part.hex()}".rstrip())
            print(f"checksum: {base64_text(checksum)}")
        print(f"composite: {base64_text(algorithm(b''.join(checksums)))}-{len(parts)}")
        print(f"whole: {base64_text(algorithm(b''.join(parts)))}")
