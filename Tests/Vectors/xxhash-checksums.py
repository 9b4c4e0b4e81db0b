# SPDX-License-Identifier: Apache-2.0
# Prints xxhash-checksums.txt: XXH64 and XXH3 with the seed 0, by the package xxhash.

import hashlib

import xxhash

from randomness.xorshift import Xorshift64

FUNCTIONS = {"xxh64": xxhash.xxh64_digest, "xxh3": xxhash.xxh3_64_digest, "xxh128": xxhash.xxh3_128_digest}

# The values that xxhsum checks itself with (cli/xsum_sanity_check.c of xxHash 0.8.3), of a message that it generates.
PUBLISHED = {
    "xxh64": {0: "ef46db3751d8e999", 1: "e934a84adb052768", 4: "9136a0dca57457ee", 14: "8282dcc4994e35c8",
              222: "b641ae8cb691c174"},
    "xxh3": {0: "2d06800538d394c2", 1: "c44bdff4074eecdb", 6: "27b56a84cd2d7325", 12: "a713daf0dfbb77e7",
             24: "a3fe70bf9d3510eb", 48: "397da259ecba1f11", 80: "bcdefbbb2c47c90a", 195: "cd94217ee362ec3a",
             403: "cdeb804d65c6dea4", 512: "617e49599013cb6b", 2048: "dd59e2c3a5f038e0", 2240: "6e73a90539cf2948",
             2367: "cb37aeb9e5d361ed"},
    "xxh128": {0: "99aa06d3014798d86001c324468d497f", 1: "a6cd5e9392000f6ac44bdff4074eecdb",
               6: "082afe0b8162d12a3e7039bdda43cfc6", 12: "6e3efd8fc7802b18061a192713f69ad9",
               24: "0ce966e4678d37611e7044d28b1b901d", 48: "a002ac4e5478227ef942219aed80f67b",
               81: "4952f58181ab00425e8bafb9f95fb803", 222: "337e09641b948717f1aebd597cec6b3a",
               403: "1b6de21e332dd73dcdeb804d65c6dea4", 512: "18d2d110dcc9bca1617e49599013cb6b",
               2048: "f736557fd47073a5dd59e2c3a5f038e0", 2240: "ccb134fbfa7ce49d6e73a90539cf2948",
               2367: "e89c0f6ff369b427cb37aeb9e5d361ed"},
}


def generated(length):
    """The message of xxhsum's self-test."""
    state, message = 2654435761, bytearray()
    for _ in range(length):
        message.append(state >> 56)
        state = state * 11400714785074694797 % 2**64
    return bytes(message)


print("# Printed by xxhash-checksums.py: XXH64 and XXH3, seed 0, big-endian, by the package xxhash.")

for name, digests in PUBLISHED.items():
    for length, digest in digests.items():
        message = generated(length)
        assert FUNCTIONS[name](message).hex() == digest, (name, length)
        print()
        print(f"name: {name} of {length} bytes, published")
        print("function:", name)
        print("message:", message.hex())
        print("digest:", digest)

# Each message is the beginning of one. Short ones are computed in many ways, up to 240 bytes.
SEED, LARGE = 0xA0761D6478BD642F, [3_001, 4_095, 4_096, 4_097, 65_536, 65_549, 1_000_003]
WHOLE = Xorshift64(SEED).bytes(max(LARGE))
for name, function in FUNCTIONS.items():
    print()
    print(f"name: {name}, every length")
    print(f"seed: {SEED:016x}")
    for length in range(301):
        print("digest:", function(WHOLE[:length]).hex())
    digests = b"".join(function(WHOLE[:length]) for length in range(3_001))
    print("sha256 of the digests of 0 to 3000 bytes:", hashlib.sha256(digests).hexdigest())
    for length in LARGE:
        print("large:", length)
        print("large digest:", function(WHOLE[:length]).hex())
