// The neighbourhood of a state as a picture: one column for each level.

import { count, part } from "./server.js";
import { label } from "./rules.js";

const WIDTH = 186;
const LINE = 14;
const GAP_X = 44;
const GAP_Y = 14;
const LONGEST = 25;

const svg = (tag, attributes, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
};

const cut = (text) => (text.length > LONGEST ? text.slice(0, LONGEST - 1) + "…" : text);

const change = ({ path, old, new: now }) => (now === null ? `${path} − ${old}` : old === null ? `${path} + ${now}` : `${path}: ${now}`);

export function drawGraph(graph, go) {
  const lines = graph.nodes.map((node, at) => {
    const by = graph.edges.find((edge) => edge.to === at && graph.nodes[edge.from].level === node.level - 1);
    const texts = [{ text: at === 0 ? "this state" : by ? label(by.name) : "", classes: "by" }];
    texts.push(...node.changes.map((one) => ({ text: change(one), classes: "" })));
    const more = [];
    if (node.changes_left_out > 0) {
      more.push(`${count(node.changes_left_out, "more change")}`);
    }
    if (!node.complete) {
      more.push("leads further");
    }
    if (more.length > 0) {
      texts.push({ text: more.join(", "), classes: "more" });
    }
    return texts;
  });
  const columns = [];
  const places = graph.nodes.map((node, at) => {
    const y = columns[node.level] ?? 28;
    const height = lines[at].length * LINE + 10;
    columns[node.level] = y + height + GAP_Y;
    return { x: 10 + node.level * (WIDTH + GAP_X), y, height };
  });
  const width = columns.length * (WIDTH + GAP_X) - GAP_X + 20;
  const height = Math.max(...columns) + 10;
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" });
  columns.forEach((_, level) => {
    const text = level === 0 ? "here" : count(level, "step");
    picture.append(svg("text", { class: "level", x: 10 + level * (WIDTH + GAP_X), y: 18 }, text));
  });
  for (const edge of graph.edges.filter((edge) => edge.to !== null)) {
    const [from, to] = [places[edge.from], places[edge.to]];
    const forward = to.x > from.x;
    const [x1, y1] = [from.x + WIDTH, from.y + from.height / 2];
    const [x2, y2] = [forward ? to.x : to.x + WIDTH, to.y + to.height / 2];
    const bend = forward ? (x2 - x1) / 2 : 50;
    const line = `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${forward ? x2 - bend : x2 + bend} ${y2}, ${x2} ${y2}`;
    const title = svg("title", {}, label(edge.name));
    picture.append(svg("path", { d: line, class: forward ? "" : "back" }, title));
  }
  graph.nodes.forEach((node, at) => {
    const { x, y, height: tall } = places[at];
    const classes = ["node", at === 0 ? "first" : "", node.wrong ? "bad" : ""].join(" ");
    const texts = lines[at].map(({ text, classes: own }, row) =>
      svg("text", { x: x + 8, y: y + 16 + row * LINE, class: own }, cut(text)),
    );
    const title = svg("title", {}, lines[at].map((line) => line.text).join("\n"));
    const box = svg("rect", { x, y, width: WIDTH, height: tall, rx: 6 });
    const made = svg("g", { class: classes, tabindex: 0, role: "button" }, title, box, ...texts);
    made.addEventListener("click", () => go(node.rules));
    made.addEventListener("keydown", (event) => event.key === "Enter" && go(node.rules));
    picture.append(made);
  });
  part("picture").replaceChildren(picture);
  const faults = graph.edges.filter((edge) => edge.to === null).length;
  const notes = [count(graph.nodes.length, "state")];
  if (faults > 0) {
    notes.push(`${count(faults, "rule")} that end${faults === 1 ? "s" : ""} in an error`);
  }
  notes.push(
    graph.states_left_out > 0
      ? `left out: ${count(graph.states_left_out, "state")} next to these`
      : "nothing is left out",
  );
  part("graph-note").textContent = notes.join("; ");
}
