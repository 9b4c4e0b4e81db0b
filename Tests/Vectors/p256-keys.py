# SPDX-License-Identifier: Apache-2.0
# Prints p256-keys.txt: keys in the forms that OpenSSL writes.

import base64
import subprocess

from curve import p256
from rsa_keys.der import ATTRIBUTES

HEAD = "-----BEGIN"


def openssl(*arguments, text):
    return subprocess.run(
        ["openssl", *arguments], input=text, capture_output=True, text=True, check=True).stdout


def sec1(key):
    inner = p256.der(0xA0, bytes.fromhex("06082A8648CE3D030107"))
    point = p256.der(0xA1, p256.der(3, b"\0\4", p256.raw(p256.multiply(key))))
    return block("EC PRIVATE KEY", p256.der(0x30, b"\2\1\1", p256.der(4, key.to_bytes(32, "big")), inner, point))


def block(label, encoded):
    lines = base64.encodebytes(encoded).decode().replace("\n", "")
    lines = [lines[start:start + 64] for start in range(0, len(lines), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def escaped(text):
    return text.replace("\n", "\\n")


def bytes_of(text):
    return base64.b64decode("".join(text.split("\n")[1:-2])).hex()


print("# Printed by p256-keys.py: keys in the forms that OpenSSL 3 writes.")
for number in [1, 2, p256.N - 1,
               0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721]:
    given = sec1(number)
    forms = {
        "pem": openssl("pkcs8", "-topk8", "-nocrypt", text=given),
        "sec1-pem": openssl("ec", text=given),
        "sec1-pem-without-public-key": openssl("ec", "-no_public", text=given),
        "public-pem": openssl("ec", "-pubout", text=given),
    }
    forms["pem-with-attributes"] = block(
        "PRIVATE KEY", p256.der_private_key(number, p256.multiply(number), ATTRIBUTES))
    forms["pem-labeled-sec1"] = forms["pem"].replace(" PRIVATE", " EC PRIVATE")
    forms["sec1-pem-labeled-pkcs8"] = forms["sec1-pem"].replace(" EC PRIVATE", " PRIVATE")
    for name in ["pem-with-attributes", "pem-labeled-sec1", "sec1-pem-labeled-pkcs8"]:
        assert openssl("pkey", text=forms[name]) == forms["pem"]
    bag = "Bag Attributes\n    friendlyName: key\nKey Attributes: <No Attributes>\n"
    surrounded = {
        "in-text": bag + forms["pem"] + "The key ends here.\n",
        "after-parameters": openssl("ecparam", "-name", "prime256v1", text="") + forms["sec1-pem"],
        "with-blanks": forms["pem"].replace("\n", " \t\n"),
        "public-after-text": "key 1\n" + forms["public-pem"],
    }
    for name, text in surrounded.items():
        options, form = (["-pubin"], "public-pem") if name.startswith("public") else ([], "pem")
        assert openssl("pkey", *options, text=text) == forms[form], name
    compressed = openssl("ec", "-pubout", "-conv_form", "compressed", text=given)
    print()
    print(f"name: key {number:x}")
    print(f"raw: {number:064x}")
    print("public-raw:", p256.raw(p256.multiply(number)).hex())
    for name, text in forms.items():
        assert text.startswith(HEAD), text
        print(f"{name}: {escaped(text)}")
        print(f"{name.replace('pem', 'der')}: {bytes_of(text)}")
    for name, text in surrounded.items():
        print(f"{name}: {escaped(text)}")
    print(f"public-compressed-pem: {escaped(compressed)}")
    print(f"public-compressed: {bytes_of(compressed)[-66:]}")
