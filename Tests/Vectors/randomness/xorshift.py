# SPDX-License-Identifier: Apache-2.0
# The generator of the messages that the tests draw again: the same numbers as TestSupport's.

MASK = 2**64 - 1


class Xorshift64:
    """Marsaglia's xorshift (Journal of Statistical Software 8, 14), shifts 13, 7 and 17."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        state = self.state
        state ^= state << 13 & MASK
        state ^= state >> 7
        state ^= state << 17 & MASK
        self.state = state
        return state

    def bytes(self, count):
        """The words drawn one after the other, little-endian; the last one may be cut."""
        words = (self.next().to_bytes(8, "little") for _ in range((count + 7) // 8))
        return b"".join(words)[:count]
