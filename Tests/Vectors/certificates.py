# SPDX-License-Identifier: Apache-2.0
# Prints certificates.txt: X.509 certificates, made by the package cryptography, or put together in DER and
# read by it. `serial` and `key` are what cryptography reads. Those with `refused` have a key that IAM Roles
# Anywhere doesn't accept or the library doesn't support, a serial number beyond RFC 5280, or aren't DER.
#
# The RSA keys are Project Wycheproof's, the P-256 key that of RFC 6979, A.2.5. ECDSA has the nonces of RFC
# 6979, so the same certificates are made each time.

import datetime
import subprocess
import sys
import warnings

sys.dont_write_bytecode = True
# cryptography reads serial numbers beyond RFC 5280, with a warning.
warnings.simplefilter("ignore")

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, mldsa, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, load_pem_private_key

from botocore_tables.signing import print_field
from curve import p256
from rsa_keys.der import integer, public_key, sequence, spki, value
from rsa_keys.keys import keys as rsa_keys

NUMBER = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721


def rsa_private(p, q, e):
    d = pow(e, -1, (p - 1) * (q - 1))
    public = rsa.RSAPublicNumbers(e, p * q)
    return rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public).private_key()


RSA_KEYS = {size: rsa_private(p, q, e) for size, p, q, e in rsa_keys()}
P256 = ec.derive_private_key(NUMBER, ec.SECP256R1())
P384 = ec.derive_private_key(NUMBER, ec.SECP384R1())
START = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
END = datetime.datetime(2060, 1, 1, tzinfo=datetime.timezone.utc)
ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)


def name(text):
    return x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, text)])


def made(key, serial=1, subject="device", extensions=(), authority=P256):
    """A certificate of version 3 by cryptography."""
    builder = x509.CertificateBuilder(
        name("Example CA"), name(subject), key, serial, START, END)
    for extension in extensions:
        builder = builder.add_extension(extension, critical=True)
    return builder.sign(authority, SHA256(), ecdsa_deterministic=True).public_bytes(Encoding.DER)


def info(key):
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def by_hand(key_info, serial=1, version=None, rest=b"", dates=None):
    """A certificate of any version, whose signature isn't one. `serial` may be its DER."""
    algorithm = sequence(bytes.fromhex("06082a8648ce3d040302"))
    issuer = name("Example CA").public_bytes()
    if dates is None:
        dates = sequence(value(0x17, b"240101000000Z"), value(0x18, b"20600101000000Z"))
    head = b"" if version is None else value(0xA0, integer(version))
    number = serial if isinstance(serial, bytes) else integer(serial)
    content = sequence(head, number, algorithm, issuer, dates, issuer, key_info, rest)
    return sequence(content, algorithm, value(3, b"\0" + sequence(integer(1), integer(2))))


def show(title, der, known=None):
    """What cryptography reads of it, or what is known: it reads no version 2."""
    if known is None:
        read = x509.load_der_x509_certificate(der)
        known = read.serial_number, read.public_key()
    print()
    print_field("name", title)
    print_field("der", der.hex())
    print_field("serial", known[0])
    print_field("key", info(known[1]).hex())


def show_refused(title, der, words):
    print()
    print_field("name", title)
    print_field("der", der.hex())
    print_field("refused", words)


def pem(*ders):
    return "".join(x509.load_der_x509_certificate(der).public_bytes(Encoding.PEM).decode() for der in ders)


def show_file(title, text, *ders, refused=None):
    """A file with these certificates in their order, or that is refused."""
    print()
    print_field("name", title)
    print_field("file", text)
    for der in ders:
        print_field("certificate", der.hex())
    if refused:
        print_field("refused", refused)


def private(key, kind=PrivateFormat.PKCS8, encryption=NoEncryption(), encoding=Encoding.PEM):
    return key.private_bytes(encoding, kind, encryption)


def show_key(title, certificate, file, refused=None):
    """A private key that belongs to a certificate, or that is refused."""
    print()
    print_field("name", title)
    print_field("certificate", certificate.hex())
    print_field("private-key", file)
    if refused:
        print_field("refused", refused)


