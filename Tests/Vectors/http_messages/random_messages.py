# SPDX-License-Identifier: Apache-2.0
"""Random requests and responses, and what of them can be signed, for PyPI's http-message-signatures."""

import base64
import hashlib
import types
import urllib.parse

HOSTS = ["example.com", "Example.COM", "api.example.org:8443", "example.com:443", "xn--bcher-kva.example",
         "192.0.2.1:8080", "[2001:db8::1]:8443"]
WORDS = ["a", "B", "foo", "value", "x-y", "1", "%20", "caf%C3%A9", "~", "*", "%2F", "q.r", "_", "+", "a+b"]
VALUES = ["text/plain", "a,  b", "  spaced  ", '"quoted; string"', "max-age=60", "", "a=1, b=2;x, c=(1 2  3)",
          'W/"etag"', "tab\tinside", "\t"]
NAMES = ["Content-Type", "X-One", "X-Two", "Cache-Control", "ETag", "Accept"]
DERIVED = ['"@method"', '"@authority"', '"@path"', '"@query"', '"@scheme"', '"@target-uri"', '"@request-target"']


class Fields:
  """Field lines in their order, in the form that the package reads."""

  def __init__(self, lines):
    self.lines = [tuple(line) for line in lines]

  def items(self):
    return list(self.lines)

  def __iter__(self):
    return iter([name for name, _ in self.lines])

  def __contains__(self, name):
    return any(name.lower() == other.lower() for other, _ in self.lines)

  def __getitem__(self, name):
    return ", ".join(value for other, value in self.lines if other.lower() == name.lower())

  def __setitem__(self, name, value):
    del self[name]
    self.lines.append((name, value))

  def __delitem__(self, name):
    self.lines = [line for line in self.lines if line[0].lower() != name.lower()]


def random_fields(random, body):
  lines = []
  for name in random.sample(NAMES, 3):
    for _ in range(random.choice([1, 1, 1, 2])):
      lines.append((name, random.choice(VALUES)))
  lines.append(("Priority", random.choice(["u=1, i", "u=3;x=1.50,  i=?0, z=(a   b);q", "a=@1, b=%\"%c3%a9\", c=:AAEC:"])))
  lines.append(("Content-Digest", "sha-256=:" + base64.b64encode(hashlib.sha256(body).digest()).decode() + ":"))
  random.shuffle(lines)
  return lines


def random_request(random, body):
  """A request, and the names of its query."""
  path = random.choice(["", "/", "/a/b", "/a%2Fb//c", "/~user/*.txt", "/" + "/".join(random.choices(WORDS, k=3))])
  pairs = [(random.choice(WORDS) + str(index), random.choice(WORDS)) for index in range(random.randrange(4))]
  query = random.choice(["", "?" + "&".join(f"{name}={value}" for name, value in pairs)])
  return types.SimpleNamespace(
    method=random.choice(["GET", "POST", "PUT", "DELETE", "PATCH", "M-SEARCH"]),
    url="https://" + random.choice(HOSTS) + path + query, headers=Fields(random_fields(random, body))), [
      name for name, _ in pairs if query]


def identifiers(message, names, signed_bytes):
  """What can be covered of a request; with `bs`, if the signer can."""
  fields = sorted({name.lower() for name in message.headers})
  found = DERIVED + [f'"{name}"' for name in fields]
  found += ['"priority";sf', '"priority";key="%s"' % message.headers["Priority"][0], '"content-digest";key="sha-256"']
  if signed_bytes:
    found += [f'"{name}";bs' for name in fields if name.startswith("x-")]
  for name in names:
    encoded = urllib.parse.quote(urllib.parse.unquote_plus(name), safe="*").replace("~", "%7E")
    found.append(f'"@query-param";name="{encoded}"')
  return found


def response_to(random, request, body):
  return types.SimpleNamespace(
    status_code=random.choice([200, 201, 404, 503]), headers=Fields(random_fields(random, body)), request=request)


def response_identifiers(response, names, signed_bytes):
  own = [each for each in identifiers(response, [], signed_bytes) if "@" not in each]
  return own + ['"@status"'] + [each + ";req" for each in identifiers(response.request, names, signed_bytes)]
