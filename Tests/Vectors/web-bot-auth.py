# SPDX-License-Identifier: Apache-2.0
# Prints web-bot-auth.txt: requests of bots and directories of their keys. The signature bases are put together
# here, line by line (RFC 9421, section 2.5), and the package cryptography signs them.
#
# The published ones are facts of draft-meunier-webbotauth-httpsig-protocol, "Test vectors" (commit a28dfe8a of
# thibmeu/http-message-signatures-directory), which are asserted here. The key is test-key-ed25519 of RFC 9421,
# B.1.4, and the second key is the one of RFC 8032, 7.1, test 2.

import base64
import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

SEEDS = ["9f8362f87a484a954e6e740c5b4c0e84229139a20aa8ab56ff66586f6a7d29c5",
         "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"]
CREATED = 1735689600


def unpadded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def key_and_id(seed):
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed))
    x = unpadded(key.public_key().public_bytes_raw())
    canonical = '{"crv":"Ed25519","kty":"OKP","x":"' + x + '"}'
    return key, x, unpadded(hashlib.sha256(canonical.encode()).digest())


def pem(seed):
    """The private key in PKCS #8, on one line of the table."""
    key, _, _ = key_and_id(seed)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
    return text.replace("\n", "\\n")


def digest(body):
    return "sha-256=:" + base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() + ":"


def signed(seed, label, components, parameters):
    """The two fields of a signature that covers components, which have values."""
    key, _, key_id = key_and_id(seed)
    inner = "(" + " ".join(name for name, _ in components) + ")" + parameters.replace("KEYID", key_id)
    lines = [f"{name}: {value}" for name, value in components] + [f'"@signature-params": {inner}']
    signature = base64.b64encode(key.sign("\n".join(lines).encode())).decode()
    return [("Signature-Input", f"{label}={inner}"), ("Signature", f"{label}=:{signature}:")]


def show(name, **fields):
    print(f"name: {name}")
    for field, value in fields.items():
        values = value if isinstance(value, list) else [value]
        for one in values:
            print(f"{field.replace('_', '-')}: {': '.join(one) if isinstance(one, tuple) else one}")
    print()


def request(name, form, method, authority, path, query, lifetime=60, nonce=None, body="", seed=SEEDS[0]):
    """A request as the library signs it: everything that the draft advises is covered."""
    origin = "https://bot.example"
    if form == "string":
        agent, component = f'"{origin}"', '"signature-agent"'
    else:
        agent, component = f'sig1="{origin}"', '"signature-agent";key="sig1"'
    components = [('"@method"', method), ('"@authority"', authority), ('"@path"', path),
                  ('"@query"', query or "?"), (component, f'"{origin}"')]
    headers = [("Signature-Agent", agent)]
    if body:
        components.append(('"content-digest"', digest(body)))
        headers.append(("Content-Digest", digest(body)))
    parameters = f";created={CREATED};expires={CREATED + lifetime}"
    parameters += f';nonce="{nonce}"' if nonce else ""
    headers += signed(seed, "sig1", components, parameters + ';keyid="KEYID";tag="web-bot-auth"')
    show(name, form=form, seed=seed, agent=origin, method=method, url=f"https://{authority}{path}{query}",
         lifetime=lifetime, nonce=nonce or "", body=body, header=headers)


def directory(name, authority, seeds):
    keys = [key_and_id(seed) for seed in seeds]
    items = [f'{{"kty":"OKP","crv":"Ed25519","kid":"{key_id}","x":"{x}","use":"sig"}}' for _, x, key_id in keys]
    body = '{"keys":[' + ",".join(items) + "]}"
    headers = [("Content-Type", "application/http-message-signatures-directory+json"),
               ("Content-Digest", digest(body))]
    for number, seed in enumerate(seeds, 1):
        headers += signed(
            seed, f"sig{number}", [('"@authority";req', authority), ('"content-digest"', digest(body))],
            f';created={CREATED};expires={CREATED + 300};keyid="KEYID";tag="http-message-signatures-directory"')
    show(name, seed=seeds, authority=authority, body=body, header=headers)


def published_request(name, form, agent, component, expires, nonce, signature):
    fields = signed(
        SEEDS[0], "sig2", [('"@authority"', "example.com"), (component, '"https://signature-agent.test"')],
        f';created={CREATED};keyid="KEYID";alg="ed25519";expires={expires};nonce="{nonce}";tag="web-bot-auth"')
    assert fields[1][1] == f"sig2=:{signature}:", name
    show(name, form=form, seed=SEEDS[0], pem=pem(SEEDS[0]), agent="https://signature-agent.test", method="POST",
         url="https://example.com/foo?param=Value&Pet=dog", lifetime=expires - CREATED, nonce=nonce, body="",
         header=[("Signature-Agent", agent)] + fields)


print("# Printed by web-bot-auth.py: requests of bots (form: that of Signature-Agent) and directories, signed in the")
print(f"# second {CREATED} by the package cryptography. Records whose name begins with \"published\" are those of the")
print("# draft. seed: the private key; header: what the signer adds, or the whole response.")
print()
published_request(
    "published string", "string", '"https://signature-agent.test"', '"signature-agent"', 1735693200,
    "e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==",
    "jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==")
published_request(
    "published dictionary, valid for 100 years", "dictionary", 'agent2="https://signature-agent.test"',
    '"signature-agent";key="agent2"', 4889289600,
    "n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==",
    "RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==")
for form in ["string", "dictionary"]:
    request(f"{form}, a page", form, "GET", "example.com", "/", "")
    request(f"{form}, a query", form, "GET", "shop.example:8443", "/a%2Fb", "?q=caf%C3%A9&x=1+2")
    request(f"{form}, a body and a nonce", form, "POST", "example.com", "/order", "", 86400,
            base64.b64encode(bytes(range(64))).decode(), '{"a":1}')
    request(f"{form}, another key", form, "GET", "example.com", "/", "", seed=SEEDS[1])
key, x, key_id = key_and_id(SEEDS[0])
body = f'{{"keys":[{{"kty":"OKP","crv":"Ed25519","kid":"{key_id}","x":"{x}","use":"sig"}}]}}'
fields = signed(
    SEEDS[0], "binding", [('"@authority";req', "signature-agent.test"), ('"content-digest"', digest(body))],
    f';created={CREATED};expires=4889289600;keyid="KEYID";tag="http-message-signatures-directory"')
assert fields[1][1] == ("binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/"
                        "UMkBxsigzChM1Gpz7gOVBg==:")
show("published directory", seed=SEEDS[:1], authority="signature-agent.test", body=body,
     header=[("Content-Type", "application/http-message-signatures-directory+json"),
             ("Content-Digest", digest(body))] + fields)
directory("directory, one key", "bot.example", SEEDS[:1])
directory("directory, two keys", "bot.example", SEEDS)
