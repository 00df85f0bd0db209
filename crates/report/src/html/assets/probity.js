// Sorting, search and keys for the pages of a report. Pages are whole without it; nothing is loaded from elsewhere.
"use strict";

(() => {
  const script = document.currentScript;
  const root = script.dataset.root;

  /* ---- What is remembered between pages; a browser may forbid it. ---- */

  const remembered = (key) => {
    try { return localStorage.getItem("probity-" + key); } catch { return null; }
  };
  const remember = (key, value) => {
    try { localStorage.setItem("probity-" + key, value); } catch { /* then not */ }
  };

  /* ---- Light and dark. ---- */

  const applyTheme = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  };
  applyTheme(remembered("theme"));

  const toggleTheme = () => {
    const isDark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = isDark ? "light" : "dark";
    applyTheme(theme);
    remember("theme", theme);
  };

  /* ---- Small helpers. ---- */

  const element = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const decoded = (text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  };

  /* ---- Tables. ---- */

  // The places of a counter's missed and covered counts in a row's data.
  const COUNTERS = { instructions: 0, branches: 2, lines: 4, methods: 6, classes: 8, complexity: 10 };

  const sortKey = (row, key) => {
    if (key === "name") return row.cells[0].textContent.toLowerCase();
    const counts = row.counts || (row.counts = row.dataset.c.split(" ").map(Number));
    const at = COUNTERS[key.replace("-percent", "")];
    const [missed, total] = [counts[at], counts[at] + counts[at + 1]];
    // Of nothing there is no percentage: it goes to the end in both directions.
    return key.endsWith("-percent") ? (total ? counts[at + 1] / total : NaN) : missed * 4294967296 + total;
  };

  const compare = (one, other) =>
    typeof one === "string" ? (one < other ? -1 : one > other ? 1 : 0) : one - other;

  const sortTable = (table, key, direction) => {
    const sign = direction === "ascending" ? 1 : -1;
    const rows = [...table.tBodies[0].rows].map((row, at) => ({ row, at, key: sortKey(row, key) }));
    rows.sort((one, other) => {
      const last = Number(Number.isNaN(one.key)) - Number(Number.isNaN(other.key));
      return last || sign * compare(one.key, other.key) || one.at - other.at;
    });
    const sorted = document.createDocumentFragment();
    rows.forEach(({ row }) => sorted.append(row));
    table.tBodies[0].append(sorted);
    for (const heading of table.tHead.rows[0].cells) {
      if (heading.dataset.key === key) heading.setAttribute("aria-sort", direction);
      else heading.removeAttribute("aria-sort");
    }
  };

  const naturalDirection = (key) => (key === "name" || key.endsWith("-percent") ? "ascending" : "descending");

  const sortBy = (table, heading) => {
    const key = heading.dataset.key;
    const opposite = { ascending: "descending", descending: "ascending" };
    const direction = opposite[heading.getAttribute("aria-sort")] || naturalDirection(key);
    sortTable(table, key, direction);
    // A link to the page with its order; the order is kept from page to page too.
    history.replaceState(null, "", `#sort=${table.id},${key},${direction}`);
    remember("sort", `${key},${direction}`);
  };

  const initialOrder = (table) => {
    const linked = decoded(location.hash).match(/^#sort=([\w-]+),([\w-]+),(ascending|descending)$/);
    if (linked && linked[1] === table.id) return [linked[2], linked[3]];
    // Methods stay as they are in the source until somebody wants another order.
    if (table.dataset.sortable === "source") return ["", ""];
    const last = (remembered("sort") || "").split(",");
    return last.length === 2 ? last : ["instructions", "descending"];
  };

  const makeSortable = (table) => {
    for (const heading of table.tHead.rows[0].cells) {
      heading.firstChild.addEventListener("click", () => sortBy(table, heading));
    }
    const [key, direction] = initialOrder(table);
    const isDefault = key === "instructions" && direction === "descending";
    const heading = table.tHead.querySelector(`[data-key="${key}"]`);
    if (heading && isDefault) heading.setAttribute("aria-sort", direction);
    else if (heading) sortTable(table, key, direction);
  };

  const makeFilterable = (table) => {
    if (table.tBodies[0].rows.length < 8) return;
    const text = element("input", { type: "search", placeholder: "Filter this table" });
    text.setAttribute("aria-label", "Filter this table");
    const box = element("input", { type: "checkbox" });
    const count = element("small");
    const apply = () => {
      const wanted = text.value.toLowerCase();
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        const fits = row.cells[0].textContent.toLowerCase().includes(wanted);
        const isMissed = !box.checked || Number(row.dataset.c.split(" ", 1)) > 0;
        row.hidden = !(fits && isMissed);
        shown += Number(!row.hidden);
      }
      count.textContent = shown === table.tBodies[0].rows.length ? "" : `${shown} shown`;
    };
    text.addEventListener("input", apply);
    box.addEventListener("change", apply);
    const label = element("label", {}, box, " Only what is not wholly covered");
    table.parentNode.before(element("div", { className: "filter" }, text, label, count));
  };

  /* ---- Search. ---- */

  let index = null;
  let whenIndexed = [];
  window.probitySearchIndex = (packages) => {
    index = [];
    for (const [name, folder, files] of packages) {
      index.push({ kind: "package", name, where: "", link: folder + "index.html" });
      for (const [file, page, classes] of files) {
        if (file) index.push({ kind: "file", name: file, where: name, link: folder + page });
        for (const [className, anchor, methods] of classes) {
          index.push({ kind: "class", name: className, where: name, link: folder + page, anchor });
          for (const method of methods) {
            index.push({ kind: "method", name: method, where: `${name}.${className}`, link: folder + page, anchor: `${anchor}.${method}` });
          }
        }
      }
    }
    for (const entry of index) entry.low = entry.name.toLowerCase();
    whenIndexed.forEach((then) => then());
    whenIndexed = [];
  };

  const withIndex = (then) => {
    if (index) return then();
    whenIndexed.push(then);
    if (whenIndexed.length === 1) document.head.append(element("script", { src: root + "assets/search-index.js" }));
  };

  // "HaMa" finds HashMap: each part of the text that starts with a capital must start a part of the name.
  const humps = (text) => {
    if (!/^[A-Z]/.test(text) || !/[A-Z].*[A-Z]/.test(text)) return null;
    const parts = text.match(/[A-Z][^A-Z]*/g).map((part) => part.replace(/[^\w$]/g, "\\$&"));
    return new RegExp("^" + parts.join("[^A-Z]*"));
  };

  const KINDS = ["class", "package", "file", "method"];
  const rank = (entry, low, pattern) => {
    const at = entry.low.indexOf(low);
    const full = entry.kind === "class" && at < 0 ? `${entry.where}.${entry.name}`.toLowerCase().indexOf(low) : -1;
    const place = entry.low === low ? 0 : at === 0 ? 1 : pattern && pattern.test(entry.name) ? 2 : at > 0 ? 3 : full >= 0 ? 4 : -1;
    return place < 0 ? -1 : place * 10 + KINDS.indexOf(entry.kind);
  };

  const found = (text) => {
    const low = text.toLowerCase();
    const pattern = humps(text);
    const hits = [];
    for (const entry of index) {
      const value = rank(entry, low, pattern);
      if (value >= 0) hits.push({ entry, value });
    }
    hits.sort((one, other) => one.value - other.value || one.entry.name.length - other.entry.name.length || compare(one.entry.low, other.entry.low) || compare(one.entry.where, other.entry.where));
    return hits.map(({ entry }) => entry);
  };

  const MOST_RESULTS = 50;
  const result = (entry, at) => {
    const anchor = entry.anchor ? "#" + encodeURIComponent(entry.anchor) : "";
    const link = element("a", { href: root + entry.link + anchor, tabIndex: -1 },
      element("span", { className: "kind", textContent: entry.kind }),
      element("span", { textContent: entry.name }),
      element("span", { className: "where", textContent: entry.where }));
    const item = element("li", { id: "result-" + at }, link);
    item.setAttribute("role", "option");
    return item;
  };

  const makeSearch = (tools) => {
    const input = element("input", { id: "search", type: "search", placeholder: "Search classes, methods, packages  ( / )", autocomplete: "off" });
    const list = element("ul", { id: "results", hidden: true });
    for (const [name, value] of [["role", "combobox"], ["aria-label", "Search"], ["aria-controls", "results"], ["aria-expanded", "false"]]) input.setAttribute(name, value);
    list.setAttribute("role", "listbox");
    let chosen = 0;

    const choose = (at) => {
      const items = list.querySelectorAll("[role=option]");
      if (!items.length) return input.removeAttribute("aria-activedescendant");
      chosen = (at + items.length) % items.length;
      items.forEach((item, position) => item.setAttribute("aria-selected", String(position === chosen)));
      items[chosen].scrollIntoView({ block: "nearest" });
      input.setAttribute("aria-activedescendant", items[chosen].id);
    };
    const show = (isShown) => {
      list.hidden = !isShown;
      input.setAttribute("aria-expanded", String(isShown));
    };
    const update = () => withIndex(() => {
      const text = input.value.trim();
      if (!text) return show(false);
      const hits = found(text);
      list.replaceChildren(...hits.slice(0, MOST_RESULTS).map(result));
      if (!hits.length) list.append(element("li", { className: "none", textContent: "Nothing is called like this." }));
      else if (hits.length > MOST_RESULTS) list.append(element("li", { className: "none", textContent: `and ${hits.length - MOST_RESULTS} more` }));
      show(true);
      choose(0);
    });
    input.addEventListener("focus", () => withIndex(() => {}));
    input.addEventListener("input", update);
    input.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown") choose(chosen + 1);
      else if (event.key === "ArrowUp") choose(chosen - 1);
      else if (event.key === "Enter") list.querySelector("[aria-selected=true] a")?.click();
      else if (event.key === "Escape") { show(false); input.blur(); }
      else return;
      event.preventDefault();
    });
    list.addEventListener("click", () => show(false));
    document.addEventListener("pointerdown", (event) => { if (!tools.contains(event.target)) show(false); });
    tools.append(input, list);
  };

  /* ---- Source: lines that are linked to, and those where something is missed. ---- */

  const linkedLines = () => {
    const match = location.hash.match(/^#L(\d+)(?:-L?(\d+))?$/);
    if (!match) return null;
    const [first, last] = [Number(match[1]), Number(match[2] || match[1])];
    return first <= last ? [first, last] : [last, first];
  };

  // The names of the tests that cover a line, as far as they are known.
  const testsOf = (line) => {
    const set = document.querySelectorAll("#unit-sets li")[line.dataset.u];
    const names = document.querySelectorAll("#units li");
    return set ? set.textContent.split(" ").map((place) => names[place]?.textContent || "") : [];
  };

  // So many names fit; all of them are at the end of the page.
  const SHOWN_TESTS = 12;

  // What is known of the chosen line: what is missed, and which tests cover it.
  const showPanel = (first, last) => {
    document.getElementById("line-panel")?.remove();
    const line = document.getElementById("L" + first);
    if (!line || first !== last) return;
    const text = line.title || (line.className.startsWith("f") ? "This line is covered." : "There is no code on this line.");
    const panel = element("aside", { id: "line-panel" }, element("b", { textContent: `Line ${first}` }), element("div", { textContent: text }));
    panel.setAttribute("role", "status");
    const tests = line.dataset.u === undefined ? [] : testsOf(line);
    if (tests.length) {
      const list = element("ul", {}, ...tests.slice(0, SHOWN_TESTS).map((name) => element("li", { textContent: name })));
      panel.append(element("div", { textContent: tests.length === 1 ? "Covered by this test:" : `Covered by ${tests.length} tests:` }), list);
      if (tests.length > SHOWN_TESTS) panel.append(element("div", { textContent: `and ${tests.length - SHOWN_TESTS} more` }));
    }
    document.body.append(panel);
  };

  const followHash = () => {
    document.querySelectorAll(".chosen").forEach((one) => one.classList.remove("chosen"));
    const lines = linkedLines();
    if (!lines) return showPanel(0, -1);
    const [first, last] = lines;
    for (let number = first; number <= Math.min(last, first + 5000); number++) {
      document.getElementById("L" + number)?.classList.add("chosen");
    }
    document.getElementById("L" + first)?.scrollIntoView({ block: "center" });
    showPanel(first, last);
  };

  const makeLines = (source) => {
    source.addEventListener("click", (event) => {
      const link = event.target.closest("p > a");
      const lines = linkedLines();
      if (!link || !event.shiftKey || !lines) return;
      event.preventDefault();
      const clicked = Number(link.textContent);
      location.hash = `#L${Math.min(lines[0], clicked)}-L${Math.max(lines[0], clicked)}`;
    });
    const overview = document.getElementById("overview");
    overview?.addEventListener("click", (event) => {
      const part = (event.clientY - overview.getBoundingClientRect().top) / overview.clientHeight;
      const number = Math.max(1, Math.ceil(part * Number(overview.dataset.lines)));
      document.getElementById("L" + number)?.scrollIntoView({ block: "center" });
    });
  };

  // The first lines of runs in which something is missed.
  let missed = null;
  const missedRuns = () => missed || (missed = [...document.querySelectorAll(".source p.n, .source p.p")].filter((line) => {
    let before = line.previousElementSibling || line.parentNode.previousElementSibling?.lastElementChild;
    return !(before && (before.classList.contains("n") || before.classList.contains("p")));
  }).map((line) => Number(line.id.slice(1))));

  const goToMissed = (step) => {
    const runs = missedRuns();
    if (!runs.length) return;
    const at = (linkedLines() || [0])[0];
    const next = step > 0 ? runs.find((number) => number > at) : runs.findLast((number) => number < at);
    location.hash = "#L" + (next || (step > 0 ? runs[0] : runs[runs.length - 1]));
  };

  /* ---- Rows by key. ---- */

  const moveRow = (step) => {
    const rows = [...document.querySelectorAll("table.counts tbody tr:not([hidden])")];
    if (!rows.length) return;
    const at = rows.findIndex((row) => row.classList.contains("chosen"));
    const next = rows[Math.min(Math.max(at + step, 0), rows.length - 1)];
    rows[at]?.classList.remove("chosen");
    next.classList.add("chosen");
    next.querySelector("a")?.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };

  /* ---- Keys. ---- */

  const KEYS = [
    ["/", "search", () => document.getElementById("search").focus()],
    ["n", "next line with something missed", () => goToMissed(1)],
    ["p", "previous line with something missed", () => goToMissed(-1)],
    ["j", "next row", () => moveRow(1)],
    ["k", "previous row", () => moveRow(-1)],
    ["u", "up to the page above", () => document.querySelector(".crumbs a:last-of-type")?.click()],
    ["t", "light or dark", toggleTheme],
    ["?", "these keys", () => showHelp()],
  ];

  const showHelp = () => {
    const rows = KEYS.map(([key, what]) => element("tr", {}, element("td", {}, element("kbd", { textContent: key })), element("td", { textContent: what })));
    const dialog = element("dialog", { id: "help" }, element("h2", { textContent: "Keys" }), element("table", {}, element("tbody", {}, ...rows)),
      element("form", { method: "dialog" }, element("button", { textContent: "Close" })));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  const isTyping = (target) => target instanceof Element && target.matches("input, textarea, select");

  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]")) return;
    const known = KEYS.find(([key]) => key === event.key);
    if (!known) return;
    event.preventDefault();
    known[2]();
  };

  /* ---- Start. ---- */

  document.addEventListener("DOMContentLoaded", () => {
    const tools = document.getElementById("tools");
    makeSearch(tools);
    const theme = element("button", { type: "button", id: "theme", title: "Light or dark (t)", textContent: "◐" });
    theme.addEventListener("click", toggleTheme);
    const help = element("button", { type: "button", id: "keys", title: "Keys (?)", textContent: "?" });
    help.addEventListener("click", showHelp);
    tools.append(theme, help);
    document.querySelectorAll("table[data-sortable]").forEach((table) => { makeSortable(table); makeFilterable(table); });
    const source = document.getElementById("source");
    if (source) makeLines(source);
    document.addEventListener("keydown", onKey);
    addEventListener("hashchange", followHash);
    addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
    followHash();
  });
})();
