# SPDX-License-Identifier: Apache-2.0
# Prints message-signatures.txt: random messages with their signature bases by PyPI's http-message-signatures, signed by
# the package cryptography with the test keys of RFC 9421, B.1.

import base64
import datetime
import random
from pathlib import Path

import http_message_signatures as peer
from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from http_messages.random_messages import identifiers, random_request, response_identifiers, response_to

RANDOM = random.Random(9421)
COUNT = 240


def published_keys():
    table = Path(__file__).with_name("message-signatures-published.txt").read_text(encoding="utf-8")
    keys = {}
    for record in table.split("\n\n"):
        values = dict(line.split(": ", 1) for line in record.split("\n") if ": " in line and not line.startswith("#"))
        if values.get("name", "").startswith("key "):
            keys[values["name"][4:]] = {name: value.replace("\\n", "\n") for name, value in values.items()}
    return keys


KEYS = published_keys()
SECRET = base64.b64decode(KEYS["test-shared-secret"]["secret"])


def private(name):
    return serialization.load_pem_private_key(KEYS[name]["private"].encode(), None)


def with_hmac(base):
    code = hmac.HMAC(SECRET, hashes.SHA256())
    code.update(base)
    return code.finalize()


def with_p256(base):
    # RFC 6979, so that the table is the same each time.
    numbers = decode_dss_signature(
        private("test-key-ecc-p256").sign(base, ec.ECDSA(hashes.SHA256(), deterministic_signing=True)))
    return b"".join(number.to_bytes(32, "big") for number in numbers)


ALGORITHMS = {
    "test-shared-secret": (peer.algorithms.HMAC_SHA256, with_hmac),
    "test-key-ecc-p256": (peer.algorithms.ECDSA_P256_SHA256, with_p256),
    "test-key-ed25519": (peer.algorithms.ED25519, lambda base: private("test-key-ed25519").sign(base)),
    "test-key-rsa": (peer.algorithms.RSA_V1_5_SHA256,
                     lambda base: private("test-key-rsa").sign(base, padding.PKCS1v15(), hashes.SHA256())),
}


def escaped(text):
    for old, new in [("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t")]:
        text = text.replace(old, new)
    return text[:-1] + "\\x20" if text.endswith(" ") else text


def write(name, value):
    print(f"{name}: {escaped(value)}" if value else f"{name}:")


def write_message(message, prefix=""):
    if hasattr(message, "status_code"):
        write("status", str(message.status_code))
    else:
        write(prefix + "method", message.method)
        write(prefix + "url", message.url)
    for name, value in message.headers.items():
        write(prefix + "field", f"{name}:{value}")


print("# Printed by message-signatures.py: random requests and responses, what is covered of them, and the signature base")
print("# (http-message-signatures 3.0), signed with the test keys of RFC 9421 (cryptography 48). A field is `NAME:VALUE`.")
for number in range(COUNT):
    key, (algorithm, sign) = RANDOM.choice(list(ALGORITHMS.items()))
    body = RANDOM.randbytes(RANDOM.randrange(40))
    message, names = random_request(RANDOM, body)
    pool = identifiers(message, names, True)
    if RANDOM.random() < 0.3:
        message = response_to(RANDOM, message, body)
        pool = response_identifiers(message, names, True)
    created = datetime.datetime.fromtimestamp(1_700_000_000 + RANDOM.randrange(10**7), datetime.timezone.utc)
    prepared = peer.HTTPMessageSigner(signature_algorithm=algorithm).prepare(
        message, key_id=key, created=created, label=f"sig-{number}", include_alg=RANDOM.choice([True, False]),
        nonce=RANDOM.choice([None, 'n/+=\\"' + str(RANDOM.random())]),
        expires=RANDOM.choice([None, created + datetime.timedelta(seconds=300)]),
        covered_component_ids=RANDOM.sample(pool, RANDOM.randrange(1, 9)), use_existing_digest=True)
    base = prepared.signature_base if isinstance(prepared.signature_base, bytes) else prepared.signature_base.encode()
    print()
    write("name", f"random message {number}")
    write("kind", "signature")
    write_message(message)
    if hasattr(message, "request"):
        write_message(message.request, "request-")
    write("body", body.hex())
    write("label", f"sig-{number}")
    write("key", key)
    write("algorithm", algorithm.algorithm_id)
    write("input", base.decode().rpartition('"@signature-params": ')[2])
    write("base", base.decode())
    write("signature", base64.b64encode(sign(base)).decode())
