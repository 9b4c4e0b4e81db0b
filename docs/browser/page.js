// SPDX-License-Identifier: Apache-2.0
// The form, the steps and the answer of a server. All texts are set as text, never as markup.
"use strict";

const field = (id) => document.getElementById(id);
const FIELDS = {
  accessKeyID: "access-key-id", secret: "secret", region: "region", service: "service", time: "time",
  method: "method", url: "url", headers: "headers", body: "body",
};
const DERIVED = ["date key", "region key", "service key", "signing key"];
const OPTIONS_HINT = "Options such as --service belong to the command sigv4. The form has fields for most of them.";
const IS_SIGNED = /[?&]x-amz-signature=/i;
const SIGNED_URL = "This URL is already signed. To find out why it failed, paste the server's response below and choose Explain.";
const STILL_EXAMPLE = "The form still contains an example, but this response is for a different request. Fill in the failed"
  + " request, or paste its presigned URL into the URL field.";
const NO_SECRET = "Needs the secret access key.";

// What is shown, what was shown before the edit that goes on, and the field that is edited.
let shown = null;
let base = null;
let edited = null;
let turns = 0;
let isExplained = false;
const copies = {};

function isPresigned() {
  return field("in-url").checked;
}

// Pairs of name and value.
function headerPairs() {
  const lines = field("headers").value.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error(`"${line.trim()}" isn't a header. Use the form Name: value.`);
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
  });
}

// In the order of PageForm.swift.
function texts(answer = "") {
  const value = (id) => field(id).value;
  return [
    value("access-key-id"), value("secret"), value("token"), value("region"), value("service"),
    value("time"), isPresigned() ? value("lifetime") || "0" : "", value("method"), value("url"),
    field("unsigned").checked ? "yes" : "", value("body"), answer, ...headerPairs().flat(),
  ];
}

// Throws what the library has to say.
async function asked(name, answer) {
  const result = await ask(name, texts(answer));
  if (result.has("error")) throw new Error(`${result.get("code")[0]}: ${result.get("error")[0]}`);
  return result;
}

// Signs what the form has, and shows the steps.
async function run() {
  const turn = (turns += 1);
  let [result, message] = [null, ""];
  try {
    result = await asked("page_sign");
  } catch (error) {
    message = error.message;
  }
  if (turn !== turns) return;
  const isSigned = result === null && IS_SIGNED.test(field("url").value);
  field("error").textContent = isSigned ? "" : message;
  field("notice").textContent = isSigned ? SIGNED_URL : "";
  field("steps").classList.toggle("stale", result === null);
  if (result) {
    showSteps(result);
    shown = result;
    if (isExplained) await explain();
  } else {
    field("status").textContent = "Not signed. The steps show the last signed request.";
  }
  document.body.dataset.turn = turn;
}

function showSteps(result) {
  const changes = {
    "canonical request": show("canonical-request", result, canonicalOf),
    hash: show("hash", result, hashOf),
    "string to sign": show("string-to-sign", result, toSignOf),
    "signing key": show("signing-key", result, keysOf),
    signature: show("signature", result, signatureOf),
  };
  show("result", result, resultOf);
  showResultTexts(result);
  copies.canonicalRequest = result.get("canonicalRequest")[0];
  copies.stringToSign = result.get("stringToSign")[0];
  copies.signature = result.get("signature")?.[0] ?? "";
  copies.result = (result.get("presigned") ?? result.get("header") ?? []).join("\n");
  for (const button of document.querySelectorAll(".copy")) button.hidden = !copies[button.dataset.copy];
  field("status").textContent = statusOf(changes, result.has("signature"));
}

// Shows the lines that a function makes of the result, marked beside those of the result before.
function show(id, result, lines) {
  return showLines(field(id), lines(result), base && lines(base));
}

const canonicalOf = (result) => canonicalLines(result.get("canonicalRequest")[0]);
const hashOf = (result) => [lineOf("hash", result.get("hash")[0])];
const toSignOf = (result) => stringToSignLines(result.get("stringToSign")[0]);

