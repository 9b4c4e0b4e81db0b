# SPDX-License-Identifier: Apache-2.0
# Prints ed25519-signatures.txt: signatures of the package cryptography, and with entropy of Python's integers. Each
# comes with signatures that cryptography finds invalid.

import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from curve import edwards25519

SIZES = [*range(0, 40), 63, 64, 65, 79, 80, 95, 96, 111, 112, 127, 128, 129, 255, 256, 1023, 4096]


def data(name, size):
    return hashlib.shake_256(f"ed25519 {name}".encode()).digest(size)


def changed(signature, key):
    """Signatures that only look like this one."""
    s = int.from_bytes(signature[32:], "little")
    for more in [1, 2, 8, 15]:
        if s + more * edwards25519.L < 2**256:
            yield f"S + {more} L", signature[:32] + (s + more * edwards25519.L).to_bytes(32, "little")
    yield "-S", signature[:32] + (edwards25519.L - s).to_bytes(32, "little")
    yield "S = 0", signature[:32] + bytes(32)
    yield "the sign of R", signature[:31] + bytes([signature[31] ^ 128]) + signature[32:]
    yield "R is the key", key + signature[32:]
    yield "R is neutral", bytes([1]) + bytes(31) + signature[32:]
    yield "halves swapped", signature[32:] + signature[:32]
    for bit in range(0, 512, 73):
        yield f"bit {bit}", bytes(byte ^ (1 << bit % 8 if index == bit // 8 else 0) for index, byte in enumerate(signature))
    yield "a byte less", signature[:-1]
    yield "a byte more", signature + b"\0"
    yield "empty", b""


print("# Printed by ed25519-signatures.py: seeds and messages of SHAKE256, signed by cryptography; with entropy by Python's")
print("# integers (draft-irtf-cfrg-det-sigs-with-noise, 3). What is named invalid is so for cryptography.")
for size in SIZES:
    seed, message = data(f"seed {size}", 32), data(f"message {size}", size)
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public, signature = private.public_key(), private.sign(message)
    assert signature == edwards25519.sign(seed, message)
    entropy = data(f"entropy {size}", 32 if size % 3 else size + 1)
    noisy = edwards25519.sign(seed, message, entropy)
    public.verify(noisy, message)
    print()
    print(f"name: {size} bytes")
    print("seed:", seed.hex())
    print("public:", public.public_bytes_raw().hex())
    print("message:", message.hex())
    print("signature:", signature.hex())
    print("entropy:", entropy.hex())
    print("signature with entropy:", noisy.hex())
    for _, other in changed(signature, public.public_bytes_raw()) if size % 8 == 0 else []:
        try:
            public.verify(other, message)
            raise SystemExit("valid")
        except InvalidSignature:
            print("invalid:", other.hex())
