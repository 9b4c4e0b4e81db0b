# SPDX-License-Identifier: Apache-2.0
# Choices by a seed, for generated setups.

import hashlib


class Choices:
    """The same choices with every version of Python."""

    def __init__(self, seed):
        self.seed = seed
        self.count = 0

    def one(self, *values):
        self.count += 1
        digest = hashlib.sha256(f"{self.seed}/{self.count}".encode()).digest()
        return values[int.from_bytes(digest[:8], "big") % len(values)]
