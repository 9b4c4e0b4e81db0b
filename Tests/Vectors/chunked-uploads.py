# SPDX-License-Identifier: Apache-2.0
# Prints chunked-uploads.txt: chunked uploads of generated bodies, and the digest of what is sent.

import base64
import hashlib
import zlib

from chunks.framing import HOST, encode
from randomness.xorshift import Xorshift64


def checksums(body):
    """Trailers whose values Python computes."""
    return {
        "x-amz-checksum-sha256": base64.b64encode(hashlib.sha256(body).digest()).decode(),
        "x-amz-checksum-sha1": base64.b64encode(hashlib.sha1(body).digest()).decode(),
        "x-amz-checksum-crc32": base64.b64encode(zlib.crc32(body).to_bytes(4, "big")).decode(),
    }


def show(name, kind, seed, size, lengths, names):
    """One record: the digest of everything that is sent for bodies of these lengths."""
    generator = Xorshift64(seed)
    total = hashlib.sha256()
    sent_length = 0
    for length in lengths:
        body = generator.bytes(length)
        values = {name: value for name, value in checksums(body).items() if name in names}
        sent = encode(kind, body, size, values)
        total.update(sent)
        sent_length += len(sent)
        if len(lengths) == 1:
            last = values
    print()
    print("name:", name)
    print("kind:", kind)
    print(f"seed: {seed:016x}")
    print("chunk-length:", size)
    print("first-length:", lengths[0])
    print("last-length:", lengths[-1])
    for trailer in names:
        print("trailer:", trailer)
        if len(lengths) == 1:
            print("trailer-value:", last[trailer])
    print("encoded-length:", sent_length)
    print("digest:", total.hexdigest())


print("# Printed by chunked-uploads.py, which uses hashlib, hmac and zlib of Python.")
print("# The seed gives the bodies, one after the other; the digest is that of all that is sent for")
print("# bodies of first-length to last-length bytes. The request is PUT https://" + HOST + "/")

number = 0
SHA1, SHA256, CRC32 = "x-amz-checksum-sha1", "x-amz-checksum-sha256", "x-amz-checksum-crc32"
for kind in ("signed", "unsigned"):
    for length, size, names in [
        (0, 65_536, []),
        (0, 65_536, [CRC32]),
        (1, 8_192, []),
        (10, 65_536, [SHA256]),
        (65_536, 65_536, []),
        (65_546, 65_536, [SHA1, CRC32]),
        (131_072, 65_536, [CRC32]),
        (200_000, 8_192, [SHA256, SHA1, CRC32]),
        (300_001, 8_193, []),
        (1_000_000, 100_000, [CRC32]),
        (1_000_000, 2_000_000, [SHA256]),
    ]:
        number += 1
        seed = 0x9E3779B97F4A7C15 + number
        trailers = f", {len(names)} trailers" if names else ""
        show(f"{kind}, {length} bytes in chunks of {size}{trailers}", kind, seed, size, [length], names)
    for middle in (8_192, 16_384, 24_576):
        number += 1
        seed = 0x9E3779B97F4A7C15 + number
        lengths = range(middle - 70, middle + 71)
        show(f"{kind}, every length around {middle}", kind, seed, 8_192, lengths, [])
