# SPDX-License-Identifier: Apache-2.0
# Prints documented-uses.txt: what botocore makes of four requests that people ask for.

import hashlib
import sys

sys.dont_write_bytecode = True

from botocore.auth import S3SigV4Auth, SigV4Auth

from botocore_tables.signing import Signing, print_field

# A published walkthrough of signing with Swift shows this digest for the third request.
PUBLISHED_DIGEST = "61c352d185e6349d274da84ec475138061572f59d6dbecfcfb7f12fd4c5ce36f"
EMPTY_ARCHIVE = b"PK\x05\x06" + bytes(18)


def print_signing(name, *arguments, **options):
    signing = Signing(*arguments, **options)
    print()
    print_field("name", name)
    print_field("digest", hashlib.sha256(signing.canonical_request.encode()).hexdigest())
    signing.print_steps()
    return signing


print("# Printed by documented-uses.py, which uses botocore.auth. digest: of the canonical request.")
print("# The requests themselves are written in Swift, in DocumentedUseTests.swift.")
print_signing("R2", S3SigV4Auth, "s3", "auto", "20240102T030405Z", "GET",
              "https://ACCOUNT.r2.cloudflarestorage.com/photos/", unsigned=True)
print_signing("PUT of an archive", S3SigV4Auth, "s3", "us-east-1", "20240102T030405Z", "PUT",
              "https://bucket.s3.us-east-1.amazonaws.com/archive.zip",
              [("Content-Type", "application/zip")], EMPTY_ARCHIVE)
image = print_signing("GET of an image", S3SigV4Auth, "s3", "us-east-1", "20181009T115731Z", "GET",
                      "https://s3.us-east-1.amazonaws.com/downloadimagetestbucket/TestImage.png",
                      [("Content-Type", "image/png")])
print_signing("POST to execute-api", SigV4Auth, "execute-api", "us-east-1", "20240102T030405Z",
              "POST",
           "https://abc123.execute-api.us-east-1.amazonaws.com/prod/pets?type=dog",
           [("Content-Type", "application/json")], b'{"name": "Rex"}',
           token="FwoG/ZXIv+YXdz==")
assert hashlib.sha256(image.canonical_request.encode()).hexdigest() == PUBLISHED_DIGEST
