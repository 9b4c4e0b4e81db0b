// SPDX-License-Identifier: Apache-2.0
// Which bytes of a text changed, and texts as lines with these bytes marked.
"use strict";

// The lines of a canonical request, each with its part and a key that finds it again in another one.
function canonicalLines(text) {
  const lines = text.split("\n");
  const end = lines.length - 3;
  return lines.map((line, index) => {
    if (index < 3) return lineOf(["method", "path", "query"][index], line);
    if (index === end) return lineOf("end of headers", line);
    if (index > end) return lineOf(index === end + 1 ? "signed headers" : "SHA-256 of the body", line);
    return lineOf("header", line, `header ${line.split(":")[0]}`);
  });
}

function stringToSignLines(text) {
  const parts = ["algorithm", "time", "scope", "hash of step 2"];
  return text.split("\n").map((line, index) => lineOf(parts[index], line));
}

function lineOf(part, text, key = part) {
  return { part, text, key };
}

// Pieces of a text, and whether each is new beside the text before it. An empty new piece stands where
// something was taken out.
function pieces(before, after) {
  if (before === after) return [{ text: after, isNew: false }];
  const [olds, news] = [tokens(before), tokens(after)];
  const start = commonCount(olds, news);
  const end = commonCount(olds.slice(start).reverse(), news.slice(start).reverse());
  const middle = changed(olds.slice(start, olds.length - end), news.slice(start, news.length - end));
  const same = (part) => ({ text: part.join(""), isNew: false });
  return joined([same(news.slice(0, start)), ...middle, same(news.slice(news.length - end))]);
}

// Words and the marks between them.
function tokens(text) {
  return text.match(/[\w%.~-]+|[^\w%.~-]/g) ?? [];
}

function commonCount(left, right) {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count += 1;
  return count;
}

// By the longest common subsequence, where the texts are short enough for it.
function changed(olds, news) {
  if (olds.length * news.length > 250_000) return refined(olds, news);
  const lengths = subsequenceLengths(olds, news);
  const found = [];
  let [old, now, oldStart, nowStart] = [0, 0, 0, 0];
  while (old < olds.length && now < news.length) {
    if (olds[old] === news[now]) {
      found.push(...refined(olds.slice(oldStart, old), news.slice(nowStart, now)));
      found.push({ text: news[now], isNew: false });
      [oldStart, nowStart] = [++old, ++now];
    } else if (lengths[old + 1][now] >= lengths[old][now + 1]) {
      old += 1;
    } else {
      now += 1;
    }
  }
  return [...found, ...refined(olds.slice(oldStart), news.slice(nowStart))];
}

function subsequenceLengths(olds, news) {
  const lengths = Array.from({ length: olds.length + 1 }, () => new Array(news.length + 1).fill(0));
  for (let old = olds.length - 1; old >= 0; old--) {
    for (let now = news.length - 1; now >= 0; now--) {
      lengths[old][now] = olds[old] === news[now]
        ? lengths[old + 1][now + 1] + 1
        : Math.max(lengths[old + 1][now], lengths[old][now + 1]);
    }
  }
  return lengths;
}

// One run in place of another, without the characters that both begin and end with.
function refined(olds, news) {
  const [before, after] = [[...olds.join("")], [...news.join("")]];
  if (before.length === 0 && after.length === 0) return [];
  const start = commonCount(before, after);
  const end = commonCount(before.slice(start).reverse(), after.slice(start).reverse());
  return [
    { text: after.slice(0, start).join(""), isNew: false },
    { text: after.slice(start, after.length - end).join(""), isNew: true },
    { text: after.slice(after.length - end).join(""), isNew: false },
  ];
}

// Neighbours of one kind as one piece; an empty one only where it marks a gap.
function joined(list) {
  const result = [];
  for (const piece of list) {
    const last = result.at(-1);
    if (last && last.isNew === piece.isNew) last.text += piece.text;
    else if (piece.text !== "" || piece.isNew) result.push({ ...piece });
  }
  return result;
}

// Shows lines in a list; `before` has those that were shown, or is null. Says which parts changed.
function showLines(list, lines, before) {
  const olds = new Map((before ?? []).map((line) => [line.key, line.text]));
  const names = [];
  const items = lines.map((line) => {
    const old = olds.get(line.key);
    olds.delete(line.key);
    const isChanged = before !== null && old !== line.text;
    if (isChanged) names.push(nameOf(line));
    return lineItem(line, isChanged ? pieces(old ?? "", line.text) : [{ text: line.text }], isChanged);
  });
  for (const line of before ?? []) {
    if (!olds.has(line.key)) continue;
    names.push(`${nameOf(line)} removed`);
    items.push(removedItem(line));
  }
  list.replaceChildren(...items);
  return names;
}

function nameOf(line) {
  return line.part === "header" ? line.key : line.part;
}

function lineItem(line, parts, isChanged) {
  const item = element("li", "", isChanged ? "changed" : "");
  item.dataset.part = line.part;
  const label = element("span", line.part, "part");
  if (isChanged) label.append(element("span", " (changed)", "hidden"));
  const code = element("code");
  for (const part of parts) code.append(part.isNew ? element("mark", part.text) : part.text);
  item.append(label, code);
  if (line.note) item.append(element("span", line.note, "note"));
  return item;
}

function removedItem(line) {
  const item = element("li", "", "removed");
  item.append(element("span", "removed", "part"), element("del", line.text));
  return item;
}

function element(name, text = "", className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}
