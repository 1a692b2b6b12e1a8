// The page: where one is, and how to get elsewhere.
//
// A way is a start state and the numbers of the rules after it; `at` says how many of them were
// gone. The part of the address behind # is the way so far, in base 36 behind the first digits of
// the model's fingerprint, so that every state has an address that outlives the server.

import { ask, button, count, element, part } from "./server.js";
import { Values } from "./values.js";
import { drawChoices, label, parameters, place } from "./rules.js";
import { drawGraph } from "./graph.js";
import { Watches, download, drawSearch, watchSearch } from "./tools.js";

const values = new Values();
let watches;
let model;
let way = null;
let at = 0;
let steps = [];
let shown = null;
let pinned = null;
let recorded = null;
let tab = "tree";
let asked = 0;

const gone = () => (way ? { start: way.start, rules: way.rules.slice(0, at) } : null);
const same = (one, other) => one.start === other.start && one.rules.length === other.rules.length && begins(one, other);
const begins = (one, other) => one.start === other.start && other.rules.every((rule, place) => one.rules[place] === rule);

const fingerprint = () => model.fingerprint.slice(0, 8);

const address = (to) =>
  to ? [fingerprint(), to.start.toString(36), ...to.rules.map((rule) => rule.toString(36))].join(".") : "";

function understood(text) {
  const [print, ...rest] = text.slice(text.lastIndexOf("#") + 1).split(".");
  const numbers = rest.map((one) => (/^[0-9a-z]{1,7}$/.test(one) ? parseInt(one, 36) : NaN));
  if (!/^[0-9a-f]{8}$/.test(print) || numbers.length === 0 || numbers.some((one) => !(one < 2 ** 32))) {
    return null;
  }
  return { print, way: { start: numbers[0], rules: numbers.slice(1) } };
}

function say(text) {
  part("message").textContent = text;
  part("message").hidden = !text;
}

// Anything that fails is said, never swallowed.
const attempt = (act) => async (event) => {
  try {
    say("");
    await act(event);
  } catch (refused) {
    say(refused.message);
  }
};

async function open(next, to = next.rules.length) {
  const found = await ask("way", next);
  way = next;
  steps = found.steps;
  await move(to);
}

async function move(to) {
  at = Math.max(0, Math.min(to, way.rules.length));
  const text = address(gone());
  if (location.hash.slice(1) !== text) {
    history.pushState(null, "", "#" + text);
  }
  await show();
}

async function toStart() {
  way = null;
  at = 0;
  steps = [];
  if (location.hash) {
    history.pushState(null, "", location.pathname);
  }
  await show();
}

async function choose(number) {
  if (!way) {
    await open({ start: number, rules: [] });
    return;
  }
  const here = gone();
  if (way.rules[at] === number) {
    await move(at + 1);
    return;
  }
  const next = { start: here.start, rules: [...here.rules, number] };
  const ahead = recorded && same(next, { start: recorded.way.start, rules: recorded.way.rules.slice(0, at + 1) });
  if (ahead) {
    await open(recorded.way, at + 1);
    return;
  }
  const found = await ask("state", next);
  way = next;
  steps = [...steps.slice(0, at + 1), { name: found.name, changes: found.changes ?? { changes: [], changes_left_out: 0 }, wrong: found.fault ?? found.wrong[0] ?? null }];
  await move(at + 1);
}

// From the address, when the page is opened or the browser goes back.
async function follow() {
  const text = decodeURIComponent(location.hash.slice(1));
  if (!text) {
    if (way) {
      await toStart();
    } else {
      await show();
    }
    return;
  }
  const found = understood(text);
  if (!found) {
    await show();
    throw new Error("this address names no state");
  }
  if (way && begins(way, found.way)) {
    at = found.way.rules.length;
    await show();
  } else {
    try {
      await open(found.way);
    } catch (refused) {
      way = null;
      await show();
      const older = found.print === fingerprint() ? "" : " The address is of another version of this model, or of other constants.";
      const where = refused.step === null || refused.step === undefined ? "" : `step ${refused.step}: `;
      throw new Error(`The address cannot be followed: ${where}${refused.message}.${older}`);
    }
  }
  if (found.print !== fingerprint()) {
    say("This address is of another version of this model, or of other constants: its steps may mean something else here.");
  }
}

async function show() {
  const turn = ++asked;
  part("back").disabled = !way;
  part("forward").disabled = !way || at >= way.rules.length;
  for (const id of ["pin", "copy", "save-itf", "save-walk"]) {
    part(id).disabled = !way;
  }
  drawWay();
  if (!way) {
    shown = null;
    drawStarts();
    await watches.draw(null);
    return;
  }
  const found = await ask("state", { ...gone(), filter: part("filter").value });
  if (turn !== asked) {
    return;
  }
  shown = found;
  draw();
  await watches.draw(found.fault ? null : gone(), () => attempt(show)());
  if (tab === "graph") {
    await graph();
  }
}