function keysOf(result) {
  if (!result.has("key")) return [lineOf("", NO_SECRET)];
  return result.get("key").map((digits, index) => {
    const from = index === 0 ? '"AWS4" + secret' : DERIVED[index - 1];
    const line = lineOf(DERIVED[index], digits);
    return { ...line, note: `HMAC(${from}, "${result.get("scope")[index]}"), 28 more bytes hidden` };
  });
}

function signatureOf(result) {
  return [lineOf("signature", result.get("signature")?.[0] ?? NO_SECRET)];
}

function resultOf(result) {
  if (!result.has("signature")) return [lineOf("", NO_SECRET)];
  const headers = (result.get("header") ?? []).map((text) => {
    return lineOf("header", text, `header ${text.split(":")[0]}`);
  });
  return result.has("presigned") ? [lineOf("URL", result.get("presigned")[0]), ...headers] : headers;
}

function showResultTexts(result) {
  field("result-title").textContent = isPresigned() ? "Presigned URL" : "Headers to add";
  const end = result.get("expiration")?.[0];
  field("result-text").textContent = isPresigned()
    ? `Keep it secret. Anyone who has it can use it${end ? ` until ${end}` : ""}. If there are headers below, send them with it.`
    : "Send them with the request, to exactly the signed URL.";
  const names = (result.get("unsigned") ?? []).map((text) => text.split(":")[0]);
  field("unsigned-headers").textContent = names.length
    ? `Not signed, because proxies change these headers: ${names.join(", ")}` : "";
}

function statusOf(changes, isSigned) {
  const start = isSigned ? "Signed." : "Steps 1 to 3 don't need the secret.";
  if (!base) return start;
  const list = Object.entries(changes).filter(([, names]) => names.length > 0);
  if (list.length === 0) return `${start} The last edit changed nothing.`;
  const parts = list.map(([step, names]) => (names.join() === step ? step : `${step} (${names.join(", ")})`));
  return `${start} The last edit changed: ${parts.join("; ")}.`;
}

// An edit goes on until its field is left: the marks show what all of it changed.
function edit(target) {
  const isChoice = target.type === "checkbox" || target.type === "radio";
  if (isChoice || target !== edited) base = shown;
  edited = target;
  field("lifetime-field").hidden = !isPresigned();
  return run();
}

// Fills in many fields at once, as one edit.
function fill(values) {
  base = shown;
  edited = null;
  for (const [name, id] of Object.entries(FIELDS)) {
    if (values[name] !== undefined) field(id).value = values[name];
  }
  if (values.token !== undefined) field("token").value = values.token;
  if (values.unsigned !== undefined) field("unsigned").checked = values.unsigned;
  if (values.lifetime !== undefined) {
    field(values.lifetime ? "in-url" : "in-headers").checked = true;
    field("lifetime").value = values.lifetime || "86400";
    field("lifetime-field").hidden = !values.lifetime;
  }
  return run();
}

// Service and region, where the host tells them.
async function guess(url) {
  const found = await ask("page_guess", [url]);
  const values = {};
  for (const name of ["service", "region"]) {
    if (found.get(name)?.[0]) values[name] = found.get(name)[0];
  }
  return values;
}

async function readCommand() {
  const notes = [];
  try {
    const values = valuesOf(readCurl(field("command").value), notes);
    await fill({ ...(await guess(values.url)), ...values });
    notes.unshift(`Filled in: ${values.method} ${values.url.split("?")[0]}`);
  } catch (error) {
    notes.push(error.message);
  }
  field("notes").replaceChildren(...notes.map((note) => element("li", note)));
}

// The fields of a command. Headers that the page makes itself become fields.
function valuesOf(request, notes) {
  const values = { method: request.method, url: request.url, body: request.body, unsigned: false };
  const [, , region, service] = (request.provider ?? "").split(":");
  if (region) values.region = region;
  if (service) values.service = service;
  if (request.user) {
    [values.accessKeyID, values.secret] = [request.user.split(":")[0], request.user.split(":").slice(1).join(":")];
  }
  const kept = request.headers.filter(([name, value]) => !takeHeader(name.toLowerCase(), value, values, notes));
  values.headers = kept.map(([name, value]) => `${name}: ${value}`).join("\n");
  return values;
}

