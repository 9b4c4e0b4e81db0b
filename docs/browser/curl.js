// SPDX-License-Identifier: Apache-2.0
// Reads a curl command, as a POSIX shell and curl would, into the request that it sends.
"use strict";

// Options of curl, as `curl --help all` lists them: those with a letter, and those with a value.
const LETTERS = new Map(Object.entries({
  E: "cert", K: "config", C: "continue-at", b: "cookie", c: "cookie-jar", d: "data",
  D: "dump-header", F: "form", P: "ftp-port", H: "header", h: "help", m: "max-time", o: "output",
  x: "proxy", U: "proxy-user", Q: "quote", r: "range", e: "referer", X: "request",
  Y: "speed-limit", y: "speed-time", t: "telnet-option", z: "time-cond", T: "upload-file",
  u: "user", A: "user-agent", w: "write-out", a: "append", q: "disable", f: "fail", G: "get",
  g: "globoff", I: "head", 0: "http1.0", i: "include", k: "insecure", 4: "ipv4", 6: "ipv6",
  j: "junk-session-cookies", l: "list-only", L: "location", M: "manual", n: "netrc", ":": "next",
  N: "no-buffer", Z: "parallel", "#": "progress-bar", p: "proxytunnel", J: "remote-header-name",
  O: "remote-name", R: "remote-time", S: "show-error", s: "silent", 2: "sslv2", 3: "sslv3",
  1: "tlsv1", B: "use-ascii", v: "verbose", V: "version",
}));
const WITH_VALUE = new Set(`
  abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config
  connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data
  data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr
  dns-ipv6-addr dns-servers doh-url dump-header egd-file engine etag-compare etag-save
  expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port
  ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header help hostpubmd5 hostpubsha256
  hsts interface ipfs-gateway json keepalive-time key key-type krb libcurl limit-rate local-port
  login-options mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy
  oauth2-bearer output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default
  proto-redir proxy proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers
  proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
  proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
  proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve
  retry retry-delay retry-max-time sasl-authzid service-name socks4 socks4a socks5
  socks5-gssapi-service socks5-hostname speed-limit speed-time stderr telnet-option tftp-blksize time-cond tls-max
  tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii trace-config unix-socket
  upload-file url url-query user user-agent variable write-out`.trim().split(/\s+/));
const REFUSED = new Map(Object.entries({
  "upload-file": "This page can't read files. Paste the body into its field.",
  form: "curl generates part of that body, so it can't be signed.",
  "form-string": "curl generates part of that body, so it can't be signed.",
  config: "This page can't read files. Use the options in the file.",
  "url-query": "Write the query into the URL.", "request-target": "Write the path into the URL.",
  next: "Use one request.", variable: "Write the value instead.",
}));
const ESCAPES = new Map(Object.entries({
  n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", e: "\x1b", f: "\f", v: "\v",
}));

// The request of a command: method, url, headers (pairs), body, and user and provider of --aws-sigv4.
function readCurl(command) {
  const words = shellWords(command);
  if (words[0] === "$") words.shift();
  if (words.shift() !== "curl") throw new Error("The command must begin with curl.");
  const given = { urls: [], headers: [], removed: [], data: [], flags: new Set() };
  while (words.length > 0) readArgument(words, given);
  return requestOf(given);
}

function readArgument(words, given) {
  const word = words.shift();
  if (word.startsWith("--") && word !== "--") {
    const name = word.slice(2);
    readOption(name, WITH_VALUE.has(name) ? valueOf(word, words) : null, given);
  } else if (word.startsWith("-") && word.length > 1) {
    readLetters(word.slice(1), words, given);
  } else if (word !== "--") {
    given.urls.push(word);
  }
}

// Flags, and at most one option whose value follows at once or as the next word.
function readLetters(letters, words, given) {
  for (let index = 0; index < letters.length; index++) {
    const name = LETTERS.get(letters[index]);
    if (!name) throw new Error(`curl has no option -${letters[index]}.`);
    if (WITH_VALUE.has(name)) {
      const rest = letters.slice(index + 1);
      readOption(name, rest || valueOf(`-${letters[index]}`, words), given);
      return;
    }
    readOption(name, null, given);
  }
}

function valueOf(option, words) {
  if (words.length === 0) throw new Error(`The option ${option} needs a value.`);
  return words.shift();
}

function readOption(name, value, given) {
  if (REFUSED.has(name)) throw new Error(`--${name} isn't supported here. ${REFUSED.get(name)}`);
  if (name === "url") given.urls.push(value);
  else if (name === "header") readHeader(value, given);
  else if (name.startsWith("data") || name === "json") given.data.push([name, value]);
  else if (name === "user-agent") given.headers.push(["User-Agent", value]);
  else if (name === "referer") given.headers.push(["Referer", value]);
  else if (name === "range") given.headers.push(["Range", `bytes=${value}`]);
  else if (name === "cookie") given.headers.push(["Cookie", textOf(value, !value.includes("="))]);
  else if (value === null) given.flags.add(name);
  else given[name] = value;
}

// RFC 9110, 5.6.2. The library checks the names of headers that are sent.
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

