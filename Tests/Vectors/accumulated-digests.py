# SPDX-License-Identifier: Apache-2.0
# Prints accumulated-digests.txt: many generated inputs, checked by one digest over all outputs.

import hashlib
import hmac

from randomness.xorshift import Xorshift64


def every_length(generator):
    for length in range(261):
        yield hashlib.sha256(generator.bytes(length)).digest()


def messages(generator):
    for _ in range(100_000):
        length = generator.next() % 301
        yield hashlib.sha256(generator.bytes(length)).digest()


def keyed_messages(generator):
    for _ in range(100_000):
        key = generator.bytes(generator.next() % 201)
        message = generator.bytes(generator.next() % 301)
        yield hmac.digest(key, message, "sha256")


def left_ladder(generator):
    """The digest of a message of each length, and its code under the key of both ladders."""
    for length in range(301):
        message = generator.bytes(length)
        yield hashlib.sha256(message).digest()
        yield hmac.digest(b"key of both ladders", message, "sha256")


def right_ladder(generator):
    yield from left_ladder(generator)


def batches(generator, number=2_000):
    """Up to 40 messages at a time, most of them short: slices of 4,096 bytes. Of each the digest,
    and the code under the 32 bytes before the slice."""
    pool = generator.bytes(4096)
    for _ in range(number):
        for _ in range(generator.next() % 41):
            length = generator.next() % (2001 if generator.next() % 8 == 0 else 201)
            start = 32 + generator.next() % (4096 - 32 - length + 1)
            message = pool[start : start + length]
            yield hashlib.sha256(message).digest()
            yield hmac.digest(pool[start - 32 : start], message, "sha256")


def many_batches(generator):
    yield from batches(generator, 100_000)


print("# Printed by accumulated-digests.py, which uses hashlib and hmac of Python.")
TABLES = [
    every_length, messages, keyed_messages, left_ladder, right_ladder, batches, many_batches
]
for number, outputs in enumerate(TABLES):
    seed = 0x9E3779B97F4A7C15 + number
    accumulated = hashlib.sha256()
    count = 0
    for output in outputs(Xorshift64(seed)):
        accumulated.update(output)
        count += 1
    print()
    print("name:", outputs.__name__.replace("_", " "))
    print(f"seed: {seed:016x}")
    print("count:", count)
    print("digest:", accumulated.hexdigest())
