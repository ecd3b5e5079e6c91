// What a script adds to /docs: the search, the language that was chosen, and the form to try an operation.
const base = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
const find = (selector, from = document) => from.querySelector(selector);
const findAll = (selector, from = document) => [...from.querySelectorAll(selector)];

/** An element with its properties and what is in it. */
const make = (name, properties = {}, ...inside) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...inside);
  return element;
};

// The search narrows the list of operations.
const search = find("#search");
const found = find("#found");
for (const label of findAll(".scripted")) label.hidden = false;
const pages = findAll("nav li li").map((item) => {
  const section = document.getElementById(item.dataset.find);
  const words = `${item.textContent} ${section.dataset.path} ${item.dataset.find} ${find(".words > p", section)?.textContent}`;
  return { item, words: words.toLowerCase() };
});
search.addEventListener("input", () => {
  const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { item, words } of pages) {
    item.hidden = !asked.every((word) => words.includes(word));
    if (!item.hidden) count += 1;
  }
  for (const group of findAll("nav > ul > li")) {
    group.hidden = asked.length > 0 && findAll("li", group).every((one) => one.hidden);
  }
  found.textContent = asked.length === 0 ? "" : `${count} operations`;
});
search.addEventListener("keydown", (event) => {
  const first = pages.find(({ item }) => !item.hidden);
  if (event.key === "Enter" && first) find("a", first.item).click();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, dialog") !== null;
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  search.focus();
});

// Tokens stay in memory.
let session;
const json = { "content-type": "application/json" };
const ask = async (path, body) => {
  const answer = await fetch(base + path, { method: "POST", headers: json, body });
  if (!answer.ok) throw new Error((await answer.json()).message ?? "The sign-in failed.");
  return answer.json();
};
const sessionToken = async () => {
  if (session === undefined || Date.parse(session.expiresAt) < Date.now() + 60_000) {
    session = await ask("/api/session/renew").catch(() => {
      throw new Error("Nobody is signed in here. Sign in to the console in another tab first.");
    });
  }
  return session.token;
};
const keyToken = async (accessKey, secretAccessKey) => {
  const body = JSON.stringify({ accessKey, secretAccessKey });
  const { authToken } = await ask("/api/siteSetting/getAuthToken", body);
  return authToken.token;
};

let loading;
const openApi = () => {
  loading ??= fetch(`${base}/openapi.json`).then((answer) => answer.json());
  return loading;
};

/** The name of the part of the components that is meant. */
const nameIn = ({ $ref }) => $ref.split("/").at(-1);

const field = (label, control) => make("label", {}, `${label} `, control);
const key = make("input", { autocomplete: "off", spellcheck: false });
const secret = make("input", { type: "password", autocomplete: "off" });

