# SPDX-License-Identifier: Apache-2.0
# Prints p256-signatures.txt: ECDSA with the nonces of RFC 6979, with integers of Python.

import hashlib
import itertools

from curve import p256
from randomness.xorshift import Xorshift64

# RFC 6979, A.2.5, with SHA-256: the key, and r and s of two messages.
KEY = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
PUBLISHED = {
    b"sample": (0xEFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716,
                0xF7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8),
    b"test": (0xF1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367,
              0x019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083),
}


def record(name, key, message, entropy=b""):
    r, s = p256.sign(key, message, entropy)
    print()
    print("name:", name)
    print(f"key: {key:064x}")
    print("public-key:", p256.raw(p256.multiply(key)).hex())
    print("message:", message.hex())
    print("entropy:", entropy.hex())
    print(f"signature: {r:064x}{s:064x}")
    print("der:", p256.der_signature(r, s).hex())


print("# Printed by p256-signatures.py, with integers of Python. RFC 6979 publishes the first two.")
for text, expected in PUBLISHED.items():
    assert p256.sign(KEY, text) == expected
    record(f"RFC 6979, A.2.5, {text.decode()}", KEY, text)
    for nonce in itertools.islice(p256.nonces(KEY, hashlib.sha256(text).digest()), 4):
        print(f"nonce: {nonce:064x}")
generator = Xorshift64(256)
edges = [1, 2, 3, p256.N - 1, p256.N - 2, 2**255, 2**128, 2**64 - 1, p256.N // 2]
for key in edges:
    record(f"key {key:x}", key, b"an edge")
for size in [0, 1, 31, 32, 33, 48, 64, 100]:
    key = int.from_bytes(generator.bytes(32), "big") % (p256.N - 1) + 1
    record(f"entropy of {size} bytes", key, generator.bytes(size), generator.bytes(size))

count, seed = 300, 257
generator = Xorshift64(seed)
digest = hashlib.sha256()
for _ in range(count):
    key = int.from_bytes(generator.bytes(32), "big")
    message = generator.bytes(64)
    if 0 < key < p256.N:
        digest.update(p256.der_signature(*p256.sign(key, message)))
print()
print("name: generated")
print("seed:", seed)
print("count:", count)
print("digest:", digest.hexdigest())