function drawStarts() {
  part("state-title").textContent = "State";
  part("rules-title").textContent = "Start states";
  part("wrong").replaceChildren();
  const text = model.starts.length === 0 ? "No start state satisfies the assumptions." : "Choose a start state.";
  for (const id of ["tree", "table", "picture"]) {
    part(id).replaceChildren(element("p", "quiet", text));
  }
  part("graph-note").textContent = "";
  drawSource(null);
  const wanted = part("filter").value.toLowerCase();
  const some = model.starts.filter((one) => label(one).toLowerCase().includes(wanted));
  drawChoices(some, model.starts_left_out, null, (number) => attempt(() => choose(number))(), text);
}

function draw() {
  const { name, fault, wrong, choices } = shown;
  const title = element("b", "", name.rule);
  part("state-title").replaceChildren(`Step ${at}: `, title, parameters(name));
  const all = fault ? [fault] : wrong;
  part("wrong").replaceChildren(
    ...all.map((one) => {
      const row = element("p", "notice error", `${one.message}${place(one)} `);
      if (one.line) {
        row.append(button("Show it in the model", () => (drawSource(one.line), choosePart("source")), "link"));
      }
      const why = one.why ? element("pre", "why", one.why.join("\n")) : null;
      return why ? element("div", "", row, why) : row;
    }),
  );
  if (fault) {
    part("wrong").append(element("p", "quiet", "The rule ends in an error, so there is no state after it. This is the state before:"));
  }
  drawValues();
  drawSource(name.line || null);
  part("rules-title").textContent = fault ? "Enabled rules" : `Enabled rules (${shown.enabled})`;
  const nothing = fault ? "Nothing follows an error: go back." : shown.enabled > 0 ? "None of them." : "No rule is enabled.";
  drawChoices(choices, shown.choices_left_out ?? 0, way.rules[at], (number) => attempt(() => choose(number))(), nothing);
}

function drawValues() {
  const state = shown?.state ?? shown?.before;
  if (state) {
    values.draw(state, shown.changes?.changes ?? [], pinned?.state ?? null, part("variables").value);
  }
}

function drawWay() {
  const rows = steps.map((one, step) => {
    const made = button("", attempt(() => move(step)));
    made.append(element("span", "number", String(step)), one.name.rule, parameters(one.name));
    made.classList.toggle("now", step === at);
    made.classList.toggle("ahead", step > at);
    made.classList.toggle("failing", Boolean(one.wrong));
    made.title = one.changes.changes.map((change) => `${change.path}: ${change.old ?? "+"} → ${change.new ?? "removed"}`).join("\n");
    const onRecorded = recorded && begins(recorded.way, { start: way.start, rules: way.rules.slice(0, step) });
    made.classList.toggle("loop", Boolean(onRecorded) && recorded.loop_begins === step);
    return element("li", "", made);
  });
  part("way").replaceChildren(...rows);
  if (rows.length === 0) {
    part("way").append(element("li", "quiet", "No steps yet."));
  }
  // Scrolls the list, not the page.
  const now = part("way").querySelector(".now");
  if (now) {
    const list = part("way");
    const above = now.offsetTop - list.offsetTop;
    if (above < list.scrollTop || above + now.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = above - list.clientHeight / 2;
    }
  }
  drawRecorded();
}

function drawRecorded() {
  const note = part("recorded");
  note.hidden = !recorded;
  if (!recorded) {
    return;
  }
  const here = gone();
  const on = here && begins(recorded.way, here);
  note.replaceChildren(`From ${recorded.from}, ${count(recorded.way.rules.length, "step")}`);
  if (recorded.claim) {
    note.append(`: ${recorded.claim.message}${place(recorded.claim)}`);
  }
  note.append(". ");
  for (const text of recorded.notes ?? []) {
    note.append(element("span", "quiet", `Note: ${text}. `));
  }
  if (!on) {
    let common = 0;
    while (here && here.start === recorded.way.start && common < at && here.rules[common] === recorded.way.rules[common]) {
      common += 1;
    }
    note.append("You have left it. ", button(`Return to its step ${common}`, attempt(() => open(recorded.way, common)), "link"), " ");
  }
  const [number, errors] = recorded.error ?? [1, 1];
  if (number < errors) {
    note.append(button(`Error ${number + 1} of ${errors}`, attempt(() => load(recorded.file, number + 1)), "link"), " ");
  }
  note.append(button("Forget it", () => ((recorded = null), drawRecorded()), "link"));
}

async function record(found, from) {
  recorded = { ...found, from };
  await open(found.way, 0);
}

async function load(file, number) {
  const found = await ask(`load/${number}`, file);
  await record({ ...found, file }, file.name);
}