/** The request that a form describes. */
const requestOf = (form, { method, path, parameters }) => {
  let address = path;
  const query = new URLSearchParams();
  const headers = {};
  for (const { name, in: where } of parameters) {
    const { value, selectedOptions: chosen = [] } = form.elements[`parameter-${name}`];
    if (where === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (where === "query") {
      query.set(name, chosen.length > 0 ? [...chosen].map((one) => one.value).join() : value);
    } else headers[name] = value;
  }
  const body = form.elements.body?.value;
  if (body !== undefined) Object.assign(headers, json);
  return {
    address: base + address + (query.size > 0 ? `?${query}` : ""),
    init: { method, headers, body },
  };
};

/** Sends a request, and shows its answer. */
const send = async (form, operation, answer) => {
  const [state, output] = answer.children;
  state.textContent = "Sending…";
  output.hidden = true;
  try {
    const { address, init } = requestOf(form, operation);
    const caller = form.elements.caller.value;
    if (caller !== "nobody") {
      const token =
        caller === "key" ? await keyToken(key.value, secret.value) : await sessionToken();
      init.headers.authorization = `Bearer ${token}`;
    }
    const answered = await fetch(address, init);
    const type = answered.headers.get("content-type") ?? "";
    const text = /json|text/.test(type) ? await answered.text() : `A file, ${type}`;
    output.textContent = type.includes("application/json")
      ? JSON.stringify(JSON.parse(text), null, 2)
      : text;
    output.hidden = false;
    state.textContent = `${answered.status} ${answered.statusText}`;
  } catch (failure) {
    state.textContent = failure.message;
  }
  answer.scrollIntoView({ block: "nearest" });
};

/** The form of a parameter or of a field of a body. */
const formOf = (components, schema) => {
  const named = schema.$ref ? { ...components.schemas[nameIn(schema)], ...schema } : schema;
  const other = named.anyOf?.find(({ type }) => type !== "null");
  return other ? { ...formOf(components, other), canBeNull: true } : named;
};

/** What can be chosen, where not anything can be typed. */
const choicesOf = ({ enum: words, type, canBeNull }) => {
  const types = [type].flat();
  const choices = words ?? (types.includes("boolean") ? [true, false] : undefined);
  return choices && (canBeNull || types.includes("null")) ? [...choices, null] : choices;
};

const optionsOf = (choices, canBeOmitted) => [
  ...(canBeOmitted ? [make("option", { value: "" }, "Not sent")] : []),
  ...choices.map((one) => make("option", { value: `${one}` }, `${one}`)),
];

const parameterField = (components, { name, required, schema, example = "" }) => {
  const form = formOf(components, schema);
  const own = { name: `parameter-${name}`, required };
  const several = form.items && choicesOf(formOf(components, form.items));
  if (several) {
    const more = { multiple: true, size: Math.min(several.length, 5) };
    return field(name, make("select", { ...own, ...more }, ...optionsOf(several, false)));
  }
  const choices = choicesOf(form);
  const control = choices
    ? make("select", own, ...optionsOf(choices, !required))
    : make("input", { ...own, autocomplete: "off", placeholder: `${example}` });
  return field(name, control);
};

/** The fields of a body that have choices: they write into its text, and follow it. */
const bodyChoices = (components, schema, text) => {
  const selects = Object.entries(formOf(components, schema).properties ?? {}).flatMap(
    ([name, one]) => {
      const choices = choicesOf(formOf(components, one));
      if (choices === undefined) return [];
      const select = make("select", {}, ...optionsOf(choices, true));
      select.addEventListener("change", () => {
        const { [name]: _, ...others } = JSON.parse(text.value);
        const chosen = choices.find((choice) => `${choice}` === select.value);
        const body = chosen === undefined ? others : { ...others, [name]: chosen };
        text.value = JSON.stringify(body, null, 2);
      });
      return [{ name, select }];
    },
  );
  const follow = () => {
    let body;
    try {
      body = JSON.parse(text.value);
    } catch {
      // It is being typed.
    }
    for (const { name, select } of selects) {
      select.disabled = typeof body !== "object" || body === null;
      select.value = `${body?.[name] === undefined ? "" : body[name]}`;
    }
  };
  text.addEventListener("input", follow);
  follow();
  const fields = selects.map(({ name, select }) => field(name, select));
  if (fields.length === 0) return [];
  const list = make("div", { className: "choices" }, ...fields);
  return [make("details", {}, make("summary", {}, "Choose values of the body"), list)];
};

const bodyField = (components, schema) => {
  if (schema === undefined) return [];
  const { examples } = formOf(components, schema);
  const value = JSON.stringify(examples[0], null, 2);
  const text = make("textarea", { name: "body", rows: 10, spellcheck: false, value });
  return [field("Body", text), ...bodyChoices(components, schema, text)];
};

const callerField = () => {
  const caller = make(
    "select",
    { name: "caller" },
    make("option", { value: "session" }, "Me: my session in the console"),
    make("option", { value: "key" }, "An access key"),
    make("option", { value: "nobody" }, "Nobody: without a token"),
  );
  const keys = make(
    "div",
    { hidden: true },
    field("Access key", key),
    field("Secret access key", secret),
  );
  caller.addEventListener("change", () => {
    keys.hidden = caller.value !== "key";
  });
  return [field("Send as", caller), keys];
};

/** That a change is meant. */
const sureField = () => {
  const sure = make("input", { type: "checkbox", name: "sure", required: true });
  return make("label", {}, sure, " I know that this may change real data");
};

const openForm = async (section) => {
  const { method, path } = section.dataset;
  const { paths, components } = await openApi();
  const described = paths[path][method.toLowerCase()];
  const parameters = (described.parameters ?? []).map((one) =>
    one.$ref ? components.parameters[nameIn(one)] : one,
  );
  const body = described.requestBody?.content["application/json"].schema;
  const close = make("button", { type: "button" }, "Close");
  const output = make("pre", { hidden: true, tabIndex: 0 });
  output.setAttribute("role", "region");
  output.setAttribute("aria-label", "Answer");
  const state = make("p");
  state.setAttribute("role", "status");
  const answer = make("div", { className: "answer" }, state, output);
  const form = make(
    "form",
    {},
    make("h2", { id: "try-title" }, find("h3", section).textContent),
    make("p", {}, make("code", {}, `${method} ${path}`)),
    ...parameters.map((one) => parameterField(components, one)),
    ...bodyField(components, body),
    ...callerField(),
    ...(method === "GET" ? [] : [sureField()]),
    make("menu", {}, make("button", {}, "Send"), close),
    answer,
  );
  const dialog = make("dialog", {}, form);
  dialog.setAttribute("aria-labelledby", "try-title");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, { method, path, parameters }, answer);
    // Each change is confirmed by itself.
    if (form.elements.sure) form.elements.sure.checked = false;
  });
  document.body.append(dialog);
  dialog.showModal();
};

for (const section of findAll(".operation")) {
  const button = make("button", { type: "button", className: "try" }, "Try it");
  button.setAttribute("aria-label", `Try it: ${find("h3", section).textContent}`);
  button.addEventListener("click", () => void openForm(section));
  find(".code", section).prepend(button);
}
