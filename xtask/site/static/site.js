// The script of the reference pages: search, encode, decode. Without this script, the pages still show all facts.
// `search.js` has the constants ENTRIES and RANKING. The page of an IP has bit positions in its element `data`.
"use strict";

document.documentElement.classList.add("scripted");

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const hex = (number, digits = 0) => "0x" + number.toString(16).toUpperCase().padStart(digits, "0");

// Parses a number such as 0x69, 105 or 0b101, with _ between digits. Null if the text is not a
// number.
function number(text) {
  const digits = text.trim().replaceAll("_", "").toLowerCase();
  return /^(0x[0-9a-f]+|0b[01]+|[0-9]+)$/.test(digits) ? BigInt(digits) : null;
}

// ---- Search ----

// The search ranks in the same steps as `arm-pmu find` (crates/arm-pmu-lookup/src/search), with the data in RANKING.

const tokens = (text) => (text.match(/[A-Za-z0-9]+/g) ?? []).map((word) => word.toLowerCase());
const letters = (text) => tokens(text).join("");

function stem(word) {
  for (const [ending, other] of RANKING.endings) {
    const cut = word.slice(0, -ending.length);
    if (word.endsWith(ending) && cut.length + other.length >= 3) return cut + other;
  }
  return word;
}

// The index with normalized texts, made at the first search, so that it does not delay the page.
let prepared = null;
const WORDS = new Map();
function index() {
  let page = "";
  prepared ??= ENTRIES.map(([kind, of, name, text, link, names, numbers, more], nth) => {
    const places = [[of, letters(of)], [name], names, [text], [more]];
    places.forEach((texts, place) => texts.flatMap(tokens).forEach((word) => {
      if (!WORDS.has(word)) WORDS.set(word, { text: word, stem: stem(word), entries: [] });
      WORDS.get(word).entries.push([nth, place]);
    }));
    if (!link.startsWith("#")) page = link.split("#")[0];
    const length = tokens(name).length + (kind === "no metric" ? RANKING.unavailable : 0);
    const compared = { key: letters(name), keys: names.map(letters), length, page };
    return { kind, of, name, text, link: link.startsWith("#") ? page + link : link, names, numbers, ...compared };
  });
  return prepared;
}

// Three numbers for each entry: its score, its coverage (with the same weight for all places), and its coverage without
// the name of its IP or platform.
const none = () => index().map(() => [0, 0, 0]);
const larger = (a, b) => a.map((one, n) => Math.max(one, b[n]));
const add = (scores, others) => scores.forEach((score, nth) => {
  score.forEach((_, n) => { score[n] += others[nth][n]; });
});
const scaled = (scores, by, of = 1) => scores.map((all) => all.map((one) => Math.floor(one * by / of)));
const is_in = (word, name) => word.length >= 5 && name.includes(word);

// How well a word of a query fits a word of a text.
function fitting(word) {
  const own = stem(word);
  const start = own.length >= 4 ? own : word;
  return ({ text, stem }) => {
    if (word === text || own === stem) return RANKING.same;
    if (start.length >= 4 && text.startsWith(start)) return RANKING.start;
    return word.length >= 4 && text.includes(word) ? RANKING.part : 0;
  };
}

// Whether a word may be a misspelling of another: letters omitted, added or changed, or two letters swapped.
function is_near(word, other) {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  if (allowed === 0 || !/^[a-z]+$/.test(word) || Math.abs(word.length - other.length) > allowed) return false;
  let [before, last] = [[], Array.from({ length: other.length + 1 }, (_, n) => n)];
  for (let i = 1; i <= word.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (word[i - 1] === other[j - 1] ? 0 : 1));
      const swapped = i > 1 && j > 1 && word[i - 1] === other[j - 2] && word[i - 2] === other[j - 1];
      if (swapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length] <= allowed;
}

