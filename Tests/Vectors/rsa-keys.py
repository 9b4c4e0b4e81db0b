# SPDX-License-Identifier: Apache-2.0
# Prints rsa-keys.txt: RSA keys in every form, written by OpenSSL, and signatures of border numbers by Python's pow.

import subprocess

from rsa_keys.der import ATTRIBUTES, RSA_ENCRYPTION, pkcs8, private_key, public_key, spki
from rsa_keys.keys import keys


def openssl(*arguments, of):
    return subprocess.run(["openssl", *arguments], input=of, capture_output=True, check=True).stdout


def show(name, content):
    text = content.decode() if b"-----BEGIN" in content else content.hex()
    print(f"{name}: {text}".replace("\n", "\\n"))


def borders(n, p, q):
    """Numbers at the borders of the modulus, of its factors and of words."""
    yield from [0, 1, 2, n - 1, n - 2, p, q, p - 1, p + 1, q - 1, q + 1, n - p, n - q, 2 * p, n - 2 * q, 3 * q]
    for bits in [63, 64, 65, 127, 128, 511, 512, n.bit_length() // 2 - 1, n.bit_length() // 2, n.bit_length() - 1]:
        yield from [2**bits, 2**bits - 1]
    yield int("ffffffff00000000" * (n.bit_length() // 64), 16) % n
    yield int("aaaaaaaaaaaaaaaa" * (n.bit_length() // 64), 16) % n


print("# Printed by rsa-keys.py: keys of Project Wycheproof, each with its primes in either order, in the forms that OpenSSL")
print("# 3 writes; `power` is a number and the number to the power of d, by Python.")
for size, first, second, e in keys():
    for p, q in [(first, second), (second, first)]:
        der = pkcs8(private_key(p, q, e))
        print()
        print(f"name: {size} bits, p {'above' if p > q else 'below'} q")
        forms = {
            "pkcs8": openssl("pkcs8", "-topk8", "-nocrypt", "-inform", "DER", "-outform", "DER", of=der),
            "pkcs8 pem": openssl("pkey", "-inform", "DER", of=der),
            "pkcs8 with attributes": pkcs8(private_key(p, q, e), rest=ATTRIBUTES),
            "pkcs1": openssl("rsa", "-inform", "DER", "-traditional", "-outform", "DER", of=der),
            "pkcs1 pem": openssl("rsa", "-inform", "DER", "-traditional", of=der),
            "public": openssl("pkey", "-inform", "DER", "-pubout", "-outform", "DER", of=der),
            "public pem": openssl("pkey", "-inform", "DER", "-pubout", of=der),
            "public pkcs1": openssl("rsa", "-inform", "DER", "-RSAPublicKey_out", "-outform", "DER", of=der),
            "public pkcs1 pem": openssl("rsa", "-inform", "DER", "-RSAPublicKey_out", of=der),
        }
        without_null = {
            "pkcs8 without null": pkcs8(private_key(p, q, e), algorithm=RSA_ENCRYPTION),
            "public without null": spki(public_key(p * q, e), algorithm=RSA_ENCRYPTION),
        }
        assert openssl("pkey", "-inform", "DER", of=forms["pkcs8 with attributes"]) == forms["pkcs8 pem"]
        assert openssl("pkey", "-inform", "DER", of=without_null["pkcs8 without null"]) == forms["pkcs8 pem"]
        assert openssl("pkey", "-inform", "DER", "-pubin", of=without_null["public without null"]) == forms["public pem"]
        forms |= without_null
        for name, old, new, options in [
                ("pkcs8 pem", b"PRIVATE", b"RSA PRIVATE", []), ("pkcs1 pem", b"RSA PRIVATE", b"PRIVATE", []),
                ("public pem", b"PUBLIC", b"RSA PUBLIC", ["-pubin"]),
                ("public pkcs1 pem", b"RSA PUBLIC", b"PUBLIC", ["-pubin"])]:
            labeled = forms[name].replace(old, new)
            assert openssl("pkey", *options, of=labeled) == forms["public pem" if options else "pkcs8 pem"]
            forms[name + " with the other label"] = labeled
        for name, options in [("pkcs8 pem", []), ("public pkcs1 pem", ["-pubin"])]:
            surrounded = b"Key Attributes: <No Attributes>\n" + forms[name] + b"The key ends here.\n"
            assert openssl("pkey", *options, of=surrounded) == forms["public pem" if options else "pkcs8 pem"]
            forms[name + " in text"] = surrounded
        for name, content in forms.items():
            show(name, content)
        n, d = p * q, pow(e, -1, (p - 1) * (q - 1))
        for number in borders(n, p, q):
            print(f"power: {number:0{size // 4}x} {pow(number, d, n):0{size // 4}x}")
