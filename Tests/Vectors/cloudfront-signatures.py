# SPDX-License-Identifier: Apache-2.0
# Prints cloudfront-signatures.txt: URLs and cookies of CloudFront. botocore's CloudFrontSigner writes
# policies and URLs, and the package cryptography signs.
#
# botocore doesn't write the hash algorithm: with SHA-256 it's appended here, and cookies are made of the
# same parts, as the Amazon CloudFront Developer Guide says ("Create a signed URL using a canned policy",
# "Set signed cookies using a custom policy"). The RSA key is Project Wycheproof's, the P-256 key that of
# RFC 6979, A.2.5. ECDSA has the nonces of RFC 6979.

import base64
import datetime
import sys

sys.dont_write_bytecode = True

from botocore.signers import CloudFrontSigner
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from botocore_tables.signing import print_field
from rsa_keys.der import pkcs8, private_key
from rsa_keys.keys import keys as rsa_keys

NUMBER = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
HASHES = {"SHA1": SHA1, "SHA256": SHA256}


def rsa_key():
    _, p, q, e = next(iter(rsa_keys()))
    d = pow(e, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(e, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()


KEYS = {"rsa": rsa_key(), "p256": ec.derive_private_key(NUMBER, ec.SECP256R1())}


def signer(key, hash_name, pair):
    if key == "rsa":
        return CloudFrontSigner(pair, lambda text: KEYS[key].sign(text, padding.PKCS1v15(), HASHES[hash_name]()))
    algorithm = ec.ECDSA(HASHES[hash_name](), deterministic_signing=True)
    return CloudFrontSigner(pair, lambda text: KEYS[key].sign(text, algorithm))


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)


def show(name, url, expires, resource=None, starts=None, ip=None, key="rsa", hash_name="SHA256", pair="K2JCJMDEHXQW5F"):
    """A case: canned without a resource, otherwise custom."""
    by = signer(key, hash_name, pair)
    if resource is None:
        policy = by.build_policy(url, moment(expires))
        signed = by.generate_presigned_url(url, date_less_than=moment(expires))
    else:
        policy = by.build_policy(resource, moment(expires), moment(starts) if starts else None, ip)
        signed = by.generate_presigned_url(url, policy=policy)
    if hash_name == "SHA256":
        signed += "&Hash-Algorithm=SHA256"
    print()
    print_field("name", f"{name}, {key}, {hash_name}")
    print_field("key", key)
    print_field("hash", hash_name)
    print_field("key-pair-id", pair)
    print_field("url", url)
    print_field("expires", expires)
    for field, value in [("resource", resource), ("starts", starts), ("ip-address", ip)]:
        if value is not None:
            print_field(field, value)
    print_field("policy", policy)
    print_field("signed-url", signed)
    for part in signed[len(url) + 1:].split("&"):
        print_field("cookie", f"CloudFront-{part}")


def show_key(name):
    print()
    print_field("name", f"key {name}")
    key = KEYS[name]
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    traditional = key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for field, value in [("private-key", private), ("traditional-private-key", traditional), ("public-key", public)]:
        print_field(field, value)


def show_composite():
    """A key whose first factor isn't a prime, so its signatures are wrong."""
    _, p, q, e = next(iter(rsa_keys()))
    p = next(each for each in range(p + 2, p + 9999, 2) if pow(2, each - 1, each) != 1 and (each - 1) % e)
    text = base64.encodebytes(pkcs8(private_key(p, q, e))).decode()
    print()
    print_field("name", "key composite")
    print_field("private-key", f"-----BEGIN PRIVATE KEY-----\n{text}-----END PRIVATE KEY-----\n")


HOST = "https://d111111abcdef8.cloudfront.net"
CANNED = [
    ("the root", f"{HOST}/"),
    ("a file", f"{HOST}/images/image.jpg"),
    ("a query", f"{HOST}/image.jpg?color=red&size=medium"),
    ("escapes", f"{HOST}/a/b%20c.mp4?size=large&x=%2B%c3%A9"),
    ("an alternate domain, a port", "http://cdn.example.com:8080/x"),
    ("every character of a path", f"{HOST}/-._~!$&'()+,;=:@/%25"),
    ("brackets and bars in a query", f"{HOST}/a?filter[x]=1|2&b=/?"),
    ("an empty parameter at the end", f"{HOST}/a?x=1&"),
    ("names like CloudFront's", f"{HOST}/a?expires=1&policy&My-Signature=2&Key-Pair-Idx=3"),
    ("a long path", HOST + "/" + "a" * 2000),
]
CUSTOM = [
    ("one URL", f"{HOST}/a", f"{HOST}/a", None, None),
    ("a query", f"{HOST}/horizon.jpg?size=large&license=yes", f"{HOST}/horizon.jpg?size=large&license=yes", None, None),
    ("any file", f"{HOST}/films/a.mp4", f"{HOST}/films/*", None, None),
    ("any scheme", f"{HOST}/training/7?id=1", "http*://d111111abcdef8.cloudfront.net/training/*?id=1", 1704165000, None),
    ("anything", f"{HOST}/a", "*", None, None),
    ("one character", f"{HOST}/part7.ts", f"{HOST}/part?.ts", None, None),
    ("in the middle", f"{HOST}/test_game_download.zip?license=temp", f"{HOST}/*game_download.zip*", None, None),
    ("a start", f"{HOST}/a", f"{HOST}/*", 1704164645, None),
    ("an address", f"{HOST}/a", f"{HOST}/*", None, "203.0.113.7"),
    ("an address as a range", f"{HOST}/a", f"{HOST}/*", None, "203.0.113.7/32"),
    ("a range", f"{HOST}/a", f"{HOST}/*", None, "192.0.2.0/24"),
    ("all addresses", f"{HOST}/a", f"{HOST}/*", None, "0.0.0.0/0"),
    ("half of all addresses", f"{HOST}/a", f"{HOST}/*", None, "128.0.0.0/1"),
    ("everything", f"{HOST}/a?b=c", f"{HOST}/a?b=*", 1704164645, "198.51.100.128/25"),
]

print("# Printed by cloudfront-signatures.py: policies and URLs of botocore's CloudFrontSigner, signed by the package")
print("# cryptography, and two key pairs. `cookie` are the parts of the URL as cookies.")
show_key("rsa")
show_key("p256")
show_composite()
EXPIRES = 1704250000
for key, hash_name in [("rsa", "SHA256"), ("rsa", "SHA1"), ("p256", "SHA256")]:
    for index, (name, url) in enumerate(CANNED):
        show(f"canned, {name}", url, EXPIRES + index, key=key, hash_name=hash_name)
    for index, (name, url, resource, starts, ip) in enumerate(CUSTOM):
        show(f"custom, {name}", url, EXPIRES + 100 + index, resource, starts, ip, key, hash_name)
show("canned, the epoch's first second", f"{HOST}/", 1)
show("canned, the last second of 9999", f"{HOST}/", 253402300799)
show("canned, an older ID", f"{HOST}/", EXPIRES, pair="APKAEIBAERJR2EXAMPLE")
# CloudFront's default hash, SHA-1, with P-256: the library verifies it, and doesn't sign with it.
show("verified, canned", f"{HOST}/a?b=c", EXPIRES, key="p256", hash_name="SHA1")
show("verified, custom", f"{HOST}/films/a.mp4", EXPIRES, f"{HOST}/films/*", 1704164645, "192.0.2.0/24", "p256", "SHA1")