function drawSource(line) {
  const lines = model.source.split("\n");
  const pre = element("pre", "");
  lines.forEach((text, place) => {
    const row = element("span", place + 1 === line ? "here" : "", element("span", "line", String(place + 1)), text);
    pre.append(row);
  });
  part("source").replaceChildren(pre);
  scrollSource();
}

function scrollSource() {
  const here = part("source").querySelector(".here");
  if (here && tab === "source") {
    part("source").scrollTop = here.offsetTop - part("source").offsetTop - part("source").clientHeight / 3;
  }
}

function choosePart(name) {
  tab = name;
  for (const one of ["tree", "table", "graph", "source"]) {
    part(one).hidden = one !== name;
    part("tab-" + one).setAttribute("aria-selected", String(one === name));
  }
  part("variables").hidden = name === "graph" || name === "source";
  scrollSource();
}

async function graph() {
  if (!way) {
    return;
  }
  if (shown?.fault) {
    part("picture").replaceChildren(element("p", "quiet", "Nothing follows an error."));
    part("graph-note").textContent = "";
    return;
  }
  const here = gone();
  const found = await ask("graph", { ...here, levels: Number(part("levels").value) });
  drawGraph(found, (rules) => attempt(() => open({ start: here.start, rules: [...here.rules, ...rules] }))());
}

async function save(form, name) {
  const { text } = await ask("save", { ...gone(), form });
  download(name, text);
}

function listen() {
  const press = (id, act) => part(id).addEventListener("click", attempt(act));
  const submit = (id, act) =>
    part(id).addEventListener("submit", (event) => {
      event.preventDefault();
      attempt(act)();
    });
  press("back", () => (at > 0 ? move(at - 1) : toStart()));
  press("forward", () => move(at + 1));
  press("restart", toStart);
  press("pin", () => {
    pinned = pinned ? null : { state: shown?.state ?? shown?.before, at };
    part("pin").textContent = pinned ? `Unpin step ${pinned.at}` : "Pin";
    drawValues();
  });
  press("copy", async () => {
    part("address").value = address(gone());
    part("address").select();
    await navigator.clipboard?.writeText(location.href).catch(() => {});
  });
  press("theme", () => {
    const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
    const system = matchMedia("(prefers-color-scheme: dark)").matches;
    const theme = (document.documentElement.dataset.theme ?? (dark || system ? "dark" : "light")) === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  });
  for (const name of ["tree", "table", "graph", "source"]) {
    press("tab-" + name, async () => {
      choosePart(name);
      if (name === "graph") {
        await graph();
      }
    });
  }
  part("levels").addEventListener("change", attempt(graph));
  part("filter").addEventListener("input", attempt(show));
  part("variables").addEventListener("input", drawValues);
  part("file").addEventListener("change", attempt(async () => {
    const [file] = part("file").files;
    part("file").value = "";
    if (file) {
      await load(file, 1);
    }
  }));
  press("save-itf", () => save("itf", "trace.itf.json"));
  press("save-walk", () => save("walk", "walk.json"));
  submit("goto", async () => {
    const found = understood(part("address").value.trim());
    if (!found) {
      throw new Error("This does not name a state: copy the address from the page.");
    }
    await open(found.way);
  });
  submit("evaluate", async () => {
    const text = part("expression").value.trim();
    if (!text) {
      return;
    }
    if (!way || shown?.fault) {
      throw new Error("There is no state to evaluate in: choose one first.");
    }
    watches.add(text);
    await watches.draw(gone(), () => attempt(show)());
  });
  submit("search", async () => {
    drawSearch(await ask("search", { max_states: Math.max(1, Number(part("most").value) || 1) }), null);
    await watchSearch((found, from) => attempt(() => record({ ...found, claim: found }, from))());
  });
  press("cancel", () => ask("cancel", {}));
  window.addEventListener("popstate", attempt(follow));
  window.addEventListener("hashchange", attempt(async () => {
    if (location.hash.slice(1) !== address(gone())) {
      await follow();
    }
  }));
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (event.key === "ArrowLeft" && way) {
      part("back").click();
    } else if (event.key === "ArrowRight") {
      part("forward").click();
    }
  });
}

async function begin() {
  const theme = localStorage.getItem("theme");
  if (theme === "dark" || theme === "light") {
    document.documentElement.dataset.theme = theme;
  }
  model = await ask("model");
  watches = new Watches("watches " + model.name);
  document.title = `${model.name} – mcc explore`;
  part("model").textContent = model.name;
  part("constants").textContent = model.constants.map(([name, value]) => `${name} = ${value}`).join(", ");
  listen();
  choosePart("tree");
  await follow();
  if (!way && !location.hash && model.starts.length === 1 && model.starts[0].effect === "to") {
    await choose(model.starts[0].number);
  }
  await watchSearch((found, from) => attempt(() => record({ ...found, claim: found }, from))());
}

attempt(begin)();
