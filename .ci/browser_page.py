# SPDX-License-Identifier: Apache-2.0
"""The page of docs/browser: published signatures, marks, secrets, keyboard, narrow and dark."""
import hashlib
import hmac
import re
from pathlib import Path

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
# The buttons of the page, and the records of Tests/Vectors/published-vectors.txt.
EXAMPLES = {
  "GET object": "S3 GET object", "PUT object": "S3 PUT object",
  "Bucket lifecycle": "S3 GET bucket lifecycle", "List objects": "S3 list objects",
  "Presigned GET": "S3 presigned GET"}
# The texts of a list of lines, without those that were taken out.
LINES = "list => [...list.querySelectorAll('li:not(.removed) code')].map(code => code.textContent)"


def record(name):
  """A record of the published vectors: its fields by their names."""
  table = Path("Tests/Vectors/published-vectors.txt").read_text(encoding="utf-8")
  text = table[table.index(f"name: {name}\n"):].split("\n\n")[0]
  fields = dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE))
  return {name: value.replace("\\n", "\n") for name, value in fields.items()}


class Page:
  """The page in a tab, and what it asked for, said and refused."""

  def __init__(self, browser, address, **options):
    self.context = browser.new_context(**options)
    self.tab = self.context.new_page()
    self.requests = []
    self.problems = []
    self.tab.on("request", lambda request: self.requests.append(request.url))
    self.tab.on("console", lambda message: self.problems.append(message.text))
    self.tab.on("pageerror", lambda error: self.problems.append(str(error)))
    self.tab.goto(address)
    self.settle()

  def settle(self):
    """Waits for the run that the last action began."""
    self.tab.wait_for_function("document.body.dataset.turn === String(turns)")

  def press(self, name):
    self.tab.get_by_role("button", name=name, exact=True).click()
    self.settle()

  def fill(self, identifier, text):
    self.tab.fill(f"#{identifier}", text)
    self.tab.locator(f"#{identifier}").blur()
    self.settle()

  def lines(self, identifier):
    return self.tab.locator(f"#{identifier}").evaluate(LINES)

  def changed(self, identifier):
    """The changed lines, and the marked texts in each."""
    lines = self.tab.locator(f"#{identifier} li.changed").all()
    return [(line.locator("code").text_content(), line.locator("mark").all_text_contents())
            for line in lines]

  def text(self, identifier):
    return self.tab.locator(f"#{identifier}").text_content()

  def close(self):
    assert not self.problems, f"the page says {self.problems}"
    self.context.close()


def expect(found, expected, what):
  assert found == expected, f"{what}: {found!r}, expected {expected!r}"


def check(browser, address):
  for checks in (check_published, check_keys, check_marks, check_errors, check_no_secret,
                 check_isolation, check_keyboard, check_narrow, check_contrast):
    checks(browser, address)


def check_published(browser, address):
  page = Page(browser, address)
  for button, name in EXAMPLES.items():
    page.press(button)
    published = record(name)
    canonical = "\n".join(page.lines("canonical-request"))
    to_sign = "\n".join(page.lines("string-to-sign"))
    expect(canonical, published["canonical-request"], name)
    expect(page.lines("hash"), [hashlib.sha256(canonical.encode()).hexdigest()], name)
    expect(to_sign, published["string-to-sign"], name)
    expect(page.lines("signature"), [published["signature"]], name)
    shown = page.lines("result")
    expected = published.get("presigned-url") or "Authorization: " + published["authorization"]
    assert expected in shown, f"{name}: the page shows {shown}, and not {expected}"
  page.close()
  print(f"{len(EXAMPLES)} examples have the published steps, headers and URL")


def check_keys(browser, address):
  """The beginnings of the keys are those of Python's hmac; no key stands in the page in full."""
  page = Page(browser, address)
  page.press("GET object")
  key, keys = b"AWS4" + SECRET.encode(), []
  for part in ["20130524", "us-east-1", "s3", "aws4_request"]:
    key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    keys.append(key.hex())
  expect(page.lines("signing-key"), [digits[:8] for digits in keys], "keys")
  content = page.tab.content()
  for digits in keys:
    assert digits[:10] not in content, "a key is shown"
  assert SECRET not in page.tab.inner_text("body"), "the secret is shown"
  field = page.tab.locator("#secret")
  expect((field.get_attribute("type"), field.get_attribute("autocomplete")), ("password", "off"),
         "the field of the secret")
  page.close()
  print("four bytes of each key are shown, and they are those of hmac")


def botocore_steps(method, url, headers, body_digest):
  """Canonical request, string to sign and signature by botocore, at the time of the examples."""
  auth = S3SigV4Auth(Credentials("AKIAIOSFODNN7EXAMPLE", SECRET), "s3", "us-east-1")
  headers = {**headers, "x-amz-date": "20130524T000000Z", "x-amz-content-sha256": body_digest}
  request = AWSRequest(method, url, headers=headers)
  request.context["timestamp"] = "20130524T000000Z"
  canonical = auth.canonical_request(request)
  to_sign = auth.string_to_sign(request, canonical)
  return canonical, to_sign, auth.signature(to_sign, request)