function of_word(word, fit) {
  const best = none();
  const { places, start } = RANKING;
  for (const other of WORDS.values()) {
    const fits = fit(other);
    if (fits === 0) continue;
    for (const [nth, place] of other.entries) {
      best[nth] = larger(best[nth], [fits * places[place], fits, place && fits]);
    }
  }
  index().forEach(({ key, keys }, nth) => {
    if (is_in(word, key)) best[nth] = larger(best[nth], [start * places[1], start, start]);
    else if (keys.some((alias) => is_in(word, alias))) best[nth] = larger(best[nth], [start * places[2], start, start]);
  });
  return best;
}

function of_phrase(words, length) {
  const scores = none();
  for (const word of words) add(scores, of_word(word, fitting(word)));
  return scaled(scores, length, words.length);
}

function of_term(said) {
  let scores = of_phrase(said, said.length);
  const stems = said.map(stem).join(" ");
  const found = (scores) => scores.some(([score]) => score > 0);
  let meanings = RANKING.meanings.filter(([key]) => key === stems);
  const known = meanings.length > 0 || found(scores);
  if (!known) meanings = RANKING.meanings.filter(([key]) => is_near(stems, key));
  for (const [, phrases] of meanings) {
    phrases.forEach((phrase, nth) => {
      const other = scaled(of_phrase(phrase.split(" "), said.length), RANKING.meaning - nth, 16);
      scores = scores.map((score, nth) => larger(score, other[nth]));
    });
  }
  if (!known && said.length === 1 && !found(scores)) {
    scores = of_word(stems, (other) => is_near(said[0], other.text) ? RANKING.near : 0);
  }
  const top = Math.max(...scores.map((score) => score[1]));
  const having = scores.filter((score) => score[1] > 0 && score[1] * 2 >= top).length;
  return scaled(scores, Math.floor(Math.log2(1 + scores.length / Math.max(having, 1)) * 10));
}

function of_whole(whole) {
  const { places, start, part } = RANKING;
  return index().map(({ key, keys }) => {
    const [fits, place] = whole.length < 3 ? [0, 0]
      : key.startsWith(whole) ? [start, places[1]]
        : key.includes(whole) ? [part, places[1]]
          : keys.some((alias) => alias.includes(whole)) ? [part, places[2]] : [0, 0];
    const coverage = fits * RANKING.whole;
    return [coverage * place, coverage, coverage];
  });
}

function query_words(text) {
  const all = tokens(text).slice(0, RANKING.most);
  const some = all.filter((word) => !RANKING.ignored.includes(word));
  return some.length > 0 ? some : all;
}

// Splits a query into known phrases of two or three words, and single words.
function terms(words) {
  if (words.length === 0) return [];
  const is_said = (length) => words.length >= length
    && RANKING.meanings.some(([key]) => key === words.slice(0, length).map(stem).join(" "));
  const length = [3, 2].find(is_said) ?? 1;
  return [words.slice(0, length), ...terms(words.slice(length))];
}

// The alias that matches the query better than the entry's own name, if any.
function alias(one, whole, words) {
  if (one.key === whole) return undefined;
  if (one.keys.includes(whole)) return one.names[one.keys.indexOf(whole)];
  const fits = (nth) => words.filter((word) => is_in(word, one.keys[nth])
    || tokens(one.names[nth]).some((text) => fitting(word)({ text, stem: stem(text) }) > 0)).length;
  let most = words.filter((word) => one.key.includes(stem(word))).length;
  let best;
  one.names.forEach((name, nth) => { if (fits(nth) > most) [most, best] = [fits(nth), name]; });
  return best;
}

