# SPDX-License-Identifier: Apache-2.0
# Prints identity-proofs.txt: proofs of identity and SMTP passwords, by the packages of their makers.

import sys

sys.dont_write_bytecode = True

from botocore_tables.signing import print_field
from botocore_tables.tokens import (
    appsync, google_subject_token, keyspaces, mongodb, ses_smtp, vault)

TOKEN = "FwoG/ZXIv+YXdz=="
PROVIDER = "projects/1/locations/global/workloadIdentityPools/p/providers/q"
SECRET = "UNKSxqhnFYUllktRxYB92tVDWoSUDOAvIvmbTfQN"
print("# Printed by identity-proofs.py. function: the kind of sigv4 token. The fields after it are named like its options.")
print("# keyspaces: cassandra-sigv4; mongodb: pymongo-auth-aws; vault: hvac; google: google-auth; appsync: gql and botocore;")
print("# ses-smtp: AWS's documented algorithm with Python's hmac.")


def record(name, function, date="20240102T030405Z", token=None, secret=None, **inputs):
    """A record with what the function of this name returns for the inputs."""
    print()
    fields = [("name", name), ("function", function), ("region", inputs.pop("region", "us-east-1")),
              ("date", date), *[(field.replace("_", "-"), value) for field, value in inputs.items()]]
    if secret:
        fields.append(("secret-access-key", secret))
    if token:
        fields.append(("token", token))
    for field, value in fields:
        print_field(field, value)
    maker = {"keyspaces": keyspaces, "mongodb": mongodb, "vault": vault, "google": google_subject_token,
             "appsync": appsync, "appsync-message": appsync, "ses-smtp": ses_smtp}[function]
    values = {name.replace("-", "_"): value for name, value in fields[2:]}
    print_field("text", maker(**values))


record("Keyspaces", "keyspaces", challenge="nonce=44ba6d0bce729ef4eabcad6427d06d61")
record("Keyspaces, session token", "keyspaces", region="eu-west-3", token=TOKEN,
       challenge="nonce=44ba6d0bce729ef4eabcad6427d06d61")
record("Keyspaces, more around the nonce", "keyspaces", date="99991231T000000Z", region="cn-north-1",
       challenge="v=1,nonce=0123456789abcdef0123456789abcdef,more")
NONCE = "0LP3thgwUb1o2soZ6hiy/2cxTOfkvrIE6euNiHtYlTfg4eLj5OXm5+jp6uvs7e7v8PHy8/T19vf4+fr7/P3+/w=="
record("MongoDB, global endpoint", "mongodb", server_nonce=NONCE, sts_host="sts.amazonaws.com")
record("MongoDB, session token", "mongodb", server_nonce=NONCE, region="eu-west-3", token=TOKEN,
       sts_host="sts.eu-west-3.amazonaws.com")
record("MongoDB, a host of one label", "mongodb", server_nonce=NONCE, sts_host="localhost")
record("MongoDB, a domain of one's own", "mongodb", server_nonce=NONCE, region="b",
       sts_host="a.b.c.example")
record("Vault", "vault")
record("Vault, role and server ID", "vault", role="app", server_id="vault.example.com")
record("Vault, session token", "vault", token=TOKEN, role="a \"b\" \\ \u00E9")
record("Vault, endpoint of a region", "vault", region="eu-central-1",
       sts_host="sts.eu-central-1.amazonaws.com", server_id="v")
record("Vault, VPC endpoint", "vault", region="eu-west-1",
       sts_host="vpce-0123456789abcdef0-abcdefgh.sts.eu-west-1.vpce.amazonaws.com")
record("Google", "google", audience="//iam.googleapis.com/" + PROVIDER)
record("Google, session token", "google", region="ap-southeast-2", token=TOKEN,
       audience="https://iam.googleapis.com/" + PROVIDER)
record("Google from China", "google", region="cn-north-1",
       audience="//iam.googleapis.com/" + PROVIDER)
HOST = "abcdefghij.appsync-api.us-east-1.amazonaws.com"
record("AppSync Events", "appsync", hostname=HOST)
record("AppSync GraphQL, session token", "appsync", hostname=HOST, api="graphql", token=TOKEN)
record("AppSync Events, a domain of one's own", "appsync", hostname="events.example.com")
record("AppSync Events, subscribe", "appsync-message", hostname=HOST,
       message='{"channel":"/default/a"}')
record("AppSync Events, publish, session token", "appsync-message", hostname=HOST, token=TOKEN,
       message='{"channel":"/default/a","events":["{\\"text\\":\\"h\u00E9\\"}"]}')
record("AppSync GraphQL, start", "appsync-message", hostname=HOST, api="graphql",
       message='{"query":"subscription { a }","variables":{}}')
record("SES, another secret", "ses-smtp", region="eu-west-3", secret=SECRET)
record("SES", "ses-smtp")