def show_keys():
    ecdsa, rsa_ = made(P256.public_key()), made(RSA_KEYS[2048].public_key())
    old = PrivateFormat.TraditionalOpenSSL
    # As `openssl ecparam -genkey` writes it.
    parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    for certificate, key, kind in [(ecdsa, P256, "P-256"), (rsa_, RSA_KEYS[2048], "RSA")]:
        show_key(f"key of {kind}, PKCS #8", certificate, private(key))
        show_key(f"key of {kind}, OpenSSL's older format", certificate, private(key, old))
        show_key(f"key of {kind}, DER", certificate, private(key, encoding=Encoding.DER))
        show_key(f"key of {kind}, with the certificate", certificate, pem(certificate).encode() + private(key))
    show_key("key of P-256, after its parameters", ecdsa, parameters.encode() + private(P256, old))
    numbered = b"01 device\n" + private(P256)
    assert load_pem_private_key(numbered, None).private_numbers() == P256.private_numbers()
    show_key("key of P-256, after text that begins with 0", ecdsa, numbered)
    other = ec.derive_private_key(NUMBER + 1, ec.SECP256R1())
    belong = "doesn't belong to the certificate"
    show_key("key of another pair, P-256", ecdsa, private(other), belong)
    show_key("key of another pair, RSA", made(RSA_KEYS[3072].public_key()), private(RSA_KEYS[2048]), belong)
    show_key("an RSA key of a P-256 certificate", ecdsa, private(RSA_KEYS[2048]), belong + ": it's an RSA key")
    show_key("a P-256 key of an RSA certificate", rsa_, private(P256), belong + ": it's a P-256 key")
    explicit = subprocess.run(["openssl", "ec", "-param_enc", "explicit"], input=private(P256), capture_output=True, check=True).stdout
    show_key("a key with explicit curve parameters", ecdsa, explicit, "explicit curve parameters")
    show_key("a key with explicit curve parameters, of an RSA certificate", rsa_, explicit, belong + ": it's an elliptic-curve key")
    # The library signs with exponents from 65537 only.
    _, p, q, _ = next(rsa_keys())
    small = rsa_private(p, q, 17)
    show_key("a key with a small exponent", made(small.public_key()), private(small),
             "The public exponent isn't an odd number")
    show_key("a P-256 key with the public key of another", ecdsa, p256.der_private_key(NUMBER, p256.multiply(NUMBER + 1)),
             "contains the public key of a different key pair")
    show_key("a key in DER without its end", ecdsa, private(P256, encoding=Encoding.DER)[:-1], "is cut off")
    show_key("two keys", ecdsa, private(P256) + private(other), "exactly one key, not 2")
    show_key("no key", ecdsa, pem(ecdsa), "This is a certificate, not a P-256 private key")
    show_key("an empty key", ecdsa, "", "The key is empty")
    # The encryption has a random salt, so the content isn't a real one.
    encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIHs\n-----END ENCRYPTED PRIVATE KEY-----\n"
    assert private(P256, encryption=BestAvailableEncryption(b"p")).startswith(encrypted[:37].encode())
    show_key("an encrypted key, PKCS #8", ecdsa, encrypted, "an encrypted private key")
    # PBES2 (RFC 8018, A.4) and a string, as in the encryption's DER.
    algorithm = bytes.fromhex("06092a864886f70d01050d")
    der = private(P256, encoding=Encoding.DER, encryption=BestAvailableEncryption(b"p"))
    assert der[3] == 0x30 and der[5:].startswith(algorithm)
    show_key("an encrypted key, PKCS #8 in DER", ecdsa, sequence(sequence(algorithm), value(4, bytes(48))), "an encrypted private key")
    encrypted = ("-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nMHcC\n"
                 "-----END EC PRIVATE KEY-----\n")
    assert private(P256, old, BestAvailableEncryption(b"p")).startswith(encrypted[:54].encode())
    show_key("an encrypted key, OpenSSL's older format", ecdsa, encrypted, "an encrypted private key")


