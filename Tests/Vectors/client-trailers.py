# SPDX-License-Identifier: Apache-2.0
# Prints client-trailers.txt: uploads whose trailers end with LF, CR and LF, as minio-go sends them.
#
# The framing is that of minio-go 7 with TrailingHeaders, in pkg/signer: addSignedTrailer in
# request-signature-streaming.go, and addTrailer in request-signature-streaming-unsigned-trailer.go.

import base64
import zlib

from chunks.framing import SCOPE, encode, seed_signature, upload_headers

BODY = b"hello"
TRAILERS = {"x-amz-checksum-crc32": base64.b64encode(zlib.crc32(BODY).to_bytes(4, "big")).decode()}

print("# Printed by client-trailers.py, which uses hashlib, hmac and zlib of Python. Each record is")
print("# PUT / as it's sent.")
for kind in ("signed", "unsigned"):
    headers = upload_headers(kind, BODY, TRAILERS)
    body = encode(kind, BODY, len(BODY), TRAILERS, line_end=b"\n\r\n").decode()
    print()
    print("name:", kind)
    for name, value in headers.items():
        print(f"header: {name}:{value}")
    print(f"header: authorization:AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/{SCOPE},"
          f"SignedHeaders={';'.join(headers)},Signature={seed_signature(headers)}")
    print("body:", body.replace("\r", "\\r").replace("\n", "\\n"))