function search(text) {
  const [all, words, whole, wanted] = [index(), query_words(text), letters(text), number(text)];
  const scores = none();
  for (const term of terms(words)) add(scores, of_term(term));
  // The joined words may match even if no single word does. If a single word matches, the joined
  // words only change the ranking.
  const unknown = scores.every((score) => score[2] === 0);
  if (words.length > 1 || unknown) add(scores, of_whole(whole).map((all) => unknown ? all : [all[0], 0, 0]));
  const most = Math.max(0, ...scores.filter((score) => score[2] > 0).map((score) => score[1]));
  let exact = false;
  // Items of the shown page come first.
  const page = location.pathname.split("/").pop();
  const away = ({ one }) => one.page === page ? 0 : 1;
  const found = all.map((one, nth) => {
    const numbers = wanted === null ? [] : one.numbers.filter(([value]) => BigInt(value) === wanted);
    // An event id identifies one event at one source. Several events can have the same code.
    const is_id = numbers.some(([, what]) => what.startsWith("event id"));
    const added = is_id || (whole !== "" && one.key === whole) ? RANKING.name
      : numbers.length > 0 || (whole !== "" && one.keys.includes(whole)) ? RANKING.alias : 0;
    if (added > 0) exact = true;
    const score = Math.floor(scores[nth][0] * 20 / (19 + one.length)) + added;
    const [coverage, own] = added > 0 ? [Math.max(most, 1), 1] : scores[nth].slice(1);
    return { one, numbers, score, coverage, own };
  });
  const least = Math.max(exact && !text.trim().includes(" ") ? most : Math.floor(most * 11 / 20), 1);
  const why = ({ one, numbers }) => {
    if (numbers.length > 0) return numbers.map(([value, what]) => `${hex(value)}: ${what}`).join(", ");
    const name = alias(one, whole, words);
    return name && `also: ${name}`;
  };
  return found.filter(({ coverage, own }) => coverage >= least && own > 0)
    .sort((a, b) => away(a) - away(b) || b.score - a.score)
    .map((hit) => ({ one: hit.one, get why() { return why(hit); } }));
}

const MOST = 50;
const query = document.getElementById("query");
const hits = document.getElementById("hits");
let chosen = -1;

function choose(nth) {
  const all = hits.querySelectorAll("a");
  all.forEach((hit) => hit.setAttribute("aria-selected", "false"));
  chosen = all.length === 0 ? -1 : (nth + all.length) % all.length;
  query.removeAttribute("aria-activedescendant");
  if (chosen < 0) return;
  all[chosen].setAttribute("aria-selected", "true");
  all[chosen].scrollIntoView({ block: "nearest" });
  query.setAttribute("aria-activedescendant", all[chosen].id);
}

function show(found) {
  const rows = found.slice(0, MOST).map(({ one, why }, nth) => {
    const row = element("a", { href: one.link, id: `hit-${nth}`, role: "option", tabIndex: -1 },
      element("span", { className: "kind" }, one.kind),
      element("code", {}, one.name),
      element("span", { className: "of" }, one.of),
      element("span", { className: "why" }, why ? `${why}. ${one.text}` : one.text));
    return row;
  });
  if (found.length > MOST) rows.push(element("p", { className: "aside" }, `and ${found.length - MOST} more`));
  if (found.length === 0) rows.push(element("p", { className: "aside" }, "nothing found"));
  hits.replaceChildren(...rows);
  open_hits(true);
  choose(0);
}

function open_hits(open) {
  hits.hidden = !open;
  query.setAttribute("aria-expanded", String(open));
}

query.addEventListener("input", () => query.value.trim() === "" ? open_hits(false) : show(search(query.value)));
query.addEventListener("focus", () => { if (query.value.trim() !== "") show(search(query.value)); });
query.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") choose(chosen + 1);
  else if (event.key === "ArrowUp") choose(chosen - 1);
  else if (event.key === "Escape") open_hits(false);
  else if (event.key === "Enter") hits.querySelectorAll("a")[chosen]?.click();
  else return;
  event.preventDefault();
});
hits.addEventListener("click", () => open_hits(false));
document.addEventListener("click", (event) => { if (!event.target.closest(".search")) open_hits(false); });
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    query.focus();
    query.select();
  }
});

// ---- Encode ----

const DATA = JSON.parse(document.getElementById("data")?.textContent ?? "null");

