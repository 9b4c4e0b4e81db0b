# SPDX-License-Identifier: Apache-2.0
# What botocore takes from awscrt for `aws login`, with the package cryptography in its place: awscrt
# signs with random numbers, and cryptography can sign as RFC 6979 says.

import botocore.credentials
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

# The private key of RFC 6979, A.2.5.
NUMBER = 0xC9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721


class Key:
    def __init__(self, der):
        self.key = serialization.load_der_private_key(der, None)

    def get_public_coords(self):
        numbers = self.key.public_key().public_numbers()
        return [number.to_bytes(32, "big") for number in (numbers.x, numbers.y)]

    def sign(self, digest):
        return self.key.sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256()),
                                              deterministic_signing=True))


class EC:
    new_key_from_der_data = Key

    @staticmethod
    def decode_der_signature_to_padded_pair(signature, pad_to):
        return b"".join(number.to_bytes(pad_to, "big")
                        for number in utils.decode_dss_signature(signature))


botocore.credentials.EC = EC


def pem(form):
    """The key, PKCS8 or TraditionalOpenSSL."""
    return ec.derive_private_key(NUMBER, ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM, getattr(serialization.PrivateFormat, form),
        serialization.NoEncryption()).decode()