def show_all():
    key = P256.public_key()
    for size, each in RSA_KEYS.items():
        show(f"RSA of {size} bits", made(each.public_key()))
    show("P-256", made(key))
    show("signed with P-384", made(key, authority=P384))
    show("extensions", made(key, 2, extensions=[x509.BasicConstraints(False, None), x509.SubjectAlternativeName(
        [x509.DNSName("device.example.com")])]))
    show("a long subject", made(key, 2, "d" * 64))
    for count in range(1, 20):
        # With the high bit, which needs a zero before it, and without.
        show(f"a serial number of {count} bytes", made(key, (1 << (8 * count)) - 1 - count))
        show(f"a serial number of {count} bytes, low", made(key, (1 << (8 * count - 8)) + count))
    show("a serial number of 20 bytes", made(key, (1 << 159) - 1))
    show("a serial number of 20 bytes with the high bit", by_hand(info(key), (1 << 160) - 1, 2))
    show("a serial number of 20 bytes, only the high bit", by_hand(info(key), 1 << 159, 2))
    show("a serial number of zero", by_hand(info(key), 0, 2))
    show("version 1", by_hand(info(key), 77))
    without_null = spki(public_key(RSA_KEYS[2048].public_key().public_numbers().n, 65537), bytes.fromhex("06092a864886f70d010101"))
    show("version 3, RSA without NULL", by_hand(without_null, 78, 2))
    show("version 1, RSA", by_hand(info(RSA_KEYS[2048].public_key()), 78))
    constraints = sequence(bytes.fromhex("0603551d13"), value(4, sequence()))
    show("version 3 without extensions", by_hand(info(key), 79, 2))
    show("version 3 with extensions", by_hand(info(key), 80, 2, value(0xA3, sequence(constraints))))
    identifiers = value(0x81, b"\0\1") + value(0x82, b"\0\2")
    show("version 2 with unique identifiers", by_hand(info(key), 81, 1, identifiers), (81, key))
    show("version 3 with everything", by_hand(info(key), 82, 2, identifiers + value(0xA3, sequence(constraints))))

    for title, public in [
            ("a P-384 key", P384.public_key()),
            ("a P-521 key", ec.derive_private_key(NUMBER, ec.SECP521R1()).public_key()),
            ("a secp256k1 key", ec.derive_private_key(NUMBER, ec.SECP256K1()).public_key()),
            ("an Ed25519 key", ED25519.public_key()),
            ("an Ed448 key", ed448.Ed448PrivateKey.from_private_bytes(bytes([1]) * 57).public_key()),
            ("an ML-DSA-44 key", mldsa.MLDSA44PrivateKey.from_seed_bytes(bytes(32)).public_key()),
            ("an ML-DSA-65 key", mldsa.MLDSA65PrivateKey.from_seed_bytes(bytes(32)).public_key()),
            ("an ML-DSA-87 key", mldsa.MLDSA87PrivateKey.from_seed_bytes(bytes(32)).public_key())]:
        show_refused(title, by_hand(info(public), 5, 2), f"has {title}, which isn't supported")
    # The object identifier of RSASSA-PSS (RFC 4055, 3.1).
    pss = spki(public_key(RSA_KEYS[2048].public_key().public_numbers().n, 65537), bytes.fromhex("06092a864886f70d01010a"))
    show_refused("an RSASSA-PSS key", by_hand(pss, 5, 2), "has an RSASSA-PSS key, which isn't supported")
    unknown = sequence(sequence(bytes.fromhex("06022a03")), value(3, b"\0\1"))
    show_refused("an unknown key", by_hand(unknown, 5, 2), "an unknown kind of key")
    small = rsa.RSAPublicNumbers(65537, (1 << 1023) + 1).public_key()
    show_refused("RSA of 1024 bits", by_hand(info(small), 5, 2), "1024 bits")
    off = bytearray(info(key))
    off[-1] ^= 1
    show_refused("a point that isn't on the curve", by_hand(bytes(off), 5, 2), "aren't a point of P-256")
    long = "negative or longer than 20 bytes"
    show_refused("a serial number of 21 bytes", by_hand(info(key), 1 << 160, 2), long)
    show_refused("a negative serial number", by_hand(info(key), value(2, b"\xff"), 2), long)
    show_refused("a negative serial number of 20 bytes", by_hand(info(key), value(2, b"\x80" + bytes(19)), 2), long)

    encoding = "aren't the DER encoding"
    good = by_hand(info(key), 5, 2)
    for title, der in [
            ("no bytes", b""), ("a byte too many", good + b"\0"),
            ("a serial number without bytes", by_hand(info(key), value(2, b""), 2)),
            ("a serial number with a zero too many", by_hand(info(key), value(2, b"\0\1"), 2)),
            ("a serial number with a sign too many", by_hand(info(key), value(2, b"\xff\xff"), 2)),
            ("an explicit version 1", by_hand(info(key), 5, 0)), ("version 4", by_hand(info(key), 5, 3)),
            ("dates that aren't a sequence", by_hand(info(key), 5, 2, dates=value(0x31, b""))),
            ("extensions in version 1", by_hand(info(key), 5, None, value(0xA3, sequence(constraints)))),
            ("extensions in version 2", by_hand(info(key), 5, 1, value(0xA3, sequence(constraints)))),
            ("unique identifiers in version 1", by_hand(info(key), 5, None, identifiers)),
            ("unique identifiers in another order", by_hand(info(key), 5, 2, identifiers[4:] + identifiers[:4])),
            ("something after the extensions", by_hand(info(key), 5, 2, value(0xA3, sequence()) + b"\5\0")),
            ("an indefinite length", b"\x30\x80" + good[4:] + b"\0\0"),
            ("a length in too many bytes", b"\x30\x83\0" + good[2:])]:
        show_refused(title, der, encoding)
    show_refused("a byte too few", good[:-1], "is cut off")
    show_refused("a public key", info(key), "a P-256 public key, not a certificate")
    show_refused("a private key", private(P256, encoding=Encoding.DER), "a P-256 private key, not a certificate")

    first, second = made(key, 1), made(RSA_KEYS[2048].public_key(), 2, "Example CA")
    text = pem(first, second)
    show_file("file with one certificate", pem(first), first)
    show_file("file with two", text, first, second)
    show_file("file with CR LF", text.replace("\n", "\r\n"), first, second)
    show_file("file with spaces at line ends", text.replace("\n", " \t\n"), first, second)
    show_file("file with text around", "Certificate:\n  Serial Number: 1\n" + text.replace("-----\n-----", "-----\nnext\n-----")
              + "\nend", first, second)
    # 0 is the first byte of DER, too.
    listed = "01 device\n02 CA\n" + text
    assert x509.load_pem_x509_certificates(listed.encode()) == x509.load_pem_x509_certificates(text.encode())
    show_file("file with text that begins with 0", listed, first, second)
    show_file("file with a key", private(P256).decode() + pem(first), first)
    show_file("file without an end of line", text.rstrip(), first, second)
    show_file("file of 16", pem(first) * 16, *[first] * 16)
    show_file("file of DER", first, first)
    comment = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3"), b"\n-----BEGIN CERTIFICATE-----\n")
    both = made(key, 3, extensions=[comment])
    show_file("file of DER with a line of PEM in it", both, both)
    begin, end = "-----BEGIN CERTIFICATE-----\n", "-----END CERTIFICATE-----\n"
    missing, label = "don't match, or one of them is missing", "label after '-----BEGIN'"
    for title, broken, words in [
            ("17", pem(first) * 17, "1 to 16 certificates, not 17"), ("nothing", "", "is empty"), ("text", "certificate", "isn't PEM"),
            ("a request", pem(first).replace("CERTIFICATE", "CERTIFICATE REQUEST"), label), ("an empty block", begin + end, "is empty"),
            ("no end", pem(first).replace(end, ""), missing), ("no beginning", pem(first).replace(begin, ""), "isn't PEM"),
            ("another end", pem(first).replace("END CERTIFICATE", "END X"), missing), ("two beginnings", begin + pem(first), missing),
            ("a character that isn't base64", pem(first).replace("MII", "M!I", 1), "aren't base64"),
            ("two, the second without base64", pem(first) + pem(second).replace("MII", "M!I", 1), "aren't base64"),
            ("two, the second without content", pem(first) + begin + end, "is empty"),
            ("two with another label", text.replace(" CERTIFICATE", " X509 CERTIFICATE"), label)]:
        show_file(f"file with {title}", broken, refused=words)
    show_file("file with DER without its end", first[:-1], refused="is cut off")
    show_file("file with DER and a byte more", first + b"\n", refused="aren't the DER encoding")
    show_keys()


print("# Printed by certificates.py: certificates of the package cryptography, with the serial number and the key that")
print("# it reads, files with several, and private keys.")
show_all()
