# SPDX-License-Identifier: Apache-2.0
# What a browser shows and sends: `browser-checks.py FOLDER [SCREENSHOT]`, for .ci/check-browser.
import email.policy
import hashlib
import hmac
import html.parser
import http.server
import re
import subprocess
import sys
import tempfile
import threading
from email.parser import BytesParser

FOLDER = sys.argv[1]
SCREENSHOT = sys.argv[2] if len(sys.argv) > 2 else None
FILE = ("été 1.png", b"\x89PNG, or whatever the user chose\r\n")


def refuse(text):
    sys.exit(f"browser-checks.py: {text}")


class Handler(http.server.SimpleHTTPRequestHandler):
    """The files of the folder, the page of the form, and the place that the form is posted to."""

    form_page = ""
    posted = None

    def __init__(self, *arguments):
        super().__init__(*arguments, directory=FOLDER)

    def do_GET(self):
        if self.path != "/form.html":
            return super().do_GET()
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


def chromium(url, *options):
    with tempfile.TemporaryDirectory() as profile:
        # The sandbox needs rights that a container does not have; only pages of ours are opened.
        result = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", f"--user-data-dir={profile}", "--virtual-time-budget=20000",
             *options, url],
            capture_output=True, text=True, timeout=180)
    if result.returncode != 0:
        refuse(f"chromium ended with status {result.returncode}: {result.stderr[-2000:]}")
    return result.stdout


def field(record, name):
    """A field of a record of the published vectors."""
    table = open("Tests/Vectors/published-vectors.txt", encoding="utf-8").read()
    text = table[table.index(f"name: {record}\n"):].split("\n\n")[0]
    return re.search(f"^{name}: (.*)$", text, re.MULTILINE).group(1)


def check_page(address):
    dom = chromium(f"{address}/index.html", "--dump-dom")
    if 'data-ready="yes"' not in dom:
        refuse(f"the page did not come to its end: {dom[-2000:]}")
    shown = {
        name: html.unescape(re.search(f'<pre id="{name}">(.*?)</pre>', dom, re.DOTALL).group(1))
        for name in ("headers", "presigned")}
    authorization = "Authorization: " + field("S3 GET object", "authorization")
    if authorization not in shown["headers"].split("\n"):
        refuse(f"the page shows {shown['headers']}, and not {authorization}")
    if shown["presigned"] != field("S3 presigned GET", "presigned-url"):
        refuse(f"the page shows {shown['presigned']}, which is not the published URL")
    print("the page shows the published Authorization header and the published URL")


class Form(html.parser.HTMLParser):
    """The hidden inputs of a page, as pairs of name and value."""

    def __init__(self, text):
        super().__init__()
        self.fields = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "input" and attributes.get("type") == "hidden":
            self.fields.append((attributes["name"], attributes["value"]))


def check_form(address):
    page = open("docs/how-to/post-policy.md", encoding="utf-8").read()
    form = re.search(r"^```html\n(<form action=.*?</form>\n)```$", page, re.DOTALL | re.MULTILINE)
    text = form.group(1)
    expected = Form(text).fields
    local = re.sub(r'action="[^"]*"', f'action="{address}/bucket"', text)
    # The user chooses a file and presses the button.
    Handler.form_page = f"""<!doctype html><meta charset="utf-8">{local}<script>
      const chosen = new DataTransfer();
      const bytes = new Uint8Array({list(FILE[1])});
      chosen.items.add(new File([bytes], "{FILE[0]}", {{ type: "image/png" }}));
      document.querySelector("input[type=file]").files = chosen.files;
      document.querySelector("button").click();
    </script>"""
    chromium(f"{address}/form.html", "--dump-dom")
    if Handler.posted is None:
        refuse("the browser posted nothing")
    content_type, body = Handler.posted
    message = BytesParser(policy=email.policy.HTTP).parsebytes(
        b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + body)
    parts = [(part.get_param("name", header="content-disposition"), part)
             for part in message.iter_parts()]
    sent = [(name, part.get_payload(decode=True).decode()) for name, part in parts[:-1]]
    if sent != expected:
        refuse(f"the browser sent {sent}, and the page has {expected}")
    name, last = parts[-1]
    if name != "file" or last.get_payload(decode=True) != FILE[1]:
        refuse(f"the last field is {name}, and not the file")
    values = dict(sent)
    if values["x-amz-signature"] != signature(values):
        refuse("the signature is not that of the policy that was sent")
    print(f"the form arrives with its {len(sent)} fields in order, the file last, and its signature"
          f" is that of the policy")


def signature(values):
    """Signature Version 4 of the policy, with the secret of AWS's examples."""
    key = b"AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
    for part in values["x-amz-credential"].split("/")[1:]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.new(key, values["policy"].encode(), hashlib.sha256).hexdigest()


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
place = f"http://127.0.0.1:{server.server_port}"
check_page(place)
check_form(place)
if SCREENSHOT:
    chromium(f"{place}/index.html", f"--screenshot={SCREENSHOT}", "--window-size=860,900")
server.shutdown()
