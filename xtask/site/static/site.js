// The script of the reference pages: search, encode, decode. Without it all facts are on the pages.
// `search.js` has the constant ENTRIES, and the page of an IP its places of bits in the element `data`.
"use strict";

document.documentElement.classList.add("scripted");

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const hex = (number, digits = 0) => "0x" + number.toString(16).toUpperCase().padStart(digits, "0");

// A number as people write it: 0x69, 105, 0b101, with _ between digits. Null if it is none.
function number(text) {
  const digits = text.trim().replaceAll("_", "").toLowerCase();
  return /^(0x[0-9a-f]+|0b[01]+|[0-9]+)$/.test(digits) ? BigInt(digits) : null;
}

// ---- Search ----

// Names are the same if their letters and digits are.
const letters = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

// The index with what is compared, made for the first search: pages are shown without it.
let prepared = null;
function index() {
  prepared ??= ENTRIES.map(([kind, of, name, text, link, names, numbers]) => {
    const all = `${of} ${name} ${names.join(" ")} ${text} ${kind}`.toLowerCase();
    const compared = { key: letters(name), keys: names.map(letters), all, joined: letters(all) };
    return { kind, of, name, text, link, names, numbers, ...compared };
  });
  return prepared;
}

// How well an entry fits, and why if its name does not say so; null if it does not fit.
function fit(one, text, key, words, wanted) {
  if (wanted !== null) {
    const found = one.numbers.filter(([value]) => BigInt(value) === wanted);
    if (found.length > 0) {
      const why = found.map(([value, what]) => `${hex(value)}: ${what}`).join(", ");
      // An event id names one event at one source, a code each event that has it.
      const rank = found.some(([, what]) => what.startsWith("event id")) ? 0 : 1;
      return { one, rank, why };
    }
  }
  if (key === "") return null;
  if (one.key === key) return { one, rank: 0 };
  const alias = one.keys.indexOf(key);
  if (alias >= 0) return { one, rank: 1, why: `also: ${one.names[alias]}` };
  if (one.key.startsWith(key)) return { one, rank: 2 };
  if (one.key.includes(key)) return { one, rank: 3 };
  const part = one.keys.findIndex((name) => name.includes(key));
  if (part >= 0) return { one, rank: 4, why: `also: ${one.names[part]}` };
  const in_text = (word) => one.all.includes(word) || (letters(word) !== "" && one.joined.includes(letters(word)));
  return words.every(in_text) ? { one, rank: words.every((word) => one.key.includes(letters(word))) ? 3 : 5 } : null;
}

function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return [];
  const [key, wanted] = [letters(text), number(text)];
  const found = index().map((one) => fit(one, text, key, words, wanted)).filter((hit) => hit !== null);
  // What is on the page that is shown comes first.
  const page = location.pathname.split("/").pop();
  const away = ({ one }) => one.link.split("#")[0] === page ? 0 : 1;
  return found.sort((a, b) => a.rank - b.rank || away(a) - away(b));
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

// What selects an event: its id, the writes to registers, and lines of Rust, C and a shell.
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
    // Where a page may not reach the clipboard, the reader copies what is selected.
    if (!done) getSelection().selectAllChildren(shown);
    copy.textContent = done ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => { copy.textContent = "Copy"; }, done ? 1500 : 6000);
  });
  return [element("span", { className: "what" }, what), shown, copy];
}

// Whether the text is on the clipboard. A page on disk may have none but that of a selection.
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
  // Each group, at each of its sources; of a PMU without sources, the group itself.
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

// The events that a value of a register announces.
function announced(register, value) {
  return DATA.announces.filter((one) => one.register === register).flatMap(({ bits, first }) =>
    DATA.pmus.flatMap((pmu) => pmu.groups.flatMap((group) => group.events.filter(({ code }) =>
      code >= first && code - first <= bits.high - bits.low && (part(value, bits) >> BigInt(code - first)) & 1n)
      .map(({ name, code }) => [pmu.name, null, name, code << pmu.code]))));
}

// What a value of a register stands for: its fields, its events, and reserved bits that are not as they have to be.
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