// curl(1): "name: value"; "name;" for an empty value; "name:" leaves the header out.
function readHeader(text, given) {
  textOf(text, text.startsWith("@"));
  const colon = text.indexOf(":");
  const [name, value] = [text.slice(0, colon), text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")];
  if (colon > 0 && value === "" && TOKEN.test(name)) given.removed.push(name);
  else if (colon > 0) given.headers.push([name, value]);
  else if (text.endsWith(";")) given.headers.push([text.slice(0, -1), ""]);
  else throw new Error(`"${text}" isn't a header. Use the form Name: value.`);
}

function textOf(text, isFile) {
  if (isFile) throw new Error(`This page can't read files. Replace ${text} with its contents.`);
  return text;
}

function requestOf(given) {
  if (given.user && !given["aws-sigv4"]) {
    throw new Error("--user conflicts with the signature. Remove it, or add --aws-sigv4.");
  }
  if (given.urls.length !== 1) {
    throw new Error(given.urls.length ? "Use one URL." : "The URL is missing.");
  }
  const isQuery = given.flags.has("get");
  const data = bodyOf(given.data);
  const body = isQuery ? "" : data;
  const hasBody = given.data.length > 0 && !isQuery;
  const method = given.request ?? (given.flags.has("head") ? "HEAD" : hasBody ? "POST" : "GET");
  // curl takes http where there is no scheme.
  let url = given.urls[0].includes("://") ? given.urls[0] : `http://${given.urls[0]}`;
  if (isQuery && data) url += (url.includes("?") ? "&" : "?") + data;
  const isJSON = given.data.some(([name]) => name === "json");
  const form = "application/x-www-form-urlencoded";
  if (hasBody) addHeader(given, "Content-Type", isJSON ? "application/json" : form);
  if (isJSON) addHeader(given, "Accept", "application/json");
  const { headers, user } = given;
  return { method, url, body, headers, user, provider: given["aws-sigv4"] };
}

// What curl adds, unless the header is given or left out.
function addHeader({ headers, removed }, name, value) {
  const named = [...headers.map(([other]) => other), ...removed];
  if (!named.some((other) => other.toLowerCase() === name.toLowerCase())) headers.push([name, value]);
}

function bodyOf(data) {
  return data.reduce((body, [name, value], index) => {
    return body + (index > 0 && name !== "json" ? "&" : "") + dataOf(name, value);
  }, "");
}

function dataOf(name, value) {
  if (name !== "data-urlencode") return textOf(value, name !== "data-raw" && value.startsWith("@"));
  const mark = value.search(/[=@]/);
  if (mark < 0) return encoded(value);
  textOf(value, value[mark] === "@");
  return (mark > 0 ? value.slice(0, mark + 1) : "") + encoded(value.slice(mark + 1));
}

// As in a form: a space is a plus sign.
function encoded(text) {
  return encodeURIComponent(text).replace(/%20/g, "+").replace(/[!'()*]/g, (mark) => {
    return `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

// The words of the first command, without what only a shell knows: variables and commands.
function shellWords(text) {
  const words = [];
  let word = null;
  let index = 0;
  while (index < text.length) {
    const mark = text[index];
    if (mark === "\\" && /^\r?\n/.test(text.slice(index + 1))) {
      index += text[index + 1] === "\r" ? 3 : 2;
    } else if (/\s/.test(mark)) {
      if (word !== null) words.push(word);
      word = null;
      index += 1;
    } else {
      const [part, end] = shellPart(text, index);
      word = (word ?? "") + part;
      index = end;
    }
  }
  return word === null ? words : [...words, word];
}

// A quoted text or one character, and where it ends.
function shellPart(text, start) {
  const mark = text[start];
  if (mark === "'") {
    const end = endOf(text, start, text.indexOf("'", start + 1));
    return [text.slice(start + 1, end), end + 1];
  }
  if (mark === '"') return doubleQuoted(text, start);
  if (text.startsWith("$'", start)) return escapedQuoted(text, start);
  if (mark === "\\") return [text[start + 1] ?? "", start + 2];
  if (mark === "&") throw new Error("The shell interprets '&'. Quote the URL.");
  if (";|<>()".includes(mark)) {
    throw new Error(`The shell interprets '${mark}'. Use one command, and quote its words.`);
  }
  if (/^(?:`|\$[\w({])/.test(text.slice(start, start + 2))) throw replaced(text, start);
  return [mark, start + 1];
}

function doubleQuoted(text, start) {
  let part = "";
  let index = start + 1;
  while (endOf(text, start, index) && text[index] !== '"') {
    if (text[index] === "\\" && '$`"\\\n'.includes(text[index + 1])) {
      part += text[index + 1] === "\n" ? "" : text[index + 1];
      index += 2;
    } else if (text[index] === "`" || /^\$[\w({]/.test(text.slice(index, index + 2))) {
      throw replaced(text, index);
    } else {
      part += text[index];
      index += 1;
    }
  }
  return [part, index + 1];
}

// $'...', as browsers copy a request.
function escapedQuoted(text, start) {
  let part = "";
  let index = start + 2;
  while (endOf(text, start, index) && text[index] !== "'") {
    const code = /^\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4}))/i.exec(text.slice(index, index + 6));
    if (code) {
      part += String.fromCharCode(parseInt(code[1] ?? code[2], 16));
      index += code[0].length;
    } else if (text[index] === "\\") {
      part += ESCAPES.get(text[index + 1]) ?? text[index + 1] ?? "";
      index += 2;
    } else {
      part += text[index];
      index += 1;
    }
  }
  return [part, index + 1];
}

function endOf(text, start, end) {
  if (end < 0 || end >= text.length) throw new Error(`The quote at character ${start + 1} isn't closed.`);
  return end;
}

function replaced(text, start) {
  const name = /^(?:\$\{?\w*\}?|`)/.exec(text.slice(start))[0];
  return new Error(`The shell replaces ${name}. Write its value instead.`);
}
