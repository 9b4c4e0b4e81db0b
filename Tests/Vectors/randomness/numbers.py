# SPDX-License-Identifier: Apache-2.0
# Numbers that are next to the edges of words or of a modulus more often than by chance.

WORDS = [0, 1, 2**64 - 1, 2**64 - 2, 2**63, 2**32 - 1, 2**32]


def number(generator, modulus):
    """Each word is of one of eight kinds; one number of eight lies next to zero or to the modulus."""
    kind = generator.next() % 16
    if kind < 2:
        near = generator.next() % 4
        return modulus - 1 - near if kind else near
    words = []
    for _ in range(4):
        choice = generator.next() % 8
        words.append(WORDS[choice] if choice < 7 else generator.next())
    return sum(word << 64 * index for index, word in enumerate(words)) % modulus
