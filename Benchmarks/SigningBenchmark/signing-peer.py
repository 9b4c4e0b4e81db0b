# SPDX-License-Identifier: Apache-2.0
"""Signs with botocore, awscrt or aws-c-auth on command: `python3 signing-peer.py botocore`.

Each line of input is a JSON object with a request and how often to sign it; each line of output
says how many nanoseconds of processor time that took, and the last signature. Each request is made while
the clock runs. The first line says the version, or what is missing.
"""
import ctypes
import datetime
import gc
import json
import os
import sys
import time


class Botocore:
    def __init__(self):
        import botocore.auth
        import botocore.awsrequest
        import botocore.credentials
        self.auth = botocore.auth
        self.make_request = botocore.awsrequest.AWSRequest
        self.make_credentials = botocore.credentials.Credentials
        self.version = botocore.__version__

    def prepare(self, task):
        credentials = self.make_credentials(task["accessKeyID"], task["secretAccessKey"])
        if "lifetime" in task:
            signer = self.auth.S3SigV4QueryAuth(
                credentials, "s3", task["region"], expires=task["lifetime"])
        else:
            signer = self.auth.S3SigV4Auth(credentials, "s3", task["region"])
        now = moment(task)
        self.auth.get_current_datetime = lambda *_, **__: now
        return signer.add_auth

    def request(self, task):
        return self.make_request(
            task["method"], f"https://{task['host']}{task['target']}",
            headers=dict(task["headers"]))

    def signature(self, request):
        return request.headers.get("Authorization") or request.url


class AWSCommonRuntime:
    def __init__(self):
        import awscrt
        import awscrt.auth
        import awscrt.http
        self.auth = awscrt.auth
        self.http = awscrt.http
        self.version = awscrt.__version__

    def prepare(self, task):
        auth = self.auth
        in_query = "lifetime" in task
        config = auth.AwsSigningConfig(
            algorithm=(auth.AwsSigningAlgorithm.V4_ASYMMETRIC if "regionSet" in task
                       else auth.AwsSigningAlgorithm.V4),
            signature_type=(auth.AwsSignatureType.HTTP_REQUEST_QUERY_PARAMS if in_query
                            else auth.AwsSignatureType.HTTP_REQUEST_HEADERS),
            credentials_provider=auth.AwsCredentialsProvider.new_static(
                task["accessKeyID"], task["secretAccessKey"]),
            region=task.get("regionSet", task["region"]), service="s3", date=moment(task),
            use_double_uri_encode=False, should_normalize_uri_path=False,
            signed_body_value=(auth.AwsSignedBodyValue.UNSIGNED_PAYLOAD if in_query
                               else auth.AwsSignedBodyValue.EMPTY_SHA256),
            signed_body_header_type=(auth.AwsSignedBodyHeaderType.NONE if in_query
                                     else auth.AwsSignedBodyHeaderType.X_AMZ_CONTENT_SHA_256),
            expiration_in_seconds=task.get("lifetime"))
        sign = auth.aws_sign_request
        return lambda request: sign(request, config).result()

    def request(self, task):
        fields = [("host", task["host"])] + [tuple(each) for each in task["headers"]]
        return self.http.HttpRequest(
            task["method"], task["target"], self.http.HttpHeaders(fields))

    def signature(self, request):
        return request.headers.get("Authorization") or request.path


class CommonAuthentication:
    """aws-c-auth, whose loop is in C: nothing of Python's time is measured."""

    def __init__(self):
        try:
            library = ctypes.CDLL(os.environ["SIGV4_AWS_C_AUTH"])
        except KeyError:
            raise ImportError("SIGV4_AWS_C_AUTH names no library; build-aws-c-auth makes one") from None
        except OSError as error:
            raise ImportError(str(error)) from error
        self.sign_repeatedly = library.sign_repeatedly
        self.sign_repeatedly.restype = ctypes.c_double
        self.version = "that of awscrt 0.38.1"

    def measure(self, task):
        fields = [["host", task["host"]]] + task["headers"]
        texts = [(ctypes.c_char_p * len(fields))(*column)
                 for column in zip(*[[part.encode() for part in field] for field in fields])]
        words = [task[name].encode() for name in ("accessKeyID", "secretAccessKey", "region", "moment")]
        signature = ctypes.create_string_buffer(65)
        nanoseconds = self.sign_repeatedly(
            task["count"], task["method"].encode(), task["target"].encode(), len(fields), *texts, *words,
            ctypes.c_ulonglong(task.get("lifetime", 0)), signature)
        return {"nanoseconds": nanoseconds, "signature": signature.value.decode()}


def moment(task):
    text = datetime.datetime.strptime(task["moment"], "%Y%m%dT%H%M%SZ")
    return text.replace(tzinfo=datetime.timezone.utc)


def measure(signer, task):
    if isinstance(signer, CommonAuthentication):
        return signer.measure(task)
    sign = signer.prepare(task)
    gc.collect()
    gc.disable()
    start = time.process_time_ns()
    for _ in range(task["count"]):
        request = signer.request(task)
        sign(request)
    end = time.process_time_ns()
    gc.enable()
    signed = signer.signature(request)
    return {"nanoseconds": end - start, "signature": signed.rsplit("Signature=", 1)[1]}


def say(answer):
    print(json.dumps(answer), flush=True)


def main():
    try:
        signer = {"botocore": Botocore, "awscrt": AWSCommonRuntime, "aws-c-auth": CommonAuthentication}[sys.argv[1]]()
    except ImportError as error:
        say({"absence": str(error)})
        return
    say({"version": signer.version})
    for line in sys.stdin:
        say(measure(signer, json.loads(line)))


main()
