# SPDX-License-Identifier: Apache-2.0
# Prints encodings.txt: bytes of every value and of lengths 0 to 70 as base64 and hexadecimal text.

import base64
import hashlib


def show(name, data):
    url_safe = base64.urlsafe_b64encode(data).decode()
    print()
    print("name:", name)
    for field, value in [
        ("hexadecimal", data.hex()),
        ("base64", base64.b64encode(data).decode()),
        ("base64url", url_safe),
        ("unpadded", url_safe.rstrip("=")),
    ]:
        print(f"{field}: {value}" if value else f"{field}:")


print("# Printed by encodings.py, which uses base64 of Python.")
for length in range(71):
    show(f"{length} bytes", hashlib.shake_256(b"%d" % length).digest(length))
for shift in range(3):
    show(f"every byte value after {shift} zeros", bytes(shift) + bytes(range(256)))
