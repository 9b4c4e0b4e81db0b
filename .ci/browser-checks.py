# SPDX-License-Identifier: Apache-2.0
"""What a browser shows and sends: `browser-checks.py PAGE [PICTURES]`, for .ci/check-browser.

PAGE is the built page; PICTURES is a folder for screenshots of it.
"""
import contextlib
import email.policy
import hashlib
import hmac
import html.parser
import http.server
import re
import sys
import threading
from email.parser import BytesParser
from pathlib import Path

from playwright.sync_api import sync_playwright

import browser_commands
import browser_page
import browser_refusals

FILE = ("été 1.png", "image/png", b"\x89PNG, or whatever the user chose\r\n")


class Handler(http.server.BaseHTTPRequestHandler):
  """The page of the form, and the place that it is posted to."""

  form_page = ""
  posted = None

  def do_GET(self):
    self.answer(Handler.form_page)

  def do_POST(self):
    body = self.rfile.read(int(self.headers["Content-Length"]))
    Handler.posted = (self.headers["Content-Type"], body)
    self.answer("<p>received</p>")

  def answer(self, page):
    self.send_response(200)
    self.send_header("Content-Type", "text/html; charset=utf-8")
    self.end_headers()
    self.wfile.write(page.encode())

  def log_message(self, *_):
    pass


class Form(html.parser.HTMLParser):
  """The hidden inputs of a page, as pairs of name and value."""

  def __init__(self, text):
    super().__init__()
    self.fields = []
    self.feed(text)

  def handle_starttag(self, tag, attrs):
    attributes = dict(attrs)
    if tag == "input" and attributes.get("type") == "hidden":
      self.fields.append((attributes["name"], attributes["value"]))


def check_form(browser):
  """The form of docs/how-to/post-policy.md arrives as it was signed."""
  server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
  threading.Thread(target=server.serve_forever, daemon=True).start()
  address = f"http://127.0.0.1:{server.server_port}"
  page = Path("docs/how-to/post-policy.md").read_text(encoding="utf-8")
  text = re.search(r"^```html\n(<form action=.*?</form>\n)```$", page, re.DOTALL | re.MULTILINE)[1]
  local = re.sub(r'action="[^"]*"', f'action="{address}/bucket"', text)
  Handler.form_page = f'<!doctype html><meta charset="utf-8">{local}'
  # The user chooses a file and presses the button.
  tab = browser.new_page()
  tab.goto(f"{address}/form.html")
  tab.set_input_files(
    "input[type=file]", {"name": FILE[0], "mimeType": FILE[1], "buffer": FILE[2]})
  tab.click("button")
  tab.wait_for_selector("text=received")
  tab.close()
  server.shutdown()
  check_posted(Form(text).fields)


def check_posted(expected):
  content_type, body = Handler.posted
  message = BytesParser(policy=email.policy.HTTP).parsebytes(
    b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
  parts = [(part.get_param("name", header="content-disposition"), part)
           for part in message.iter_parts()]
  sent = [(name, part.get_payload(decode=True).decode()) for name, part in parts[:-1]]
  name, last = parts[-1]
  values = dict(sent)
  assert sent == expected, f"the browser sent {sent}, and the page has {expected}"
  assert name == "file" and last.get_payload(decode=True) == FILE[2], f"the last field is {name}"
  assert values["x-amz-signature"] == signature(values), "the signature is of another policy"
  print(f"the form arrives with its {len(sent)} fields in order, the file last, and its signature"
        " is that of the policy")


def signature(values):
  """Signature Version 4 of the policy, with the secret of AWS's examples."""
  key = b"AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  for part in values["x-amz-credential"].split("/")[1:]:
    key = hmac.new(key, part.encode(), hashlib.sha256).digest()
  return hmac.new(key, values["policy"].encode(), hashlib.sha256).hexdigest()


@contextlib.contextmanager
def chromium():
  with sync_playwright() as playwright:
    # The sandbox needs rights that a container does not have; only pages of ours are opened.
    browser = playwright.chromium.launch(
      executable_path="/usr/bin/chromium",
      args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
    try:
      yield browser
    finally:
      browser.close()


def main(page, pictures=None):
  with chromium() as browser:
    for checks in (browser_commands, browser_refusals, browser_page):
      checks.check(browser, Path(page).resolve().as_uri())
    check_form(browser)
    if pictures:
      browser_page.take_pictures(browser, Path(page).resolve().as_uri(), Path(pictures))


main(*sys.argv[1:])
