# SPDX-License-Identifier: Apache-2.0
"""Curl commands that are pasted into the page: the page reads them as bash and curl do."""
import http.server
import re
import subprocess
import threading

from browser_page import Page, expect, record

# What is written, with HOST in place of a server of this script.
COMMANDS = [
  "curl http://HOST/a",
  "$ curl -sSo /dev/null 'http://HOST/a?b=1&c=%20d' -H 'X-A: one two' -H \"X-B: it's\"",
  "curl -X DELETE \\\n  -H 'X-A:b' \\\n  http://HOST/a",
  "curl -XPUT --data-raw '@not a file' HOST/a -H 'Content-Type: text/plain' -m 20",
  "curl HOST/a -d a=1 -d 'b= 2' --data-urlencode 'c=é &+(x)!' --data-urlencode '=d/e'",
  "curl -G HOST/a?x=1 -d y=2 --data-urlencode 'z= 3'",
  "curl --json '{\"a\": \"\\u00e9\"}' HOST/a",
  "curl $'http://HOST/a' -H $'X-A: it\\'s \\x41\\u0042' --data-raw $'line\\nline'",
  "curl -I HOST/a -A agent -e http://from -b 'a=1; b=2' -r 0-9 -H 'X-Empty;'",
  "curl HOST/a -H 'Content-Type:' -d x=1 --compressed --retry 2 -w '%{http_code}'",
  "curl HOST/a -d \"a\\\"b\\\\c\\$d 5\" --connect-timeout 5",
]
# Commands that are refused, and a word of the reason.
REFUSED = {
  "wget http://example.com": "curl",
  "curl": "URL is missing",
  "curl http://a http://b": "one URL",
  "curl http://example.com/?a=1&b=2": "'&'",
  "curl 'http://example.com": "isn't closed",
  "curl http://example.com -H \"X-A: $TOKEN\"": "$TOKEN",
  "curl http://example.com/`date`": "`",
  "curl http://example.com -d @file": "can't read files",
  "curl -T file http://example.com": "can't read files",
  "curl -F a=b http://example.com": "signed",
  "curl -u me:secret http://example.com": "--user conflicts",
  "curl http://example.com -X": "needs a value",
  "curl http://example.com | sh": "'|'",
}
# Headers of curl itself, which the page does not sign.
OWN = {"host", "accept", "content-length", "accept-encoding", "user-agent"}


class Echo(http.server.BaseHTTPRequestHandler):
  """Keeps what arrived."""

  received = None

  def handle_one_request(self):
    self.raw_requestline = self.rfile.readline(65537)
    if not self.raw_requestline or not self.parse_request():
      self.close_connection = True
      return
    body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
    Echo.received = (self.command, self.path, list(self.headers.items()), body.decode())
    self.send_response(200)
    self.send_header("Content-Length", "0")
    self.end_headers()

  def log_message(self, *_):
    pass


def check(browser, address):
  server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Echo)
  threading.Thread(target=server.serve_forever, daemon=True).start()
  page = Page(browser, address)
  for command in COMMANDS:
    check_command(page, command.replace("HOST", f"127.0.0.1:{server.server_port}"))
  server.shutdown()
  check_refused(page)
  check_options(page)
  check_filled_in(page)
  page.close()
  print(f"{len(COMMANDS)} commands are read as bash and curl do, {len(REFUSED)} are refused")


def check_command(page, command):
  """The words are those of bash, and the request is the one that curl sends."""
  words = subprocess.run(
    ["bash", "-c", "curl() { printf '%s\\0' curl \"$@\"; }\n" + command.removeprefix("$ ")],
    capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
  expect(page.tab.evaluate("command => shellWords(command)", command.removeprefix("$ ")), words, command)
  subprocess.run(["bash", "-c", command.removeprefix("$ ")], capture_output=True, check=True)
  method, path, headers, body = Echo.received
  read = page.tab.evaluate("command => readCurl(command)", command)
  expect(read["method"], method, command)
  expect(re.sub(r"^http://[^/]*", "", read["url"]), path, command)
  expect(read["body"], body, command)
  given = [[name, value] for name, value in read["headers"] if value]
  added = {name.lower() for name, _ in given}
  sent = [[name, value] for name, value in headers
          if value and (name.lower() not in OWN or name.lower() in added)]
  expect(sorted(given), sorted(sent), command)


def check_refused(page):
  for command, reason in REFUSED.items():
    message = page.tab.evaluate(
      "command => { try { return `read: ${readCurl(command).url}` } catch (e) { return e.message } }",
      command)
    assert reason in message, f"{command}: {message}"


def check_options(page):
  """Letters and values of options are those that `curl --help all` lists."""
  lists = page.tab.evaluate("() => [[...WITH_VALUE], [...LETTERS]]")
  with_value, letters = set(lists[0]), dict(lists[1])
  text = subprocess.run(["curl", "--help", "all"], capture_output=True, text=True, check=True).stdout
  count = 0
  for letter, name, value in re.findall(r"^ *(?:-(\S), )? *--(\S+)( [<\[])?", text, re.MULTILINE):
    if letter:
      expect(letters.get(letter), name, f"-{letter}")
    expect(name in with_value, bool(value), f"whether --{name} has a value")
    count += 1
  assert count > 200, f"curl lists {count} options"


def check_filled_in(page):
  """A command becomes the fields; headers that signing makes are taken apart."""
  paste(page, """curl 'https://examplebucket.s3.amazonaws.com/test.txt' -H 'Range: bytes=0-9' \\
    -H 'x-amz-date: 20130524T000000Z' \\
    --aws-sigv4 aws:amz:us-east-1:s3 \\
    --user AKIAIOSFODNN7EXAMPLE:wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY""")
  expect(page.lines("signature"), [record("S3 GET object")["signature"]], "a pasted command")
  # The scope of a signature that is there already.
  paste(page, """curl 'https://b.example.com/a' -H 'x-amz-security-token: token' -H \
    'Authorization: AWS4-HMAC-SHA256 Credential=AKID/20130524/eu-west-1/es/aws4_request, Signature=1'""")
  scope = [page.tab.input_value(f"#{name}") for name in ("region", "service", "access-key-id", "token")]
  expect(scope, ["eu-west-1", "es", "AKID", "token"], "the fields of a signed command")
  expect(page.tab.input_value("#headers"), "", "headers")
  # What the host tells: the vector is that of Tests/Vectors/service-hosts.txt.
  paste(page, "curl https://email.eu-west-1.amazonaws.com/v2/email/identities")
  expect([page.tab.input_value(f"#{name}") for name in ("region", "service")], ["eu-west-1", "ses"],
         "service and region of a host")
  paste(page, "curl")
  expect(page.tab.locator("#notes li").all_text_contents(), ["The URL is missing."], "notes")


def paste(page, command):
  if not page.tab.locator("#command").is_visible():
    page.tab.locator("#curl summary").click()
  page.tab.fill("#command", command)
  page.tab.evaluate("document.getElementById('notes').replaceChildren()")
  page.tab.click("#read-command")
  page.tab.wait_for_selector("#notes li")
  page.settle()