// Whether a header of a signed request became a field.
function takeHeader(name, value, values, notes) {
  if (name === "x-amz-date") values.time = value;
  else if (name === "x-amz-security-token") values.token = value;
  else if (name === "x-amz-content-sha256" && value === "UNSIGNED-PAYLOAD") values.unsigned = true;
  else if (name === "authorization" && value.startsWith("AWS4-HMAC-SHA256")) {
    const scope = /Credential=(.+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request/.exec(value);
    if (scope) [, values.accessKeyID, values.region, values.service] = scope;
  } else return false;
  notes.push(`The page creates the header ${name}. Its value is in the form.`);
  return true;
}

// What a server's answer tells.
async function explain() {
  let [result, message] = [null, ""];
  try {
    const answer = field("answer").value;
    if (answer.trim() === "") throw new Error("Paste the server's response first.");
    if (isOfExample() && !answer.includes(EXAMPLE_HOST)) throw new Error(STILL_EXAMPLE);
    result = await asked("page_explain", answer);
  } catch (error) {
    message = error.message;
  }
  isExplained = result !== null;
  field("answer-error").textContent = message;
  field("explanation").replaceChildren(...(result ? explanation(result) : []));
}

function isOfExample() {
  return EXAMPLES.some((example) => example.url === field("url").value);
}

function explanation(result) {
  const text = (name) => result.get(name)?.[0];
  const parts = [
    element("h3", `Cause: ${text("cause")}`), element("p", text("problem"), "cause"),
    element("p", text("fix")),
  ];
  if (text("clockOffset")) parts.push(element("p", `The server's clock, relative to the signed time: ${text("clockOffset")}`));
  if (text("step")) parts.push(...difference(text));
  if (text("time")) parts.push(element("p", `Compared with the form, signed at ${text("time")}.`, "hint"));
  if (/ --?[a-zA-Z]/.test(text("fix"))) parts.push(element("p", OPTIONS_HINT, "hint"));
  return parts;
}

// The first line that differs, with its bytes marked on both sides.
function difference(text) {
  const [signed, received] = [text("signed"), text("received")];
  const title = `First difference: ${text("step")}, line ${text("line")}, byte ${text("offset")}`;
  const list = element("ol", "", "lines pair-of-lines");
  const none = [{ text: "(none)", isNew: false }];
  const marked = (before, after) => (after === undefined ? none : pieces(before ?? "", after));
  list.append(
    lineItem(lineOf("this page"), marked(received, signed), false),
    lineItem(lineOf("the server"), marked(signed, received), false));
  return [element("h4", title), list];
}

function now() {
  return new Date().toISOString().replace(/[-:]|\.\d+/g, "");
}

async function copy(button) {
  await navigator.clipboard.writeText(copies[button.dataset.copy]);
  field("status").textContent = "Copied.";
}

function start() {
  for (const example of EXAMPLES) {
    const button = element("button", example.title);
    button.type = "button";
    button.addEventListener("click", () => fill({ ...example, token: "", unsigned: false }));
    field("examples").append(button);
  }
  field("form").addEventListener("submit", (event) => {
    event.preventDefault();
    fill({});
  });
  for (const id of [...Object.values(FIELDS), "token", "unsigned", "lifetime", "in-headers", "in-url"]) {
    field(id).addEventListener("input", (event) => edit(event.target));
    field(id).addEventListener("blur", () => (edited = null));
  }
  field("url").addEventListener("change", async (event) => {
    const found = await guess(event.target.value);
    for (const [name, value] of Object.entries(found)) field(FIELDS[name]).value = value;
    await run();
  });
  field("now").addEventListener("click", () => fill({ time: now() }));
  field("read-command").addEventListener("click", readCommand);
  field("explain").addEventListener("click", explain);
  field("example-answer").addEventListener("click", async () => {
    field("answer").value = EXAMPLE_ANSWER;
    await fill({ ...EXAMPLES[0], token: "", unsigned: false });
    await explain();
  });
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", () => copy(button));
  }
  return fill({ ...EXAMPLES[0], time: now() });
}

start();
