// Rules: their names, what they would change, and the list to choose from.

import { button, element, part } from "./server.js";

// "p = Proc_1, m = {kind: request}"
export function parameters(name) {
  const made = element("span", "parameters");
  name.parameters.forEach((one, at) => {
    made.append(at === 0 ? " " : ", ", `${one.name} = `);
    if (one.element === null) {
      made.append(element("span", "element", one.value));
    } else {
      const found = element("span", "element", one.element);
      found.title = `slot ${one.value}`;
      made.append(found);
    }
  });
  return made;
}

export const label = (name) =>
  name.rule + name.parameters.map((one) => `, ${one.name} = ${one.element ?? one.value}`).join("");

// "path: old → new", one line each.
export function changeLines({ changes, changes_left_out: more }) {
  const made = element("div", "changes");
  for (const { path, old, new: now } of changes) {
    const line = element("div", "", element("span", "key", `${path}: `));
    if (old === null) {
      line.append(element("span", "added", `+ ${now}`));
    } else if (now === null) {
      line.append(element("span", "removed", `− ${old}`));
    } else {
      line.append(element("span", "old", `${old} → `), now);
    }
    made.append(line);
  }
  if (more > 0) {
    made.append(element("div", "quiet", `and ${more} more`));
  }
  return made;
}

export const place = (wrong) => (wrong.line ? ` (line ${wrong.line})` : "");

function choice(one, followed, choose) {
  const title = element("b", "", one.rule);
  const made = button("", () => choose(one.number));
  made.dataset.number = one.number;
  made.append(title, parameters(one));
  if (one.effect === "same") {
    made.append(element("span", "badge", "changes nothing"));
  } else if (one.effect === "excluded") {
    made.append(element("span", "badge", "breaks an assumption"));
    made.disabled = true;
  } else if (one.wrong) {
    made.append(element("span", "badge bad", one.wrong.message + place(one.wrong)));
  }
  if (followed) {
    made.classList.add("followed");
    made.append(element("span", "badge", "next in the trace"));
  }
  made.append(changeLines(one));
  return element("li", "", made);
}

// `next` is the rule that the way goes on with.
export function drawChoices(choices, leftOut, next, choose, nothing) {
  const list = part("choices");
  list.replaceChildren(...choices.map((one) => choice(one, one.number === next, choose)));
  if (leftOut > 0) {
    list.append(element("li", "quiet", `${leftOut} more are not listed: filter them`));
  }
  if (choices.length === 0) {
    list.append(element("li", "quiet", nothing));
  }
}
