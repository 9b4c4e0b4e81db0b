# SPDX-License-Identifier: Apache-2.0
# Prints checksum-operations.txt: the operations of S3 whose request needs a checksum, by botocore's model.

import sys
import urllib.parse

sys.dont_write_bytecode = True

import botocore.session

from botocore_tables.signing import print_field

MODEL = botocore.session.Session().get_service_model("s3")


def is_required(operation):
    checksum = operation.http_checksum or {}
    return operation.http_checksum_required or checksum.get("requestChecksumRequired", False)


print("# Printed by checksum-operations.py, from botocore's model of S3: httpChecksumRequired.")
print("# parameter: what names the operation. Only operations with a parameter and a body.")
for name in MODEL.operation_names:
    operation = MODEL.operation_model(name)
    _, _, query = operation.http["requestUri"].partition("?")
    parameters = [pair[0] for pair in urllib.parse.parse_qsl(query, keep_blank_values=True)]
    if parameters and operation.http["method"] in ["PUT", "POST"] and not operation.deprecated:
        print()
        print_field("name", name)
        print_field("method", operation.http["method"])
        for parameter in parameters:
            print_field("parameter", parameter)
        print_field("checksum", "required" if is_required(operation) else "optional")