def check_marks(browser, address):
  nothing = hashlib.sha256(b"").hexdigest()
  url = "https://examplebucket.s3.amazonaws.com/test.txt"
  page = Page(browser, address)
  page.press("GET object")
  before = page.lines("signature")[0]
  page.fill("headers", "Range: bytes=0-19")
  canonical, to_sign, signature = botocore_steps(
    "GET", url, {"Range": "bytes=0-19"}, nothing)
  expect("\n".join(page.lines("canonical-request")), canonical, "canonical request")
  expect("\n".join(page.lines("string-to-sign")), to_sign, "string to sign")
  expect(page.lines("signature"), [signature], "signature")
  expect(page.changed("canonical-request"), [("range:bytes=0-19", ["1"])], "marked")
  for step in ("hash", "string-to-sign"):
    expect([text for text, _ in page.changed(step)], [to_sign.split("\n")[3]], "marked")
  expect(page.changed("signing-key"), [], "marked")
  # Where the digits are the same, they are not marked.
  marked = "".join(page.changed("signature")[0][1])
  assert marked in signature and marked not in before and len(marked) > 50, f"marked: {marked}"
  for part in ("range", "hash; ", "hash of step 2", "signature"):
    assert part in page.text("status"), page.text("status")
  check_added_and_removed(page, url, nothing)
  page.close()
  print("the bytes that changed are marked, and the signature is botocore's")


def check_added_and_removed(page, url, nothing):
  page.fill("headers", "Range: bytes=0-19\nx-amz-meta-a: b")
  canonical, _, signature = botocore_steps(
    "GET", url, {"Range": "bytes=0-19", "x-amz-meta-a": "b"}, nothing)
  expect("\n".join(page.lines("canonical-request")), canonical, "canonical request")
  expect(page.lines("signature"), [signature], "signature")
  names = "host;range;x-amz-content-sha256;x-amz-date;x-amz-meta-a"
  expect(page.changed("canonical-request"),
         [("x-amz-meta-a:b", ["x-amz-meta-a:b"]), (names, [";x-amz-meta-a"])], "marked")
  page.fill("headers", "x-amz-meta-a: b")
  removed = page.tab.locator("#canonical-request .removed del").all_text_contents()
  expect(removed, ["range:bytes=0-19"], "removed")
  # A day of its own changes the keys too; typing is one edit.
  page.tab.locator("#time").focus()
  page.tab.keyboard.press("Home")
  for key in ["Delete", "Delete", "2", "0", "Delete", "Delete", "1", "5"]:
    page.tab.keyboard.press(key)
    page.settle()
  expect([text for text, _ in page.changed("canonical-request")],
         ["x-amz-date:20150524T000000Z"], "marked")
  expect(len(page.changed("signing-key")), 4, "changed keys")


def check_errors(browser, address):
  """What the library refuses stands beside the form, and is text whatever it holds."""
  page = Page(browser, address)
  page.fill("url", "ftp://example.com/")
  message = page.text("error")
  assert message.startswith("invalidURL: ") and "https://host/path?query" in message, message
  page.press("GET object")
  expect(page.text("error"), "", "error")
  page.fill("headers", 'x-a: <img src=x onerror="document.title=1">')
  assert "<img src=x" in page.text("canonical-request"), "the header is not shown"
  expect(page.tab.locator("#canonical-request img").count(), 0, "elements made of input")
  page.fill("headers", "no colon")
  assert "Name: value" in page.text("error"), page.text("error")
  expect(page.tab.locator("#error").get_attribute("role"), "alert", "role of errors")
  page.press("PUT object")
  page.fill("body", "x" * 600_000)
  assert "524288 bytes" in page.text("error"), page.text("error")
  page.close()
  print("errors stand beside the form, in the words of the library")


def check_no_secret(browser, address):
  """Without the secret, the first three steps are there."""
  page = Page(browser, address)
  page.press("GET object")
  page.fill("secret", "")
  published = record("S3 GET object")
  expect("\n".join(page.lines("string-to-sign")), published["string-to-sign"], "string to sign")
  expect(page.lines("signature"), ["Needs the secret access key."], "signature")
  page.close()


def check_isolation(browser, address):
  """From a file, without a request, with a policy that refuses connections and markup."""
  page = Page(browser, address)
  for button in EXAMPLES:
    page.press(button)
  assert address.startswith("file://") and page.requests == [address], page.requests
  page.problems.clear()
  refused = page.tab.evaluate(
    "() => fetch('https://example.com/').then(() => 'sent', () => 'refused')")
  markup = page.tab.evaluate(
    "() => { try { document.body.innerHTML = ''; return 'set' } catch { return 'refused' } }")
  expect((refused, markup), ("refused", "refused"), "the policy")
  assert any("default-src 'none'" in text for text in page.problems), page.problems
  expect(page.requests, [address], "requests")
  expect(page.tab.evaluate("[localStorage.length, sessionStorage.length, document.cookie]"),
         [0, 0, ""], "what is stored")
  page.problems.clear()
  page.close()
  print("the page asks for nothing but itself, stores nothing, and its policy refuses connections")


