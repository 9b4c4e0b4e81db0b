# SPDX-License-Identifier: Apache-2.0
# Prints webhooks.txt: webhooks with their headers, signed by the packages of their senders: standardwebhooks
# 1.1.0, stripe 16.1.0, slack_sdk 3.48.0. GitHub, Shopify and Discord have none in Python: their codes are
# hmac's, in the form that their documentation gives, and the Ed25519 signatures are those of cryptography.
#
# The examples that GitHub, Slack and Standard Webhooks publish are asserted here.

import base64
import datetime
import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from slack_sdk.signature import SignatureVerifier
from standardwebhooks.webhooks import Webhook
from stripe import WebhookSignature

STANDARD = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
STANDARD_TEST = ("msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}')
SEED = base64.b64decode("VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=")
SLACK = "8f742231b10e8888abcd99yyyzzz85a5"
SLACK_BODY = (
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V"
    "&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text="
    "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
    "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c")
GITHUB = "It's a Secret to Everybody"
BODIES = ["", "{}", '{"name":"caf\u00e9 \U0001F600"}', "a=b&c=%20d", '{"text":"1.2.3"}\n', "x" * 5000]
TIME = 1767225600


def print_field(name, value):
    text = str(value).replace("\\", "\\\\").replace("\n", "\\n")
    print(f"{name}: {text}")


def show(name, sender, secret, body, headers, seconds=None):
    print_field("name", name)
    print_field("sender", sender)
    print_field("secret", secret)
    if seconds is not None:
        print_field("time", seconds)
    print_field("body", body)
    for header in headers:
        print_field("header", ": ".join(header))
    print()


def standard(message, seconds, body, secret=STANDARD):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return [("webhook-id", message), ("webhook-timestamp", str(seconds)),
            ("webhook-signature", Webhook(secret).sign(message, moment, body))]


# Svix Docs, "Verifying Manually": the header names are different.
def svix(message, seconds, body):
    return [(name.replace("webhook-", "svix-"), value) for name, value in standard(message, seconds, body)]


def standard_ed25519(message, seconds, body):
    signature = Ed25519PrivateKey.from_private_bytes(SEED).sign(f"{message}.{seconds}.{body}".encode())
    return [("webhook-id", message), ("webhook-timestamp", str(seconds)),
            ("webhook-signature", "v1a," + base64.b64encode(signature).decode())]


def stripe(secret, seconds, body):
    return [("Stripe-Signature", WebhookSignature.generate_signature_header(body, secret, seconds))]


def slack(secret, seconds, body):
    signature = SignatureVerifier(secret).generate_signature(timestamp=str(seconds), body=body)
    return [("X-Slack-Request-Timestamp", str(seconds)), ("X-Slack-Signature", signature)]


def code(secret, body):
    return hmac.new(secret.encode(), body.encode(), hashlib.sha256)


def github(secret, body):
    return [("X-Hub-Signature-256", "sha256=" + code(secret, body).hexdigest())]


def shopify(secret, body):
    return [("X-Shopify-Hmac-SHA256", base64.b64encode(code(secret, body).digest()).decode())]


def discord(seconds, body):
    signature = Ed25519PrivateKey.from_private_bytes(SEED).sign(f"{seconds}{body}".encode())
    return [("X-Signature-Timestamp", str(seconds)), ("X-Signature-Ed25519", signature.hex())]


published = [
    (standard(*STANDARD_TEST), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    (standard_ed25519(*STANDARD_TEST),
     "v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag=="),
    (slack(SLACK, 1531420618, SLACK_BODY),
     "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"),
    (github(GITHUB, "Hello, World!"),
     "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"),
]
for headers, signature in published:
    assert headers[-1][1] == signature, headers

print("# Printed by webhooks.py, which uses the packages standardwebhooks, stripe, slack_sdk and cryptography, and")
print("# hmac of Python. Records whose name begins with \"published\" are examples of the senders. secret: as the sender")
print("# shows it; for ed25519 and discord, the seed of the private key in base64. time: the Unix time in seconds.")
print()
show("published standard", "standard", STANDARD, STANDARD_TEST[2], standard(*STANDARD_TEST), STANDARD_TEST[1])
seed = base64.b64encode(SEED).decode()
show("published standard ed25519", "ed25519", seed, STANDARD_TEST[2], standard_ed25519(*STANDARD_TEST), STANDARD_TEST[1])
show("published slack", "slack", SLACK, SLACK_BODY, slack(SLACK, 1531420618, SLACK_BODY), 1531420618)
show("published github", "github", GITHUB, "Hello, World!", github(GITHUB, "Hello, World!"))
for number, body in enumerate(BODIES):
    show(f"standard {number}", "standard", STANDARD, body, standard(f"msg_{number}", TIME, body), TIME)
    show(f"svix {number}", "svix", STANDARD, body, svix(f"msg_{number}", TIME, body), TIME)
    show(f"ed25519 {number}", "ed25519", seed, body, standard_ed25519(f"msg_{number}", TIME, body), TIME)
    show(f"stripe {number}", "stripe", "whsec_test_secret", body, stripe("whsec_test_secret", TIME, body), TIME)
    show(f"slack {number}", "slack", SLACK, body, slack(SLACK, TIME, body), TIME)
    show(f"github {number}", "github", GITHUB, body, github(GITHUB, body))
    show(f"shopify {number}", "shopify", "hush", body, shopify("hush", body))
    show(f"discord {number}", "discord", seed, body, discord(TIME, body), TIME)
