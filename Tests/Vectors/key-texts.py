# SPDX-License-Identifier: Apache-2.0
# Prints key-texts.txt: keys as people pass them. Those with `read` are read by the programs of that field, and have the
# public key `key` (SubjectPublicKeyInfo). The others are something else, or damaged: `words` and `fix` are in the message.
# `needed` is what the caller asks for: a private key (`only`: of one algorithm), a public key or a certificate.
#
# The package cryptography and OpenSSL 3 make the files. Where they use random salts, their output is only checked, and
# the table has the same structure with other content. Formats: RFC 7468 (PEM), 5958 (PKCS #8), 8017 (PKCS #1), 5915 (EC),
# 7292 (PKCS #12), 2315 (PKCS #7), 2986 (requests), 7517 (JWK), 9580 (OpenPGP), PROTOCOL.key of OpenSSH, PuTTY, appendix C.

import base64
import datetime
import json
import os
import subprocess
import sys
import tempfile
from unittest import mock

sys.dont_write_bytecode = True

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa, x25519
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat, PublicFormat, load_pem_private_key, load_pem_public_key, pkcs7)

from botocore_tables.signing import print_field
from rsa_keys.der import RSA_ENCRYPTION, integer, pkcs8, private_key, public_key, sequence, spki, value
from rsa_keys.keys import keys as rsa_keys

PKCS8, OLD, INFO = PrivateFormat.PKCS8, PrivateFormat.TraditionalOpenSSL, PublicFormat.SubjectPublicKeyInfo
NUMBER = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721
_, P, Q, E = next(rsa_keys())
D = pow(E, -1, (P - 1) * (Q - 1))
RSA = rsa.RSAPrivateNumbers(
    P, Q, D, D % (P - 1), D % (Q - 1), pow(Q, -1, P), rsa.RSAPublicNumbers(E, P * Q)).private_key()
P256 = ec.derive_private_key(NUMBER, ec.SECP256R1())
ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)


def private(key, kind=PKCS8, encoding=Encoding.PEM, encryption=NoEncryption()):
    data = key.private_bytes(encoding, kind, encryption)
    return data.decode() if encoding is Encoding.PEM else data


def public(key, kind=INFO, encoding=Encoding.PEM):
    data = key.public_key().public_bytes(encoding, kind)
    return data.decode() if encoding is Encoding.PEM else data


