# SPDX-License-Identifier: Apache-2.0
# Prints event-streams.txt: event messages with headers of every type, and signed streams of them.

import datetime
import hashlib
import hmac
import struct
import zlib

from randomness.xorshift import Xorshift64

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"


NUMBERS = {2: ">b", 3: ">h", 4: ">i", 5: ">q", 8: ">q"}
TEXTS = ["", "a", "application/json", "été", "😀 text", "x" * 300]
NAMES = [":message-type", "n", "naïve", "with space", "y" * 255]


def header(name, kind, value):
    """A header as it stands in a message."""
    encoded = name.encode()
    field = bytes([len(encoded)]) + encoded + bytes([kind])
    if kind in NUMBERS:
        return field + struct.pack(NUMBERS[kind], value)
    if kind in (6, 7):
        value = value.encode() if kind == 7 else value
        return field + struct.pack(">H", len(value)) + value
    return field + (value if kind == 9 else b"")


def message(headers, payload):
    """A whole message; its headers are encoded already."""
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    prelude += struct.pack(">I", zlib.crc32(prelude))
    return prelude + headers + payload + struct.pack(">I", zlib.crc32(prelude + headers + payload))


def random_header(generator):
    """A name, a type and a value."""
    kind = generator.next() % 10
    name = NAMES[generator.next() % len(NAMES)]
    if kind in NUMBERS:
        size = struct.calcsize(NUMBERS[kind])
        return name, kind, struct.unpack(NUMBERS[kind], generator.bytes(8)[:size])[0]
    if kind == 6:
        return name, kind, generator.bytes(generator.next() % 40)
    if kind == 7:
        return name, kind, TEXTS[generator.next() % len(TEXTS)]
    return name, kind, generator.bytes(16) if kind == 9 else None


def shown(value):
    if value is None:
        return ""
    return value.hex() if isinstance(value, bytes) else str(value)


def sign(day, *lines):
    key = ("AWS4" + SECRET).encode()
    for part in (day, "us-east-1", "transcribe", "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return hmac.digest(key, "\n".join(lines).encode(), "sha256")


def stream(seed_signature, start, payloads):
    """The signed messages of a stream: one every second, and the end."""
    previous = seed_signature
    sent = b""
    for number, payload in enumerate(payloads + [b""]):
        moment = start + datetime.timedelta(seconds=number)
        day, date = moment.strftime("%Y%m%d"), moment.strftime("%Y%m%dT%H%M%SZ")
        milliseconds = int(moment.timestamp()) * 1000
        field = header(":date", 8, milliseconds)
        digests = [hashlib.sha256(part).hexdigest() for part in (field, payload)]
        scope = day + "/us-east-1/transcribe/aws4_request"
        code = sign(day, "AWS4-HMAC-SHA256-PAYLOAD", date, scope, previous, *digests)
        sent += message(field + header(":chunk-signature", 6, code), payload)
        previous = code.hex()
    return sent


print("# Printed by event-streams.py, which uses hashlib, hmac, struct and zlib of Python.")
print("# header: type, name=value; a value of type 6 or 9 is in hexadecimal digits, as are the payload")
print("# and the encoded message. A stream: messages of the bytes of the payloads, one each second from")
print("# date on, and the end; digest: SHA-256 of all that is sent.")
generator = Xorshift64(0xD1B54A32D192ED03)
for number in range(60):
    fields = [random_header(generator) for _ in range(generator.next() % 6)]
    payload = generator.bytes(generator.next() % 60)
    encoded = message(b"".join(header(*field) for field in fields), payload)
    print()
    print("name: message", number)
    for name, kind, value in fields:
        print(f"header: {kind} {name}={shown(value)}")
    print("payload:", payload.hex())
    print("encoded:", encoded.hex())

for name, start in [
    ("an ordinary day", datetime.datetime(2024, 5, 17, 9, 30, 0, tzinfo=datetime.timezone.utc)),
    ("over midnight", datetime.datetime(2024, 12, 31, 23, 59, 57, tzinfo=datetime.timezone.utc)),
    ("before 1970", datetime.datetime(1969, 12, 31, 23, 59, 58, tzinfo=datetime.timezone.utc)),
]:
    seed = generator.bytes(32).hex()
    payloads = [generator.bytes(1 + generator.next() % 40) for _ in range(6)]
    print()
    print("name: stream", name)
    print("region: us-east-1")
    print("service: transcribe")
    print("date:", start.strftime("%Y%m%dT%H%M%SZ"))
    print("seed:", seed)
    for payload in payloads:
        print("event:", payload.hex())
    print("digest:", hashlib.sha256(stream(seed, start, payloads)).hexdigest())
