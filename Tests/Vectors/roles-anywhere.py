# SPDX-License-Identifier: Apache-2.0
# Prints roles-anywhere.txt: requests to IAM Roles Anywhere (CreateSession), signed with certificates by PyPI's
# iam-rolesanywhere-session. Its ECDSA signatures are random, so here they have the nonces of RFC 6979.
#
# The keys and certificates are those of certificates.py.

import contextlib
import io
import json
import sys

sys.dont_write_bytecode = True

from botocore.awsrequest import AWSRequest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from iam_rolesanywhere_session import IAMRolesAnywhereSession
from iam_rolesanywhere_session.iam_rolesanywhere_session import IAMRolesAnywhereSigner

from botocore_tables.signing import print_field

with contextlib.redirect_stdout(io.StringIO()):
    from certificates import P256, RSA_KEYS, made, pem

ACCOUNT = "123456789012"
ID = "01234567-89ab-cdef-0123-456789abcdef"


class Signer(IAMRolesAnywhereSigner):
    """With a clock that stands still, and ECDSA that signs alike each time."""

    def sign(self, request, date):
        request.context["timestamp"] = date
        self._modify_request_before_signing(request)
        self.canonical = self.canonical_request(request)
        self.text = self.string_to_sign(request, self.canonical)
        self._inject_signature_to_request(request, self.signature(self.text))

    def signature(self, string_to_sign, _=None):
        if isinstance(self.private_key, ec.EllipticCurvePrivateKey):
            algorithm = ec.ECDSA(SHA256(), deterministic_signing=True)
            return self.private_key.sign(string_to_sign.encode(), algorithm).hex()
        return super().signature(string_to_sign)


def show(name, key, serial, region, date, host, chain=(), endpoint=None, **options):
    """`chain` are certificates in DER. `options` are those of the session."""
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    certificate = made(key.public_key(), serial)
    partition = "aws-cn" if region.startswith("cn-") else "aws-us-gov" if region.startswith("us-gov-") else "aws"
    arn = f"arn:{partition}:rolesanywhere:{region}:{ACCOUNT}:"
    session = IAMRolesAnywhereSession(
        f"{arn}profile/{ID}", f"arn:{partition}:iam::{ACCOUNT}:role/uploader", f"{arn}trust-anchor/{ID}",
        pem(certificate).encode(), private.encode(), pem(*chain).encode() or None, region=region,
        endpoint=endpoint, **options)
    assert session.endpoint == host, session.endpoint
    body = json.dumps(session._build_session_request_body())
    request = AWSRequest("POST", f"https://{session.endpoint}/sessions", data=body)
    signer = Signer(pem(certificate).encode(), private.encode(), pem(*chain).encode() or None, region=region)
    signer.sign(request, date)
    print()
    print_field("name", name)
    print_field("certificate", pem(certificate))
    if chain:
        print_field("intermediates", pem(*chain))
    print_field("private-key", private)
    for field, value in [("trust-anchor", session.trust_anchor_arn), ("profile", session.profile_arn),
                         ("role", session.role_arn), ("duration", session.session_duration),
                         ("session-name", session.role_session_name),
                         ("fips", "yes" if options.get("use_fips_endpoint") else None),
                         ("endpoint", endpoint and "https://" + endpoint)]:
        if value is not None:
            print_field(field, value)
    print_field("date", date)
    print_field("region", region)
    print_field("url", request.url)
    print_field("body", body)
    for header in ["X-Amz-X509", "X-Amz-X509-Chain"]:
        if header in request.headers:
            print_field(header, request.headers[header])
    print_field("canonical-request", signer.canonical)
    print_field("string-to-sign", signer.text)
    print_field("authorization", request.headers["Authorization"])


print("# Printed by roles-anywhere.py: requests of PyPI's iam-rolesanywhere-session, signed with certificates.")
AUTHORITY = made(P256.public_key(), 2, "Example CA")
OTHER = made(RSA_KEYS[3072].public_key(), (1 << 152) - 7, "Example CA 2")
for kind, each in [("P-256", P256), *[(f"RSA of {size} bits", key) for size, key in RSA_KEYS.items()]]:
    show(kind, each, 17614347152659558229, "us-east-1", "20240102T030405Z", "rolesanywhere.us-east-1.amazonaws.com")
    show(f"{kind}, a chain", each, (1 << 159) - 12345, "eu-west-1", "20240229T235959Z",
         "rolesanywhere.eu-west-1.amazonaws.com", [AUTHORITY, OTHER], session_duration=900)
for region, host in [("cn-north-1", "amazonaws.com.cn"), ("us-gov-west-1", "amazonaws.com")]:
    show(f"in {region}", P256, 1, region, "20240102T030405Z", f"rolesanywhere.{region}.{host}",
         role_session_name="device-1@example.com")
for region in ["us-east-1", "us-gov-east-1"]:
    show(f"FIPS in {region}", P256, 255, region, "20240102T030405Z", f"rolesanywhere-fips.{region}.amazonaws.com",
         use_fips_endpoint=True, session_duration=43200)
show("an endpoint with a port", RSA_KEYS[2048], 256, "eu-central-1", "20240102T030405Z", "127.0.0.1:8443",
     [AUTHORITY], endpoint="127.0.0.1:8443")