# The element that has the focus: its name for people, and whether the focus is seen.
FOCUSED = """() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  return {
    id: element.id || element.textContent.trim(),
    name: element.labels?.[0]?.textContent.trim() || element.textContent.trim(),
    seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    inView: element.getBoundingClientRect().left >= 0,
  };
}"""


def check_keyboard(browser, address):
  """All is done with Tab, Enter and letters."""
  page = Page(browser, address)
  order = []
  for _ in range(60):
    page.tab.keyboard.press("Tab")
    focused = page.tab.evaluate(FOCUSED)
    if focused["id"] in order or page.tab.evaluate("document.activeElement === document.body"):
      break
    order.append(focused["id"])
    assert focused["name"] and focused["seen"] and focused["inView"], f"{focused} by keyboard"
  expect(order, [
    "Skip to the steps", "Explain a 403", *EXAMPLES, "Paste a curl command", "method", "url", "headers", "body",
    "unsigned", "region", "service", "time", "now", "access-key-id", "secret", "token",
    "in-headers", "sign", "Copy canonical request", "Copy string to sign", "Copy signature",
    "Copy headers or URL", "answer", "explain", "example-answer"], "order of the focus")
  go_by_keyboard(page, "Presigned GET")
  page.tab.keyboard.press("Enter")
  page.settle()
  expect(page.lines("result")[0], record("S3 presigned GET")["presigned-url"], "by keyboard")
  go_by_keyboard(page, "example-answer")
  page.tab.keyboard.press("Space")
  page.tab.wait_for_selector("#explanation h3")
  expect(page.text("explanation h3"), "Cause: headerChanged", "by keyboard")
  page.close()
  print(f"{len(order)} controls have a name and a visible focus, and do what they do by keyboard")


def go_by_keyboard(page, identifier):
  for _ in range(60):
    if page.tab.evaluate(FOCUSED)["id"] == identifier:
      return
    page.tab.keyboard.press("Tab")
  raise AssertionError(f"{identifier} is not reached by keyboard")


def check_narrow(browser, address):
  for width in (360, 320):
    page = Page(browser, address, viewport={"width": width, "height": 740})
    for button in (*EXAMPLES, "An example"):
      page.press(button)
      wide = page.tab.evaluate("document.documentElement.scrollWidth")
      assert wide <= width, f"{button}: {wide} px at a width of {width} px"
    page.close()
  print("nothing is wider than 360 px or 320 px")


# Texts whose contrast with what is behind them is below WCAG 2.2, 1.4.3 (4.5 to 1).
FAINT = """() => {
  const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => numbers(color).slice(0, 3)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const color = getComputedStyle(each).backgroundColor;
      if (numbers(color)[3] !== 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!isText && !["INPUT", "TEXTAREA"].includes(element.tagName)) continue;
    if (!element.checkVisibility()) continue;
    const [one, other] = [luminance(getComputedStyle(element).color), luminance(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) found.push(`${element.tagName} ${element.textContent.slice(0, 40)} ${contrast}`);
  }
  return found;
}"""


def check_contrast(browser, address):
  grounds = set()
  for scheme in ("light", "dark"):
    page = Page(browser, address, color_scheme=scheme)
    page.press("An example")
    page.tab.wait_for_selector("#explanation h3")
    page.fill("headers", "x-amz-meta-a: b")
    page.tab.evaluate("document.getElementById('answer-error').textContent = 'an error'")
    expect(page.tab.evaluate(FAINT), [], f"faint texts, {scheme}")
    grounds.add(page.tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    page.close()
  expect(len(grounds), 2, "backgrounds of light and dark")
  print("every text has a contrast of 4.5 to 1 at least, light and dark")


def take_pictures(browser, address, folder):
  """light.png, dark.png and phone.png: an edit of the first example, and an explained answer."""
  folder.mkdir(parents=True, exist_ok=True)
  sizes = {"light": (1180, 1080), "dark": (1180, 1080), "phone": (360, 740)}
  for name, (width, height) in sizes.items():
    page = Page(browser, address, color_scheme="dark" if name == "dark" else "light",
                viewport={"width": width, "height": height})
    page.press("An example")
    page.tab.wait_for_selector("#explanation h3")
    page.fill("headers", "Range: bytes=0-4")
    page.fill("headers", "Range: bytes=0-9")
    page.tab.evaluate("scrollTo(0, 0)")
    page.tab.screenshot(path=folder / f"{name}.png")
    page.tab.screenshot(path=folder / f"{name}-whole.png", full_page=True)
    page.close()
