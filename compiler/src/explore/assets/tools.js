// Expressions, searches and files.

import { ask, button, count, element, part } from "./server.js";

// Expressions whose values are shown in every state.
export class Watches {
  constructor(key) {
    this.key = key;
    try {
      this.all = JSON.parse(sessionStorage.getItem(key) ?? "[]").filter((one) => typeof one === "string");
    } catch {
      this.all = [];
    }
  }

  add(text) {
    this.all = [text, ...this.all.filter((one) => one !== text)].slice(0, 50);
    this.keep();
  }

  drop(text) {
    this.all = this.all.filter((one) => one !== text);
    this.keep();
  }

  keep() {
    sessionStorage.setItem(this.key, JSON.stringify(this.all));
  }

  async draw(way, again) {
    const list = part("watches");
    if (this.all.length === 0 || !way) {
      list.replaceChildren();
      return;
    }
    let results;
    try {
      ({ results } = await ask("evaluate", { ...way, expressions: this.all }));
    } catch (refused) {
      list.replaceChildren(element("li", "quiet", refused.message));
      return;
    }
    list.replaceChildren(
      ...this.all.map((text, at) => {
        const remove = () => {
          this.drop(text);
          again();
        };
        const drop = button("×", remove);
        drop.title = "Remove";
        const row = element("li", "", element("span", "code", text), drop);
        const { error, text: value } = results[at];
        row.append(error ? element("pre", "", explained(text, error)) : element("span", "value", `= ${value}`));
        return row;
      }),
    );
  }
}

// The message, under the place in the expression that it is about.
function explained(text, error) {
  let shown = "";
  if (error.in_expression && error.line) {
    const line = text.split("\n")[error.line - 1] ?? "";
    shown = `${line}\n${" ".repeat(error.column - 1)}${"^".repeat(Math.max(1, error.length))}\n`;
  }
  const where = error.in_expression ? "" : ` (line ${error.line} of the model)`;
  const help = error.help ? `\nhelp: ${error.help}` : "";
  return `${shown}${error.message}${where}${help}`;
}

// Follows a search until it ends.
export async function watchSearch(load) {
  for (;;) {
    const status = await ask("search");
    drawSearch(status, load);
    if (!status.running) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

export function drawSearch(status, load) {
  part("begin").disabled = status.running;
  part("cancel").hidden = !status.running;
  const { result, refused } = status;
  part("progress").textContent = status.running
    ? `${count(status.states, "state")}, ${status.waiting.toLocaleString("en")} waiting, ${status.seconds.toFixed(1)} s …`
    : "";
  const verdict = part("verdict");
  verdict.replaceChildren();
  if (refused) {
    verdict.append(element("p", "notice error", refused));
  }
  if (!result) {
    return;
  }
  const classes = { verified: "notice good", violated: "notice error" };
  const heading = element("p", classes[result.verdict] ?? "notice", element("b", "", result.verdict), `: ${result.reason}`);
  verdict.append(heading);
  const figures = `${count(result.states, "state")}, ${count(result.rules, "rule")} fired, depth ${result.depth}, ${result.seconds.toFixed(1)} s`;
  verdict.append(element("p", "quiet", figures));
  for (const text of [result.condition, result.advice]) {
    if (text) {
      verdict.append(element("p", "quiet", text));
    }
  }
  for (const error of result.errors) {
    const line = error.line ? ` (line ${error.line})` : "";
    const row = element("p", "", `${error.message}${line} `);
    row.append(
      error.way
        ? button(`Walk along its ${count(error.way.rules.length, "step")}`, () => load(error, "the search"), "link")
        : element("span", "quiet", error.note ?? ""),
    );
    verdict.append(row);
  }
}

export function download(name, text) {
  const link = element("a", "");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
