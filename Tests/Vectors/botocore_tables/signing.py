# SPDX-License-Identifier: Apache-2.0
# What the scripts that ask botocore share: a frozen clock, the steps of a signature, the format.

import datetime
import types

import botocore.auth
import botocore.awsrequest
import botocore.credentials

CREDENTIALS = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")


class Signing:
    """A request on its way through botocore, and what each step made of it."""

    def __init__(self, auth_class, service, region, date, method, url, headers=(), body=b"",
                 token=None, credentials=CREDENTIALS, unsigned=False, **options):
        moment = datetime.datetime.strptime(date, "%Y%m%dT%H%M%SZ")
        botocore.auth.get_current_datetime = lambda *arguments: moment
        signer = auth_class(
            botocore.credentials.Credentials(*credentials, token), service, region, **options)
        signer.string_to_sign = self.listen(signer.string_to_sign)
        signer.signature = self.listen_again(signer.signature)
        self.request = botocore.awsrequest.AWSRequest(method, url, data=body)
        for name, value in headers:
            self.request.headers.add_header(name, value)
        if unsigned:
            s3 = {"payload_signing_enabled": False}
            self.request.context["payload_signing_enabled"] = False
            self.request.context["client_config"] = types.SimpleNamespace(s3=s3)
        signer.add_auth(self.request)

    def listen(self, string_to_sign):
        def listening(request, canonical_request):
            self.canonical_request = canonical_request
            self.string_to_sign = string_to_sign(request, canonical_request)
            return self.string_to_sign
        return listening

    def listen_again(self, signature):
        def listening(string_to_sign, request):
            self.signature = signature(string_to_sign, request)
            return self.signature
        return listening

    def print_steps(self):
        print_field("canonical-request", self.canonical_request)
        print_field("string-to-sign", self.string_to_sign)
        print_field("signature", self.signature)
        if "Authorization" in self.request.headers:
            print_field("authorization", self.request.headers["Authorization"])
        else:
            print_field("presigned-url", self.request.url)


def print_field(name, value):
    """Prints a line of a vector table; what is not visible ASCII is escaped."""
    data = value if isinstance(value, bytes) else str(value).encode()
    text = "".join(escape(byte) for byte in data)
    if text.endswith(" "):
        text = text[:-1] + "\\x20"
    print(f"{name}: {text}" if text else f"{name}:")


def escape(byte):
    if byte == 0x5C:
        return "\\\\"
    if byte == 0x0A:
        return "\\n"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02X}"
