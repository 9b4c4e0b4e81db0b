# SPDX-License-Identifier: Apache-2.0
"""Refusals that are pasted into the page: what a server computes is botocore's, of a request that
something on the way changed."""
import hashlib
import json
import re
from pathlib import Path
from xml.sax.saxutils import escape

from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from browser_page import SECRET, Page, expect

KEY_ID = "AKIAIOSFODNN7EXAMPLE"
TIME = "20150830T123600Z"
NOTHING = hashlib.sha256(b"").hexdigest()
BODY = hashlib.sha256(b"a body").hexdigest()


class Case:
  """What was signed, what arrived, and what the page has to find."""

  def __init__(self, cause, sent, arrived, *, service="execute-api", region="us-east-1",
               there=None, marked=None):
    self.cause = cause
    self.sent = ("GET", "/dev/photos/a%20b?x=1&y=2", {"x-tenant": "one"}, "") if sent is None else sent
    self.arrived = arrived(*self.sent)
    self.service, self.region = service, region
    self.there = there or (service, region)
    self.marked = marked

  @property
  def host(self):
    return "abc.execute-api.us-east-1.amazonaws.com" if self.service == "execute-api" else (
      "examplebucket.s3.amazonaws.com")

  def answer(self):
    """Canonical request and string to sign of what arrived, by botocore."""
    method, target, headers, body = self.arrived
    service, region = self.there
    kind = S3SigV4Auth if self.service == "s3" else SigV4Auth
    auth = kind(Credentials(KEY_ID, SECRET), service, region)
    headers = {**headers, "x-amz-date": TIME}
    digest = hashlib.sha256(body.encode()).hexdigest()
    if self.service == "s3":
      headers["x-amz-content-sha256"] = digest
    request = AWSRequest(method, f"https://{self.host}{target}", headers=headers, data=body)
    request.context["timestamp"] = TIME
    canonical = auth.canonical_request(request)
    return canonical, auth.string_to_sign(request, canonical)


def with_target(target):
  return lambda method, _, headers, body: (method, target, headers, body)


def with_headers(headers):
  return lambda method, target, _, body: (method, target, headers, body)


def same(*request):
  return request


CASES = [
  Case("headerChanged", None, with_headers({"x-tenant": "two"}),
       marked=("x-tenant:one", ["one"], "x-tenant:two", ["two"])),
  # S3 and others write the name alone of a header that did not arrive.
  Case("headerMissing", None, with_headers({"x-tenant": ""})),
  Case("headerAdded", None, with_headers({"x-tenant": "one", "x-via": "proxy"})),
  Case("pathPrefixRemoved", None, with_target("/photos/a%20b?x=1&y=2")),
  Case("pathPrefixAdded", None, with_target("/v1/dev/photos/a%20b?x=1&y=2")),
  Case("queryParameterMissing", None, with_target("/dev/photos/a%20b?x=1")),
  Case("queryParameterAdded", None, with_target("/dev/photos/a%20b?utm=3&x=1&y=2")),
  Case("queryParameterChanged", None, with_target("/dev/photos/a%20b?x=9&y=2"),
       marked=("x=1&y=2", ["1"], "x=9&y=2", ["9"])),
  Case("method", None, lambda _, *rest: ("HEAD", *rest)),
  Case("payload", ("POST", "/dev", {}, "a body"), lambda method, target, headers, _: (
    method, target, headers, "a body\n")),
  Case("payload", ("POST", "/dev", {}, "a body"), lambda method, target, headers, _: (
    method, target, headers, "")),
  Case("region", None, same, there=("execute-api", "eu-west-1")),
  Case("service", None, same, there=("lambda", "us-east-1")),
  # The texts are the same, so the secret is not: but the time is that of the answer.
  Case("signature", None, same),
  Case("headerChanged", ("GET", "/a//b/%C3%A9", {"range": "bytes=0-9"}, ""),
       with_headers({"range": "bytes=0-99"}), service="s3"),
  Case("pathNormalized", ("GET", "/a//b", {}, ""), with_target("/a/b"), service="s3"),
]


def xml(canonical, to_sign):
  """As S3 answers (Tests/Vectors/error-bodies.txt, s3-signature-does-not-match)."""
  fields = {"Code": "SignatureDoesNotMatch", "AWSAccessKeyId": KEY_ID, "StringToSign": to_sign,
            "CanonicalRequest": canonical,
            "CanonicalRequestBytes": canonical.encode().hex(" ")}
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error>" + "".join(
    f"<{name}>{escape(text)}</{name}>" for name, text in fields.items()) + "</Error>"


def message(canonical, to_sign):
  """As other services answer (the same table, json-services-signature-mismatch)."""
  return json.dumps({"message": (
    "The request signature we calculated does not match the signature you provided. Check your AWS"
    " Secret Access Key and signing method. Consult the service documentation for details.\n\n"
    f"The Canonical String for this request should have been\n'{canonical}'\n\n"
    f"The String-to-Sign should have been\n'{to_sign}'\n")})