// The ways to select an event: its id, the register writes, and lines for Rust, C and a shell.
function encode(pmu, source, event, counter) {
  const [name, id] = source ?? ["", 0];
  const of = (write) => BigInt(write.fixed)
    | (write.code === null ? 0n : BigInt(event.code) << BigInt(write.code))
    | (write.source === null ? 0n : BigInt(id) << BigInt(write.source));
  const writes = pmu.counters[counter].map((write) => ({ ...write, value: of(write) }));
  const fill = (text) => text.replaceAll("{source}", name).replaceAll("{number}", id);
  return {
    id: hex((event.code << pmu.code) | (id << pmu.source), pmu.digits),
    writes: writes.map(({ name, value, place, mask }) =>
      `${name} = ${hex(value, 8)} at ${place}` + (mask ? `; change the bits ${mask} only` : "")),
    rust: `pmu.counter(${counter}).unwrap().count(${fill(event.rust)});`,
    c: writes.map(({ c, value }) => c.replaceAll("{value}", hex(value, 8))).join("\n"),
    perf: event.perf === null ? null : fill(event.perf),
  };
}

function line(what, text) {
  const shown = element("code", {}, text);
  const copy = element("button", { type: "button" }, "Copy");
  copy.setAttribute("aria-label", `Copy ${what}`);
  copy.addEventListener("click", async () => {
    const done = await copied(text);
    copy.focus();
    // If the page cannot write to the clipboard, the text is selected, and the reader copies it.
    if (!done) getSelection().selectAllChildren(shown);
    copy.textContent = done ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => { copy.textContent = "Copy"; }, done ? 1500 : 6000);
  });
  return [element("span", { className: "what" }, what), shown, copy];
}

// Copies the text, and returns whether that succeeded. A page that was opened from disk may not use
// the clipboard directly, so it copies a selection instead.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = element("textarea", { value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function start_encode() {
  const form = document.querySelector("#encode form");
  const { pmu, source, event, counter } = form.elements;
  const options = (select, texts) => {
    const kept = select.value;
    select.replaceChildren(...texts.map(([value, text]) => element("option", { value }, text)));
    if (texts.some(([value]) => String(value) === kept)) select.value = kept;
  };
  // Each pair of a group and one of its sources; a group without sources is paired with null.
  const places = (of) => of.groups.flatMap((group) =>
    group.sources.length === 0 ? [[group, null]] : group.sources.map((one) => [group, one]));
  const current = () => {
    const of = DATA.pmus[pmu.value];
    const [group, at] = places(of)[source.value];
    return [of, at, group.events[event.value], Number(counter.value)];
  };
  const fill = (from) => {
    const of = DATA.pmus[pmu.value];
    if (from === pmu) {
      options(source, places(of).map(([group, one], nth) => [nth, one ? `${one[0]}: ${one[2]}` : group.title]));
      options(counter, of.counters.map((_, nth) => [nth, nth]));
    }
    if (from !== event && from !== counter) {
      const name = event.selectedOptions[0]?.dataset.name;
      const [group] = places(of)[source.value];
      event.replaceChildren(...group.events.map(({ name, code }, nth) => {
        const made = element("option", { value: nth }, `${hex(code, 2)} ${name}`);
        made.dataset.name = name;
        return made;
      }));
      const same = group.events.findIndex((one) => one.name === name);
      if (same >= 0) event.value = same;
    }
    const { id, writes, rust, c, perf } = encode(...current());
    const lines = [line("event id", id), ...writes.map((write) => line("write", write)), line("Rust", rust), line("C", c)];
    if (perf !== null) lines.push(line("Linux", perf));
    document.getElementById("lines").replaceChildren(...lines.flat());
  };
  options(pmu, DATA.pmus.map(({ name, title }, nth) => [nth, `${name}: ${title}`]));
  form.querySelector(".pmu").hidden = DATA.pmus.length < 2;
  form.addEventListener("change", ({ target }) => fill(target));
  fill(pmu);
}

// ---- Decode ----

const part = (value, { high, low }) => (value >> BigInt(low)) & ((1n << BigInt(high - low + 1)) - 1n);

