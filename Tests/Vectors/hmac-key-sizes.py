# SPDX-License-Identifier: Apache-2.0
# Prints hmac-key-sizes.txt: HMAC-SHA-256 under keys around the size of a block.

import hashlib
import hmac

print("# Printed by hmac-key-sizes.py, which uses hmac of Python.")
for key_size in [0, 1, 32, 63, 64, 65, 127, 128, 129, 131]:
    key = hashlib.shake_256(b"key %d" % key_size).digest(key_size)
    message = hashlib.shake_256(b"message %d" % key_size).digest(100)
    print()
    print(f"name: key of {key_size} bytes")
    print(f"key: {key.hex()}" if key else "key:")
    print("message:", message.hex())
    print("code:", hmac.digest(key, message, "sha256").hex())