def check(browser, address):
  page = Page(browser, address)
  page.press("GET object")
  for case in CASES:
    for write in (xml, message):
      check_case(page, case, write(*case.answer()))
  check_documented(page)
  check_sent_url(page)
  check_nothing(page)
  check_without_key_id(page)
  check_example_is_not_asked(page)
  page.close()
  print(f"{len(CASES)} changed requests in two formats have their causes, by botocore's texts")


def check_case(page, case, answer):
  method, target, headers, body = case.sent
  fill(page, method=method, url=f"https://{case.host}{target}", body=body,
       region=case.region, service=case.service,
       headers="\n".join(f"{name}: {value}" for name, value in headers.items()))
  explain(page, answer)
  expect(page.text("explanation h3"), f"Cause: {case.cause}", str(case.sent))
  assert TIME in page.text("explanation"), page.text("explanation")
  if case.cause != "signature":
    assert "First difference:" in page.text("explanation"), page.text("explanation")
  if case.marked:
    lines = page.tab.locator(".pair-of-lines li").all()
    found = [part for line in lines for part in (
      line.locator("code").text_content(), line.locator("mark").all_text_contents())]
    expect(tuple(found), case.marked, "the marked lines")


def check_documented(page):
  """Answers of public reports."""
  table = Path("Tests/Vectors/error-bodies.txt").read_text(encoding="utf-8")
  names = ["s3-signature-does-not-match", "json-services-signature-mismatch", "s3-request-time-too-skewed"]
  for name in names:
    text = table[table.index(f"name: {name}\n"):].split("\n\n")[0]
    fields = dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE))
    body = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], fields["body"])
    fill(page, method="GET", url=fields.get("url", "https://example.com/"), body="",
         headers=fields.get("header", ""), region="us-east-1",
         service=fields.get("service", "s3"), time=fields["at"], secret=fields.get("secret", SECRET))
    explain(page, body)
    # Where neither signature nor secret can be checked, a changed date is possible too.
    expected = "signature" if name.startswith("json") else fields["code"]
    expect(page.text("explanation h3"), f"Cause: {expected}", name)
  # Without the secret too.
  fill(page, secret="")
  explain(page, body)
  expect(page.text("explanation h3"), "Cause: clock", "without the secret")
  fill(page, secret=SECRET)


def check_sent_url(page):
  """A presigned URL as it was sent: time and scope stand in it."""
  url = ("https://examplebucket.s3.amazonaws.com/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256"
         f"&X-Amz-Credential={KEY_ID}%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
         "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
         "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  # S3 API Reference, "Authenticating Requests: Using Query Parameters", with another path.
  canonical = "\n".join([
    "GET", "/other.txt", url.split("?")[1].split("&X-Amz-Signature")[0],
    "host:examplebucket.s3.amazonaws.com", "", "host", "UNSIGNED-PAYLOAD"])
  to_sign = "\n".join(["AWS4-HMAC-SHA256", "20130524T000000Z", "20130524/us-east-1/s3/aws4_request",
                       hashlib.sha256(canonical.encode()).hexdigest()])
  fill(page, url=url, headers="")
  expect(page.text("error"), "", "a URL that is signed already is no error")
  assert "paste the server's response" in page.text("notice"), page.text("notice")
  explain(page, xml(canonical, to_sign))
  expect(page.text("explanation h3"), "Cause: path", "a presigned URL")


def check_without_key_id(page):
  """The answer names the access key ID that the form leaves out."""
  case = CASES[0]
  fill(page, url=f"https://{case.host}{case.sent[1]}", headers="x-tenant: one", region=case.region,
       service=case.service)
  fill(page, **{"access-key-id": ""})
  explain(page, xml(*case.answer()))
  expect(page.text("explanation h3"), f"Cause: {case.cause}", "without the access key ID")


def check_example_is_not_asked(page):
  """An answer to another request is not explained by the example that the page begins with."""
  page.press("GET object")
  page.tab.fill("#answer", xml(*CASES[0].answer()))
  page.tab.click("#explain")
  page.tab.wait_for_selector("#answer-error:not(:empty)")
  assert "still contains an example" in page.text("answer-error"), page.text("answer-error")
  expect(page.tab.locator("#explanation *").count(), 0, "the explanation by an example")


def check_nothing(page):
  page.tab.fill("#answer", "")
  page.tab.click("#explain")
  page.tab.wait_for_selector("#answer-error:not(:empty)")
  expect(page.tab.locator("#explanation *").count(), 0, "the explanation of nothing")


def fill(page, **values):
  for name, value in values.items():
    page.tab.fill(f"#{name}", value)
  page.tab.locator("#url").blur()
  page.settle()


def explain(page, answer):
  page.tab.fill("#answer", answer)
  page.tab.evaluate("document.getElementById('explanation').replaceChildren()")
  page.tab.click("#explain")
  page.tab.wait_for_selector("#explanation h3, #answer-error:not(:empty)")
  expect(page.text("answer-error"), "", "the answer")
