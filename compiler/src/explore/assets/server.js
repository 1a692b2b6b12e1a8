// Questions to the server, and elements that hold nothing but text.

export class Refused extends Error {
  constructor(message, step) {
    super(message);
    this.step = step;
  }
}

// Asks the server; a body that is a string or a file is sent as it is.
export async function ask(path, body) {
  const options = { headers: {}, cache: "no-store" };
  if (body !== undefined) {
    const raw = typeof body === "string" || body instanceof Blob;
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = raw ? body : JSON.stringify(body);
  }
  let answer, text;
  try {
    answer = await fetch("api/" + path, options);
    text = await answer.text();
  } catch {
    throw new Refused("mcc does not answer: is it still running?", null);
  }
  let found;
  try {
    found = JSON.parse(text);
  } catch {
    throw new Refused(text.trim() || "the answer cannot be read", null);
  }
  if (!answer.ok) {
    throw new Refused(found.error?.message ?? "refused", found.error?.step ?? null);
  }
  return found;
}

export const part = (id) => document.getElementById(id);

// An element with classes and children. Texts become text, never markup.
export function element(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) {
    made.className = classes;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function button(text, act, classes) {
  const made = element("button", classes, text);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

export const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
