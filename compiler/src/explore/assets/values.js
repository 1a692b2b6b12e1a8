// A state as a tree and as a table.

import { element, part } from "./server.js";

const isSimple = (value) => value.p === undefined;

const shown = (value) => {
  const classes = { number: "number-value", boolean: "boolean", name: "name", undefined: "undefined", cut: "quiet" };
  const text = value.k === "cut" ? `… ${value.v} parts are not shown` : value.v;
  return element("span", classes[value.k] ?? "", text);
};

// A path as the language and the server write it.
const step = (path, kind, key) =>
  kind === "record" ? `${path}.${key}` : kind === "array" ? `${path}[${key}]` : `${path}{${key}}`;

// All simple values, by their paths. A multiset has one text for each slot.
export function leaves(state) {
  const found = new Map();
  const visit = (path, value) => {
    if (isSimple(value)) {
      found.set(path, value);
    } else if (value.p.length === 0) {
      found.set(path, { k: "undefined", v: value.k === "bag" ? "empty" : "nothing" });
    } else {
      for (const [key, inner] of value.p) {
        visit(step(path, value.k, key), inner);
      }
    }
  };
  for (const [name, value] of state) {
    visit(name, value);
  }
  return found;
}

const brief = (value) =>
  isSimple(value)
    ? value.v
    : value.k === "bag"
      ? value.p.length === 0 ? "empty" : value.p.length === 1 ? "1 element" : `${value.p.length} elements`
      : value.p.length <= 4 && value.p.every(([, inner]) => isSimple(inner))
        ? value.p.map(([key, inner]) => `${key}: ${inner.v}`).join(", ")
        : `${value.p.length} parts`;

// What is drawn: the state, old values by path, the values of the pinned state, a filter.
export class Values {
  constructor() {
    this.closed = new Set();
  }

  draw(state, changes, pinned, filter) {
    this.old = new Map(changes.map((change) => [change.path, change.old]));
    this.pinned = pinned ? leaves(pinned) : null;
    const wanted = filter.toLowerCase();
    const some = state.filter(([name]) => name.toLowerCase().includes(wanted));
    part("tree").replaceChildren(...some.map(([name, value]) => this.node(name, name, value)));
    part("table").replaceChildren(...this.tables(some));
    if (some.length === 0) {
      const text = state.length === 0 ? "The model has no variables." : "No variable’s name contains that.";
      part("tree").append(element("p", "quiet", text));
      part("table").append(element("p", "quiet", text));
    }
  }

  // A simple value with what it was and what it is in the pinned state.
  cell(path, value) {
    const made = shown(value);
    const all = [made];
    if (this.old.has(path)) {
      made.classList.add("changed");
      const old = this.old.get(path);
      if (old !== null) {
        all.push(element("span", "was", old));
      }
    }
    if (this.pinned) {
      const other = this.pinned.get(path)?.v ?? "not there";
      if (other !== value.v) {
        const mark = element("span", "other", other);
        mark.title = "in the pinned state";
        all.push(mark);
      }
    }
    return all;
  }

  node(path, key, value) {
    if (isSimple(value)) {
      return element("div", "leaf", element("span", "key", `${key}: `), ...this.cell(path, value));
    }
    const summary = element("summary", "", element("span", "key", key), " ", element("span", "quiet", brief(value)));
    if (this.old.has(path)) {
      summary.firstChild.classList.add("changed");
    }
    const parts = element("div", "parts");
    const made = element("details", "", summary, parts);
    const fill = () => {
      if (parts.childElementCount === 0) {
        parts.append(...value.p.map(([name, inner]) => this.node(step(path, value.k, name), name, inner)));
      }
    };
    const open = !this.closed.has(path) && value.p.length <= 200;
    if (open) {
      made.open = true;
      fill();
    }
    made.addEventListener("toggle", () => {
      fill();
      made.open ? this.closed.delete(path) : this.closed.add(path);
    });
    return made;
  }

  // Arrays and multisets of records are tables of their own, all others share one.
  tables(state) {
    const made = [];
    const rows = [];
    for (const [name, value] of state) {
      const inner = isSimple(value) ? [] : value.p;
      const records = inner.length > 0 && value.k !== "record" && inner.every(([, one]) => one.k === "record");
      if (!records) {
        for (const [path, leaf] of leaves([[name, value]])) {
          rows.push(element("tr", "", element("th", "", path), element("td", "", ...this.cell(path, leaf))));
        }
        continue;
      }
      const columns = [];
      const lines = inner.map(([key, record]) => {
        const own = step(name, value.k, key);
        const cells = leaves([["", record]]);
        for (const column of cells.keys()) {
          if (!columns.includes(column)) {
            columns.push(column);
          }
        }
        return { key, own, cells };
      });
      const head = element("tr", "", element("th", "", ""));
      head.append(...columns.map((column) => element("th", "", column.replace(/^\./, ""))));
      const body = lines.map(({ key, own, cells }) => {
        const row = element("tr", "", element("th", "", key));
        for (const column of columns) {
          const leaf = cells.get(column);
          row.append(element("td", "", ...(leaf ? this.cell(own + column, leaf) : [])));
        }
        return row;
      });
      const caption = element("caption", this.old.has(name) ? "changed" : "", name);
      made.push(element("table", "", caption, element("thead", "", head), element("tbody", "", ...body)));
    }
    if (rows.length > 0) {
      made.unshift(element("table", "", element("tbody", "", ...rows)));
    }
    return made;
  }
}
