# SPDX-License-Identifier: Apache-2.0
# Prints process-credentials.txt: what programs print for credential_process, and what botocore
# makes of it. Nothing is run: botocore is handed the output.

import json
import sys

sys.dont_write_bytecode = True

from botocore.credentials import ProcessProvider

from botocore_tables.signing import print_field

PLAIN = {"Version": 1, "AccessKeyId": "AKIDEXAMPLE", "SecretAccessKey": "secret/1"}
TOKEN = PLAIN | {"SessionToken": "token=="}


def without(name):
    return {key: value for key, value in PLAIN.items() if key != name}


OUTPUTS = {
    "keys": PLAIN,
    "keys and a line end": json.dumps(PLAIN) + "\n",
    "keys in lines": json.dumps(PLAIN, indent=2),
    "token": TOKEN,
    "more members": TOKEN | {"AccountId": "123456789012", "Other": {"x": [1, None, True]}},
    "empty token": PLAIN | {"SessionToken": ""},
    "null token": PLAIN | {"SessionToken": None},
    "null expiration": PLAIN | {"Expiration": None},
    "escapes": json.dumps(PLAIN).replace("AKID", "\\u0041KID").replace("/", "\\/"),
    "version 1.0": json.dumps(PLAIN).replace("1,", "1.0,", 1),
    "version 2": PLAIN | {"Version": 2},
    "version as text": PLAIN | {"Version": "1"},
    "version null": PLAIN | {"Version": None},
    "no version": without("Version"),
    "no access key ID": without("AccessKeyId"),
    "no secret": without("SecretAccessKey"),
    "names in lower case": {"version": 1, "accessKeyId": "A", "secretAccessKey": "s"},
    "nothing": "",
    "blanks": " \n",
    "text": "error: not signed in\n",
    "array": [PLAIN],
    "string": json.dumps("x"),
    "null": "null",
    "two objects": json.dumps(PLAIN) * 2,
    "text before": "Signed in.\n" + json.dumps(PLAIN),
    "cut off": json.dumps(PLAIN)[:-1],
    "comma at the end": json.dumps(PLAIN)[:-1] + ",}",
    "single quotes": json.dumps(PLAIN).replace('"', "'"),
    "byte order mark": "\ufeff" + json.dumps(PLAIN),
    "not UTF-8": json.dumps(PLAIN).encode().replace(b"secret", b"secr\xe9t"),
    "a line end in a text": json.dumps(PLAIN).replace("secret", "sec\nret"),
}
for end in ["2999-01-29T18:53:01Z", "2999-01-29T18:53:01.123456789Z", "2999-01-29T18:53:01+00:00",
            "2999-01-29T18:53:01+05:30", "2999-01-29T18:53:01-0800", "2999-01-29t18:53:01z"]:
    OUTPUTS["until " + end] = TOKEN | {"Expiration": end}
for end in ["", "never", "2001-01-01T00:00:00Z", "2999-01-29T18:53:01", "2999-00-29T18:53:01Z"]:
    OUTPUTS["until " + end] = TOKEN | {"Expiration": end}


class Program:
    def __init__(self, output):
        self.output = output
        self.returncode = 0

    def communicate(self):
        return self.output, b""


def record(name, output):
    text = json.dumps(output) if isinstance(output, (dict, list)) else output
    data = text if isinstance(text, bytes) else text.encode()
    config = {"profiles": {"a": {"credential_process": "tool"}}}
    provider = ProcessProvider("a", lambda: config, popen=lambda words, **_: Program(data))
    print_field("name", name)
    print_field("output", data)
    try:
        found = provider.load()
        frozen = found.get_frozen_credentials()
    except Exception:
        print_field("refused", "")
    else:
        print_field("access-key", frozen.access_key)
        print_field("secret-key", frozen.secret_key)
        if frozen.token:
            print_field("token", frozen.token)
        if getattr(found, "_expiry_time", None):
            print_field("expires", int(found._expiry_time.replace(microsecond=0).timestamp()))
    print()


print("# Printed by process-credentials.py, which uses botocore.credentials.")
print()
for name, output in OUTPUTS.items():
    record(name, output)