def pem(label, der):
    text = base64.b64encode(der).decode()
    lines = [text[start:start + 64] for start in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def openssl(*arguments, text=b"", check=True):
    """OpenSSL's output, or None if it refuses the input."""
    data = text if isinstance(text, bytes) else text.encode()
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        found = subprocess.run(["openssl", *arguments, "-in", file.name], capture_output=True, check=check)
    return found.stdout if found.returncode == 0 else None


def readers(text, part):
    """The public key, and the programs that read it."""
    names, infos = [], set()
    options = ["-pubin"] if part == "public" else []
    out = openssl("pkey", *options, "-pubout", "-outform", "DER", text=text, check=False)
    if out:
        names.append("openssl")
        infos.add(out)
    data = text if isinstance(text, bytes) else text.encode()
    try:
        key = load_pem_public_key(data) if part == "public" else load_pem_private_key(data, None).public_key()
        names.append("cryptography")
        infos.add(key.public_bytes(Encoding.DER, INFO))
    except ValueError:
        pass
    assert len(infos) == 1, (text, names)
    return infos.pop(), names


def read(title, text, part="private"):
    key, names = readers(text, part)
    print()
    print_field("name", title)
    print_field("needed", part)
    print_field("text", text)
    print_field("key", key.hex())
    print_field("read", " ".join(names))


def refuse(title, text, words, fix, needed="private"):
    print()
    print_field("name", title)
    print_field("needed", needed)
    print_field("text", text)
    print_field("words", words)
    print_field("fix", fix)


def indented(text, blanks):
    return "".join(blanks + line + "\n" for line in text.splitlines())


def show_read():
    rsa_without_null = pkcs8(private_key(P, Q, E), algorithm=RSA_ENCRYPTION)
    for kind, text in [("RSA", private(RSA)), ("RSA, PKCS #1", private(RSA, OLD)), ("P-256", private(P256)),
                       ("P-256, SEC 1", private(P256, OLD)), ("RSA without NULL", pem("PRIVATE KEY", rsa_without_null))]:
        read(f"{kind}", text)
        read(f"{kind}, after a byte order mark", "\ufeff" + text)
        read(f"{kind}, indented by spaces", indented(text, "    "))
        read(f"{kind}, indented by tabs", indented(text, "\t"))
        read(f"{kind}, all lines but the first indented", text.splitlines()[0] + "\n" + indented(text.split("\n", 1)[1], "  "))
        read(f"{kind}, indented, with CR LF", "\ufeff" + indented(text, "  ").replace("\n", "\r\n"))
        read(f"{kind}, with spaces in its lines", text[:60] + " " + text[60:])
    without_null = pem("PUBLIC KEY", spki(public_key(P * Q, E), RSA_ENCRYPTION))
    for kind, text in [("RSA", public(RSA)), ("RSA, PKCS #1", public(RSA, PublicFormat.PKCS1)), ("P-256", public(P256)),
                       ("RSA without NULL", without_null)]:
        read(f"public key, {kind}, after a byte order mark", "\ufeff" + text, "public")
        read(f"public key, {kind}, indented by spaces", indented(text, "  "), "public")
        read(f"public key, {kind}, indented by tabs", indented(text, "\t"), "public")


def show_lines():
    fix_missing, escaped = "Put one after '-----BEGIN", r"written as \n"
    missing = "line breaks of the PEM are missing"
    for kind, text in [("RSA", private(RSA)), ("P-256", private(P256, OLD))]:
        line = text.strip()
        refuse(f"{kind}, line breaks written as \\n", line.replace("\n", r"\n"), escaped, "Replace each")
        refuse(f"{kind}, line breaks written as \\n, and a real one", line.replace("\n", r"\n") + "\n", escaped, "Replace each")
        refuse(f"{kind}, line breaks written as \\r\\n", line.replace("\n", r"\r\n"), escaped, "Replace each")
        refuse(f"{kind}, line breaks written as \\n, in quotation marks", json.dumps(text), escaped, "Replace each")
        refuse(f"{kind}, line breaks written as \\\\n", line.replace("\n", r"\\n"), escaped, "Replace each")
        first, rest = line.split("\n", 1)
        body, last = rest.rsplit("\n", 1)
        refuse(f"{kind}, line breaks written as \\n inside", first + "\n" + body.replace("\n", r"\n") + "\n" + last, escaped, "Replace")
        refuse(f"{kind}, without line breaks", line.replace("\n", ""), missing, fix_missing)
        refuse(f"{kind}, with spaces instead of line breaks", line.replace("\n", " "), missing, fix_missing)
        refuse(f"{kind}, without the first line break", line.replace("\n", "", 1), missing, fix_missing)
        refuse(f"{kind}, without the last line break", first + "\n" + body + last, missing, fix_missing)
        before = "other text before '-----BEGIN'"
        refuse(f"{kind}, in quotation marks", f'"{line}"', before, "quotation mark")
        refuse(f"{kind}, with a name before it", "PRIVATE_KEY=" + text, before, "a name and '='")
        refuse(f"{kind}, with four hyphens", text.replace("-----", "----"), "start with five hyphens", "five ASCII hyphens")
        refuse(f"{kind}, with dashes", text.replace("-----", "\u2014\u2014-"), "start with five hyphens", "five ASCII hyphens")
        match = "don't match, or one of them is missing"
        refuse(f"{kind}, without its last line", first + "\n" + body + "\n", match, "from '-----BEGIN' to '-----END'")
        refuse(f"{kind}, only its first line", first, match, "from '-----BEGIN' to '-----END'")
        refuse(f"{kind}, with another last line", first + "\n" + body + "\n-----END X-----\n", match, "all lines")
        refuse(f"{kind}, twice", text + text, "exactly one key, not 2", "Remove the others")
        refuse(f"{kind}, a character that isn't base64", text.replace("MI", "M!", 1).replace("MH", "M!", 1), "aren't base64", "copy them again")
        refuse(f"{kind}, without a line", first + "\n" + body.rsplit("\n", 1)[0] + "\n" + last, "is cut off", "again")
        refuse(f"{kind}, in UTF-16", text.encode("utf-16-le"), "in UTF-16", "Save it in UTF-8")
        refuse(f"{kind}, in UTF-16 with its mark", "\ufeff".encode("utf-16-le") + text.encode("utf-16-le"), "in UTF-16", "UTF-8")
        refuse(f"{kind}, in UTF-16, big endian", "\ufeff".encode("utf-16-be") + text.encode("utf-16-be"), "in UTF-16", "UTF-8")


def show_encodings():
    for kind, key in [("RSA", RSA), ("P-256", P256)]:
        der = private(key, encoding=Encoding.DER)
        lines = "base64 without the lines of PEM"
        refuse(f"{kind}, base64 of DER", base64.b64encode(der), lines, "-----BEGIN PRIVATE KEY-----", f"{kind} private")
        refuse(f"{kind}, base64 of DER in lines", base64.encodebytes(der), lines, "-----END PRIVATE KEY-----", f"{kind} private")
        refuse(f"{kind}, base64 of PEM", base64.b64encode(private(key).encode()), "PEM in base64", "Decode the base64")
        refuse(f"{kind}, base64 of PEM in lines", base64.encodebytes(private(key).encode()), "PEM in base64", "Decode the base64")
        info = public(key, encoding=Encoding.DER)
        refuse(f"{kind}, base64 of a public key", base64.b64encode(info), "public key, not", "private key of the same pair")
        refuse(f"public key, {kind}, base64 of DER", base64.b64encode(info), lines, "-----BEGIN PUBLIC KEY-----", "public")
    for title, text in [("empty", ""), ("spaces", "  \n\t\n"), ("only a byte order mark", "\ufeff")]:
        refuse(title, text, "is empty", "environment variable, secret or file")
        refuse(f"public key, {title}", text, "is empty", "environment variable, secret or file", "public")
        refuse(f"certificate, {title}", text, "The certificate is empty", "environment variable, secret or file", "certificate")
    for path in ["/etc/ssl/private/device.pem", "./key.pem", "~/.ssh/id_rsa", "file:///keys/k.der", "keys/private.key", "device.key\n",
                 "C:\\keys\\device.pem", "..\\device.p8"]:
        refuse(f"the path {path.strip()}", path, "path of a file", "pass its contents")
        refuse(f"certificate, the path {path.strip()}", path, "path of a file", "pass its contents", "certificate")
    for text in ["hush", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", "arn:aws:secretsmanager:us-east-1:111122223333:secret:key", "$PRIVATE_KEY"]:
        refuse(f"the text {text}", text, "isn't PEM", "'-----BEGIN' to '-----END'")
    for label in ["EC PRIVATE KEY", "DSA PRIVATE KEY"]:
        text = private(RSA).replace("PRIVATE KEY", label)
        refuse(f"RSA, labeled {label}", text, "label after '-----BEGIN'", "'-----BEGIN PRIVATE KEY-----'", "RSA private")
    refuse("P-256, labeled RSA PRIVATE KEY", private(P256).replace("PRIVATE", "RSA PRIVATE"), "label after '-----BEGIN'",
           "'-----BEGIN PRIVATE KEY-----'", "P-256 private")


def show_encrypted():
    # PBES2 (RFC 8018, A.4) and a string, as in the encryption's DER, which has a random salt.
    algorithm = bytes.fromhex("06092a864886f70d01050d")
    der = private(P256, encoding=Encoding.DER, encryption=BestAvailableEncryption(b"p"))
    assert der[3] == 0x30 and der[5:].startswith(algorithm)
    assert private(P256, encryption=BestAvailableEncryption(b"p")).startswith("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    der = sequence(sequence(algorithm), value(4, bytes(48)))
    words, decrypt = "an encrypted private key, not", "openssl pkey -in FILE -out PLAIN"
    refuse("an encrypted key, PKCS #8", pem("ENCRYPTED PRIVATE KEY", der), words, decrypt)
    refuse("an encrypted key, PKCS #8 in DER", der, words, "openssl pkcs8 -inform DER -in FILE -out PLAIN")
    refuse("an encrypted key, base64 of DER", base64.b64encode(der), words, "openssl pkcs8 -inform DER")
    for kind, key in [("RSA", RSA), ("EC", P256)]:
        head = f"-----BEGIN {kind} PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,"
        assert private(key, OLD, encryption=BestAvailableEncryption(b"p")).startswith(head)
        refuse(f"an encrypted {kind} key, OpenSSL's older format", f"{head}00\n\nMHcC\n-----END {kind} PRIVATE KEY-----\n", words, decrypt)


def show_algorithms():
    key = ec.derive_private_key
    for title, each in [
            ("a P-384", key(NUMBER, ec.SECP384R1())), ("a P-521", key(NUMBER, ec.SECP521R1())), ("a P-224", key(5, ec.SECP224R1())),
            ("a secp256k1", key(NUMBER, ec.SECP256K1())), ("a brainpoolP256r1", key(5, ec.BrainpoolP256R1())),
            ("a brainpoolP384r1", key(5, ec.BrainpoolP384R1())), ("a brainpoolP512r1", key(5, ec.BrainpoolP512R1())),
            ("an Ed25519", ED25519), ("an Ed448", ed448.Ed448PrivateKey.from_private_bytes(bytes([1]) * 57)),
            ("an X25519", x25519.X25519PrivateKey.from_private_bytes(bytes([1]) * 32))]:
        refuse(f"{title} key", private(each), f"{title} ", "")
        refuse(f"{title} key, base64 of DER", base64.b64encode(private(each, encoding=Encoding.DER)), f"{title} ", "")
        refuse(f"{title} public key", public(each), f"{title} public key, not", "Use an RSA or P-256 key", "public")
        if isinstance(each, ec.EllipticCurvePrivateKey):
            refuse(f"{title} key, SEC 1", private(each, OLD), f"{title} ", "")
    pss = bytes.fromhex("06092a864886f70d01010a")  # RFC 4055, 3.1
    text = pem("PRIVATE KEY", pkcs8(private_key(P, Q, E), algorithm=pss))
    assert openssl("pkey", "-noout", text=text) is not None
    refuse("an RSASSA-PSS key", text, "an RSASSA-PSS ", "", "P-256 private")
    refuse("an RSASSA-PSS public key", pem("PUBLIC KEY", spki(public_key(P * Q, E), pss)), "an RSASSA-PSS public key, not", "RSA or P-256", "public")
    # RFC 5958, 2: version 1, with the public key (RFC 8410, 10.3, has such a key).
    point = ED25519.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    der = pkcs8(value(4, bytes([1]) * 32), bytes.fromhex("06032b6570"), 1, value(0x81, b"\0" + point))
    refuse("an Ed25519 key with its public key", pem("PRIVATE KEY", der), "an Ed25519 ", "")
    # OpenSSL's format of DSA keys: version 0, p, q, g, y, x. RFC 3279, 2.3.2, for the identifier.
    numbers = [integer(number) for number in [23, 11, 4, 8, 7]]
    refuse("a DSA key, OpenSSL's older format", pem("DSA PRIVATE KEY", sequence(integer(0), *numbers)), "a DSA ", "")
    parameters = bytes.fromhex("06072a8648ce380401") + sequence(*numbers[:3])
    refuse("a DSA key", pem("PRIVATE KEY", pkcs8(integer(7), parameters)), "a DSA ", "")
    explicit, convert = "explicit curve parameters", "openssl ec -in FILE -param_enc named_curve -out NEW"
    sec1 = openssl("ec", "-param_enc", "explicit", text=private(P256))
    assert openssl("ec", "-param_enc", "named_curve", text=sec1).decode() == private(P256, OLD)
    refuse("a key with explicit curve parameters, SEC 1", sec1, explicit, convert, "P-256 private")
    refuse("a key with explicit curve parameters", openssl("pkcs8", "-topk8", "-nocrypt", text=sec1), explicit, convert, "P-256 private")
    refuse("a key with explicit curve parameters for RSA", sec1, "an elliptic-curve private key, not an RSA", "Use an RSA key", "RSA only")
    info = openssl("ec", "-param_enc", "explicit", "-pubout", text=private(P256))
    assert openssl("ec", "-pubin", "-param_enc", "named_curve", text=info).decode() == public(P256)
    refuse("a public key with explicit curve parameters", info, explicit, convert.replace("ec", "ec -pubin", 1), "public")
    refuse("an RSA key for P-256", private(RSA), "an RSA private key, not a P-256 private key", "Use a P-256 key", "P-256 only")
    refuse("a P-256 key for RSA", private(P256), "a P-256 private key, not an RSA private key", "Use an RSA key", "RSA only")


def certificate(key):
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "device")])
    start, end = (datetime.datetime(year, 1, 1, tzinfo=datetime.timezone.utc) for year in [2024, 2060])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, start, end).sign(RSA, SHA256())
    request = x509.CertificateSigningRequestBuilder(name).sign(RSA, SHA256())
    return made, request.public_bytes(Encoding.PEM).decode()