// The events that a value of a register selects: [PMU, counter or null, name, id].
function selected(register, value) {
  const found = [];
  for (const { counter, code, source } of DATA.selects.filter((one) => one.register === register)) {
    for (const pmu of DATA.pmus) {
      for (const group of pmu.groups) {
        for (const [name, id] of group.sources.length === 0 ? [[null, null]] : group.sources) {
          if (id !== null && part(value, source) !== BigInt(id)) continue;
          const event = group.events.find((one) => BigInt(one.code) === part(value, code));
          if (event === undefined) continue;
          const whole = (event.code << pmu.code) | ((id ?? 0) << pmu.source);
          found.push([pmu.name, counter, name === null ? event.name : `${name}:${event.name}`, whole]);
        }
      }
    }
  }
  return found;
}

// The events that exist according to a register's value: [PMU, null, name, id].
function announced(register, value) {
  return DATA.announces.filter((one) => one.register === register).flatMap(({ bits, first }) =>
    DATA.pmus.flatMap((pmu) => pmu.groups.flatMap((group) => group.events.filter(({ code }) =>
      code >= first && code - first <= bits.high - bits.low && (part(value, bits) >> BigInt(code - first)) & 1n)
      .map(({ name, code }) => [pmu.name, null, name, code << pmu.code]))));
}

// Decodes a register's value: its fields, its events, and reserved bits with unexpected values.
function decode(section, value) {
  const rows = [...section.querySelectorAll(".fields tbody tr")].map((row) => {
    const bits = { high: Number(row.dataset.high), low: Number(row.dataset.low) };
    const expected = row.dataset.expected;
    const own = part(value, bits);
    return { row, ...bits, value: own, wrong: expected !== undefined && own !== BigInt(expected), expected };
  });
  const warnings = rows.filter((one) => one.wrong).map(({ high, low, value, expected }) =>
    `reserved bits ${high === low ? high : `${high}:${low}`} are ${hex(value)}, expected ${hex(BigInt(expected))}`);
  const selects = DATA.selects.some((one) => one.register === section.dataset.register);
  const events = selects ? selected(section.dataset.register, value) : announced(section.dataset.register, value);
  if (selects && events.length === 0 && value !== 0n) warnings.push("this selects no event");
  return { rows, events, warnings };
}

function show_decoded(section, text) {
  const input = section.querySelector(".decode input");
  const out = section.querySelector(".decoded");
  const value = number(text);
  const wide = value !== null && value >> BigInt(section.dataset.width) !== 0n;
  const bad = text.trim() !== "" && (value === null || wide);
  input.setAttribute("aria-invalid", String(bad));
  section.classList.toggle("decoding", value !== null && !wide);
  section.querySelectorAll(".lit, .wrong, .named").forEach((one) => one.classList.remove("lit", "wrong", "named"));
  out.replaceChildren();
  if (bad) {
    const why = wide ? `This is wider than ${section.dataset.width} bits.` : "This is no number.";
    out.append(element("p", { className: "warning" }, why));
  }
  if (value === null || wide) return;
  const { rows, events, warnings } = decode(section, value);
  for (const { row, high, low, value, wrong } of rows) {
    const named = row.querySelector(`.values [data-value="${value}"]`);
    named?.classList.add("named");
    const name = named === null ? [] : [" ", element("code", {}, named.querySelectorAll("code")[1].textContent)];
    row.querySelector(".value").replaceChildren(high === low ? String(value) : hex(value), ...name);
    const cells = section.querySelectorAll(`.cell[data-high="${high}"][data-low="${low}"]`);
    for (const one of [row, ...cells]) {
      one.classList.toggle("lit", value !== 0n);
      one.classList.toggle("wrong", wrong);
    }
  }
  for (const [pmu, counter, name, id] of events) {
    const on = counter === null ? "" : `counter ${counter}: `;
    const of = DATA.pmus.length > 1 ? ` of ${pmu}` : "";
    out.append(element("p", {}, on, element("code", {}, name), `, event id ${hex(id)}${of}`));
  }
  out.append(...warnings.map((text) => element("p", { className: "warning" }, `Warning: ${text}.`)));
}

if (DATA !== null) {
  start_encode();
  for (const section of document.querySelectorAll(".register")) {
    const form = section.querySelector(".decode");
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", ({ target }) => show_decoded(section, target.value));
  }
}
