// The grid of a trace: variables down, steps across, a slider, filters and a search. Everything is
// written as text, never as markup. Only the cells that can be seen are elements of the page.
"use strict";
(() => {
  const ROW = 24, HEAD = 24;

  const make = (kind, attributes, text) => {
    const element = document.createElement(kind);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // The text of a rule: from its line on to the end that is indented as it is.
  const ruleText = (line) => {
    const cell = (number) => document.querySelector(`#L${number} td:last-child`);
    const lines = [];
    const indent = (text) => text.length - text.trimStart().length;
    for (let at = line; at < line + 60 && cell(at); at++) {
      const text = cell(at).textContent;
      const isNext = at > line && indent(text) <= indent(lines[0]) && /^\s*(rule|ruleset|choose|startstate|invariant)\b/i.test(text);
      if (isNext) break;
      lines.push(text);
      if (/^\s*end\w*\s*;?\s*$/i.test(text) && indent(text) <= indent(lines[0])) break;
      if (at === line && /\bend\w*\s*;?\s*$/i.test(text)) break;
    }
    const least = Math.min(...lines.filter((text) => text.trim()).map(indent));
    return lines.map((text) => text.slice(least)).join("\n").trimEnd();
  };

  // The player that arrow keys move where nothing else has the focus.
  let active;

  const start = (player) => {
    const article = player.closest("article");
    const data = JSON.parse(document.getElementById("trace-" + player.dataset.error).textContent);
    const states = data.steps.length + 1;
    // For each value the steps at which it becomes another, with what it becomes.
    const history = data.start.map((value) => [[0, value]]);
    data.steps.forEach((step, at) => step.changes.forEach(([v, value]) => history[v].push([at + 1, value])));
    const before = (v, state) => {
      const list = history[v];
      let low = 0, high = list.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (list[middle][0] <= state) low = middle; else high = middle - 1;
      }
      return list[low];
    };

    let now = states - 1, shown = [], columns = [];
    const controls = make("div", { class: "controls" });
    const status = make("div", { class: "status", "aria-live": "polite" });
    const back = make("button", { type: "button", title: "step back (left arrow)" }, "←");
    const slider = make("input", { type: "range", min: 0, max: states - 1, value: now, "aria-label": "step" });
    const forward = make("button", { type: "button", title: "step on (right arrow)" }, "→");
    const filter = make("input", { type: "search", placeholder: "filter variables", "aria-label": "filter variables" });
    const search = make("input", { type: "search", placeholder: "search rules and values", "aria-label": "search" });
    const process = make("select", { "aria-label": "process" });
    process.append(make("option", { value: "" }, "all processes"));
    data.processes.forEach((name) => process.append(make("option", { value: name }, name)));
    const label = make("label");
    const changing = make("input", { type: "checkbox" });
    changing.checked = states > 1;
    label.append(changing, " only what changes");
    controls.append(status, back, slider, forward, filter, process, search, label);
    const grid = make("div", { class: "grid", tabindex: "0", role: "grid", "aria-label": "variables and steps" });
    const space = make("div");
    grid.append(space);
    const detail = make("div", { class: "detail", "aria-live": "polite" });
    const rule = make("pre", { class: "rule-text", tabindex: "0", "aria-label": "the rule of this step" });
    player.append(controls, grid, detail, rule);
    player.hidden = false;

    const nameWidth = () => Math.min(280, Math.max(150, grid.clientWidth * 0.34));
    // As wide as the longest value, within limits: long ones are shown in full below.
    const longest = history.reduce((most, list) => list.reduce((most, [, value]) => Math.max(most, value.length), most), 5);
    const columnWidth = () => Math.max(70, Math.min(grid.clientWidth < 500 ? 110 : 190, 18 + 8 * longest));

    const choose = () => {
      const wanted = filter.value.trim().toLowerCase();
      shown = data.names.map((_, v) => v).filter((v) =>
        (!changing.checked || history[v].length > 1) && data.names[v].toLowerCase().includes(wanted));
      const who = process.value;
      columns = [];
      const kept = new Set();
      for (let state = 0; state < states; state++) {
        if (state === 0 || who === "" || data.steps[state - 1].processes.includes(who)) {
          columns.push(state);
          kept.add(state);
        }
      }
      article.querySelectorAll(".steps tr[data-step]").forEach((row) => {
        const state = Number(row.dataset.step) - data.first;
        row.classList.toggle("hidden", !kept.has(state) && state !== 0 && who !== "");
      });
      detail.textContent = shown.length === 0 ? "no variable is shown: see the filters" : "";
      grid.style.height = Math.min(window.innerHeight * 0.62, HEAD + ROW * shown.length + 18) + "px";
      draw();
    };

    const cell = (left, top, width, text, kind) => {
      const element = make("div", { class: "cell " + kind }, text);
      element.style.left = left + "px";
      element.style.top = top + "px";
      element.style.width = width + "px";
      element.title = text;
      return element;
    };

    // A name that is too long is cut in its middle: names often differ at their ends.
    const fitted = (text, wide) => {
      const room = Math.max(6, Math.floor((wide - 18) / 7.9));
      if (text.length <= room) return text;
      const end = Math.ceil(room * 0.6);
      return text.slice(0, room - end - 1) + "…" + text.slice(text.length - end);
    };

    const draw = () => {
      const names = nameWidth(), wide = columnWidth();
      space.style.width = names + wide * columns.length + "px";
      space.style.height = HEAD + ROW * shown.length + "px";
      const { scrollLeft: x, scrollTop: y, clientWidth: width, clientHeight: height } = grid;
      const firstRow = Math.max(0, Math.floor(y / ROW) - 1);
      const lastRow = Math.min(shown.length, Math.ceil((y + height) / ROW) + 1);
      const firstColumn = Math.max(0, Math.floor(x / wide) - 1);
      const lastColumn = Math.min(columns.length, Math.ceil((x + width - names) / wide) + 1);
      const cells = document.createDocumentFragment();
      for (let at = firstColumn; at < lastColumn; at++) {
        const state = columns[at], left = names + at * wide, mark = state === now ? " now" : "";
        for (let row = firstRow; row < lastRow; row++) {
          const [since, value] = before(shown[row], state);
          const isNew = since === state && state > 0;
          const one = cell(left, HEAD + row * ROW, wide, value, (isNew ? "new" : "same") + mark);
          one.dataset.state = state;
          one.dataset.value = shown[row];
          cells.append(one);
        }
        const text = state === 0 && data.first === 0 ? "start" : String(state + data.first);
        const loops = data.loops !== undefined && state + data.first >= data.loops;
        const head = cell(left, y, wide, loops ? "↻ " + text : text, "head" + mark);
        head.title = (state > 0 ? data.steps[state - 1].title : "the first state shown") + (loops ? ", in the loop" : "");
        head.dataset.state = state;
        cells.append(head);
      }
      for (let row = firstRow; row < lastRow; row++) {
        const full = data.names[shown[row]];
        const name = cell(x, HEAD + row * ROW, names, fitted(full, names), "name");
        name.title = full;
        cells.append(name);
      }
      const corner = cell(x, y, names, "", "head name");
      corner.style.zIndex = 3;
      cells.append(corner);
      grid.replaceChildren(space, cells);
    };

    // A value in full, with the one before.
    const show = (v) => {
      const [since, value] = before(v, now);
      const old = since === now && now > 0 ? before(v, now - 1)[1] + " → " : "";
      detail.textContent = `${data.names[v]}: ${old}${value}`;
    };

    const go = (state) => {
      active = { move };
      detail.textContent = "";
      now = Math.max(0, Math.min(states - 1, state));
      slider.value = now;
      const step = data.steps[now - 1];
      const number = now + data.first, last = states - 1 + data.first;
      const failing = data.failing && now === states - 1 ? `; then step ${last + 1} ends in the error: ${data.failing.title}` : "";
      const all = data.failing ? last + 1 : last;
      status.textContent = (step ? `step ${number} of ${all}: ${step.title}` : (states === 1 ? "the only state" : `the first of ${states} states`)) + failing;
      const shownLine = failing ? data.failing.line : step && step.line;
      rule.textContent = shownLine ? ruleText(shownLine) : "";
      rule.hidden = rule.textContent === "";
      const at = columns.indexOf(now), names = nameWidth(), wide = columnWidth();
      if (at >= 0) {
        const left = at * wide, room = grid.clientWidth - names;
        if (left < grid.scrollLeft) grid.scrollLeft = left;
        else if (left + wide > grid.scrollLeft + room) grid.scrollLeft = left + wide - room;
      }
      document.querySelectorAll(".source tr.now").forEach((row) => row.classList.remove("now"));
      const line = shownLine && document.getElementById("L" + shownLine);
      if (line) line.classList.add("now");
      article.querySelectorAll(".steps tr.now, .action.now").forEach((one) => one.classList.remove("now"));
      article.querySelectorAll(`[data-step="${number}"]`).forEach((one) => one.classList.add("now"));
      draw();
    };

    const find = () => {
      const wanted = search.value.trim().toLowerCase();
      if (wanted === "") return;
      const hit = (step) => step.title.toLowerCase().includes(wanted)
        || step.changes.some(([v, value]) => value.toLowerCase().includes(wanted)
          || data.names[v].toLowerCase().includes(wanted));
      for (let at = 1; at < states; at++) {
        const state = (now + at) % states;
        if (state > 0 && hit(data.steps[state - 1])) { go(state); return; }
      }
      status.textContent = `nothing found for "${search.value}"`;
    };

    // The next state that is not filtered away.
    const move = (by) => {
      const next = by > 0 ? columns.find((state) => state > now) : columns.filter((state) => state < now).pop();
      if (next !== undefined) go(next);
    };
    back.addEventListener("click", () => move(-1));
    forward.addEventListener("click", () => move(1));
    slider.addEventListener("input", () => go(Number(slider.value)));
    filter.addEventListener("input", choose);
    changing.addEventListener("change", choose);
    process.addEventListener("change", choose);
    search.addEventListener("keydown", (event) => { if (event.key === "Enter") { event.preventDefault(); find(); } });
    player.addEventListener("keydown", (event) => {
      if (["INPUT", "SELECT", "PRE"].includes(event.target.tagName)) return;
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) { event.preventDefault(); event.stopPropagation(); move(by); }
    });
    article.addEventListener("click", (event) => {
      const one = event.target.closest("[data-step]");
      if (one && !event.target.closest("summary")) go(Number(one.dataset.step) - data.first);
    });
    // One listener for all cells, which are made anew whenever the grid scrolls.
    grid.addEventListener("click", (event) => {
      const { state, value } = event.target.dataset;
      if (state === undefined) return;
      go(Number(state));
      if (value !== undefined) show(Number(value));
    });
    let waiting = false;
    grid.addEventListener("scroll", () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; draw(); });
    });
    window.addEventListener("resize", () => { choose(); go(now); });
    choose();
    go(now);
  };

  const players = [...document.querySelectorAll(".player")];
  players.forEach(start);
  // With several errors the first one is what arrow keys begin with.
  if (players.length > 1) { active = undefined; players[0].querySelector("input[type=range]").dispatchEvent(new Event("input")); }
  document.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const isFree = event.target === document.body || event.target === document.documentElement;
    if (by && active && isFree) { event.preventDefault(); active.move(by); }
  });
  const isDark = () => {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const theme = make("button", { type: "button", class: "theme", title: "light or dark" }, "◐");
  theme.addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; });
  document.querySelector("header").prepend(theme);
})();