def show_files():
    made, request = certificate(RSA)
    text = made.public_bytes(Encoding.PEM).decode()
    separate = "Pass the private key, which is stored separately"
    refuse("a certificate", text, "a certificate, not", separate)
    refuse("a certificate in DER", made.public_bytes(Encoding.DER), "a certificate, not", separate)
    refuse("a certificate, base64 of DER", base64.b64encode(made.public_bytes(Encoding.DER)), "a certificate, not", separate)
    refuse("a certificate for a public key", text, "a certificate, not", "openssl x509 -in FILE -noout -pubkey", "public")
    refuse("a certificate request", request, "a certificate request, not", separate)
    refuse("a certificate request for a public key", request, "a certificate request, not", "openssl req -in FILE", "public")
    refuse("a certificate request for a certificate", request, "a certificate request, not", "was issued for it", "certificate")
    for kind, key in [("RSA", RSA), ("P-256", P256)]:
        refuse(f"a public key, {kind}", public(key), "public key, not", "private key of the same pair")
        refuse(f"a public key, {kind} in DER", public(key, encoding=Encoding.DER), "public key, not", "private key of the same pair")
        refuse(f"a private key for a public key, {kind}", private(key), "private key, not", "openssl pkey -in FILE -pubout", "public")
        refuse(f"a private key for a certificate, {kind}", private(key), "private key, not", "-----BEGIN CERTIFICATE-----", "certificate")
        refuse(f"a public key for a certificate, {kind}", public(key), "public key, not", "-----BEGIN CERTIFICATE-----", "certificate")
        with mock.patch("os.urandom", lambda size: bytes(size)):
            ssh = private(key, PrivateFormat.OpenSSH)
        refuse(f"an OpenSSH key, {kind}", ssh, "an OpenSSH private key, not", "ssh-keygen -p -m PEM -f COPY")
        refuse(f"an OpenSSH key for a public key, {kind}", ssh, "an OpenSSH private key, not", "ssh-keygen -e -m PKCS8 -f FILE", "public")
        line = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode() + " user@host\n"
        refuse(f"an OpenSSH public key, {kind}", line, "an OpenSSH public key, not", "private key of the same pair")
        refuse(f"an OpenSSH public key for a public key, {kind}", line, "an OpenSSH public key, not", "ssh-keygen -e -m PKCS8", "public")
    key = ED25519
    with mock.patch("os.urandom", lambda size: bytes(size)):
        ssh = private(key, PrivateFormat.OpenSSH)
    words = "an Ed25519 private key of OpenSSH, not"
    refuse("an OpenSSH key, Ed25519, for another algorithm", ssh, words, "key.")
    refuse("an OpenSSH key, Ed25519", ssh, words, "openssl genpkey -algorithm ed25519", "Ed25519 private")
    refuse("an OpenSSH key, Ed25519, for a public key", ssh, words, "the last 32 bytes of the base64 in FILE.pub", "Ed25519 public")
    line = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode() + " user@host\n"
    words = "an Ed25519 public key of OpenSSH, not"
    refuse("an OpenSSH public key, Ed25519, for another algorithm", line, words, "key.", "public")
    refuse("an OpenSSH public key, Ed25519", line, words, "the last 32 bytes of its base64", "Ed25519 public")
    # RFC 4716, 3.2 to 3.4.
    ssh2 = "---- BEGIN SSH2 PUBLIC KEY ----\nComment: a key\n" + line.split()[1] + "\n---- END SSH2 PUBLIC KEY ----\n"
    refuse("an SSH2 public key", ssh2, "an SSH2 public key", "private key of the same pair")
    refuse("an SSH2 public key for a public key", ssh2, "an SSH2 public key", "ssh-keygen -i -f FILE", "public")
    refuse("a public key, PKCS #1", public(RSA, PublicFormat.PKCS1), "an RSA public key, not", "private key of the same pair")
    store = openssl("pkcs12", "-export", "-keypbe", "NONE", "-certpbe", "NONE", "-nomac", "-passout", "pass:", text=private(RSA) + text)
    refuse("a PKCS #12 file", store, "a PKCS #12 file, not", "openssl pkcs12 -in FILE -nocerts -nodes")
    refuse("a PKCS #12 file in base64", base64.b64encode(store), "a PKCS #12 file, not", "openssl pkcs12 -in FILE -nocerts -nodes")
    refuse("a PKCS #12 file of indefinite length", b"\x30\x80" + store[4:] + b"\0\0", "a PKCS #12 file, not", "-nocerts")
    refuse("a PKCS #12 file for a certificate", store, "a PKCS #12 file, not", "openssl pkcs12 -in FILE -nokeys", "certificate")
    chain = pkcs7.serialize_certificates([made], Encoding.PEM).decode()
    refuse("a PKCS #7 file", chain, "a PKCS #7 file, not", separate)
    refuse("a PKCS #7 file for a certificate", chain, "a PKCS #7 file, not", "openssl pkcs7 -in FILE -print_certs", "certificate")
    for kind in ["PRIVATE KEY BLOCK", "PUBLIC KEY BLOCK"]:
        refuse(f"a PGP {kind}", f"-----BEGIN PGP {kind}-----\n\nxUsGY4d/4x==\n-----END PGP {kind}-----\n", "a PGP key, not", "key in PEM")
    putty = "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\nComment: key\nPublic-Lines: 1\nAAAA\n"
    refuse("a PuTTY key", putty, "a PuTTY private key, not", "puttygen FILE -O private-openssh")
    numbers = P256.private_numbers()
    member = lambda number: base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode().rstrip("=")
    jwk = {"kty": "EC", "crv": "P-256", "x": member(numbers.public_numbers.x), "y": member(numbers.public_numbers.y),
           "d": member(numbers.private_value)}
    # The magic number, the version and no entries, as `keytool` writes them.
    store = bytes.fromhex("feedfeed 00000002 00000000") + bytes(20)
    refuse("a Java keystore", store, "isn't PEM", "'-----BEGIN' to '-----END'")
    refuse("a JWK", json.dumps(jwk), "a JSON Web Key (JWK), not", "Export it as PEM")
    refuse("a JWK in lines", json.dumps(jwk, indent=2), "a JSON Web Key (JWK), not", "Export it as PEM")
    refuse("JSON that contains a key", json.dumps({"private_key": private(RSA)}), "This is JSON, not", "only the value that contains the PEM")
    refuse("JSON", json.dumps({"name": "key"}), "This is JSON, not", "only the value that contains the PEM")


print("# Printed by key-texts.py: keys as people pass them, made by cryptography 48 and OpenSSL 3, which of them read them, and what")
print("# the others are.")
show_read()
show_lines()
show_encodings()
show_encrypted()
show_algorithms()
show_files()
