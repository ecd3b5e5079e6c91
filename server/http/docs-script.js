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
    const value = form.elements[`parameter-${name}`].value;
    if (where === "path") address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === "") continue;
    else if (where === "query") query.set(name, value);
    else headers[name] = value;
  }
  const body = form.elements.body?.value;
  if (body !== undefined) Object.assign(headers, json);
  return {
    address: base + address + (query.size > 0 ? `?${query}` : ""),
    init: { method, headers, body },
  };
};

/** Sends a request, and shows its answer. */
const send = async (form, operation, output) => {
  output.textContent = "Sending…";
  try {
    const { address, init } = requestOf(form, operation);
    const caller = form.elements.caller.value;
    if (caller !== "nobody") {
      const token =
        caller === "key" ? await keyToken(key.value, secret.value) : await sessionToken();
      init.headers.authorization = `Bearer ${token}`;
    }
    const answer = await fetch(address, init);
    const type = answer.headers.get("content-type") ?? "";
    const text = /json|text/.test(type) ? await answer.text() : `A file, ${type}`;
    const shown = type.includes("application/json")
      ? JSON.stringify(JSON.parse(text), null, 2)
      : text;
    output.textContent = `${answer.status} ${answer.statusText}\n\n${shown}`;
  } catch (failure) {
    output.textContent = failure.message;
  }
};

const openForm = async (section) => {
  const { method, path } = section.dataset;
  const { paths, components } = await openApi();
  const described = paths[path][method.toLowerCase()];
  const parameters = (described.parameters ?? []).map((one) =>
    one.$ref ? components.parameters[nameIn(one)] : one,
  );
  const body = described.requestBody?.content["application/json"].schema;
  const example = body && (body.$ref ? components.schemas[nameIn(body)] : body).examples[0];
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
  const output = make("code");
  const title = make("h2", { id: "try-title" }, find("h3", section).textContent);
  const form = make(
    "form",
    {},
    title,
    make("p", {}, make("code", {}, `${method} ${path}`)),
    ...parameters.map(({ name, required }) =>
      field(name, make("input", { name: `parameter-${name}`, required, autocomplete: "off" })),
    ),
    ...(example === undefined
      ? []
      : [
          field(
            "Body",
            make("textarea", {
              name: "body",
              rows: 10,
              spellcheck: false,
              value: JSON.stringify(example, null, 2),
            }),
          ),
        ]),
    field("Send as", caller),
    keys,
    ...(method === "GET"
      ? []
      : [
          make(
            "label",
            {},
            make("input", { type: "checkbox", name: "sure", required: true }),
            " I know that this may change real data",
          ),
        ]),
  );
  const close = make("button", { type: "button" }, "Close");
  form.append(
    make("menu", {}, make("button", {}, "Send"), close),
    make("pre", { role: "status" }, output),
  );
  const dialog = make("dialog", {}, form);
  dialog.setAttribute("aria-labelledby", "try-title");
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form, { method, path, parameters }, output);
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
