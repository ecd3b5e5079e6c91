// The script of the documentation's pages. It also runs where a page is opened as a file.

const page = document.documentElement;

// The theme: the system's until somebody chooses; a browser may forbid to keep the choice.
const isDark = matchMedia("(prefers-color-scheme: dark)");
const kept = () => {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
};
const showTheme = (theme) => {
  page.dataset.theme = theme;
  for (const source of document.querySelectorAll("picture source")) {
    source.media = theme === "dark" ? "all" : "not all";
  }
};
const themeNow = () => kept() ?? (isDark.matches ? "dark" : "light");
showTheme(themeNow());
isDark.addEventListener("change", () => showTheme(themeNow()));

const switchTheme = () => {
  const theme = page.dataset.theme === "dark" ? "light" : "dark";
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // It holds for this page.
  }
  showTheme(theme);
};

const load = (name) =>
  new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${page.dataset.root}assets/${name}`;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });

let loading;
const loadIndex = () => {
  loading ??= load("minisearch.js").then(() => load("search-index.js"));
  return loading;
};

/** Words that say nothing about what is looked for. */
const IDLE = new Set(
  "a an and are at by can do does for from have how i if in is it my of on or our the to we what when where which why with you your".split(
    " ",
  ),
);
const MOST = 20;

const found = (query) => {
  const options = {
    boost: { heading: 4, also: 4, page: 2 },
    prefix: (word) => word.length > 2,
    processTerm: (word) => (IDLE.has(word.toLowerCase()) ? null : word.toLowerCase()),
    boostDocument: (_id, _word, { weight }) => weight,
  };
  const { parleySearch } = globalThis;
  const exact = parleySearch.search(query, options);
  const all = exact.length > 0 ? exact : parleySearch.search(query, { ...options, fuzzy: 0.2 });
  return all.slice(0, MOST);
};

const resultOf = ({ href, heading, page: title, excerpt }) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = `${page.dataset.root}${href}`;
  const name = document.createElement("strong");
  name.textContent = heading === title ? heading : `${title} › ${heading}`;
  const text = document.createElement("span");
  text.textContent = excerpt;
  link.append(name, text);
  item.append(link);
  return item;
};

const startSearch = () => {
  const dialog = document.querySelector("dialog");
  const input = dialog.querySelector("input");
  const list = dialog.querySelector("ol");
  const status = dialog.querySelector("[role=status]");
  const show = async () => {
    status.textContent = "";
    try {
      await loadIndex();
    } catch {
      status.textContent = "The index could not be loaded.";
      return;
    }
    const query = input.value.trim();
    const results = query === "" ? [] : found(query);
    list.replaceChildren(...results.map(resultOf));
    if (query === "") return;
    status.textContent = results.length === 0 ? "Nothing was found." : `${results.length} found`;
  };
  const open = () => {
    document.querySelector("#menu").hidePopover?.();
    dialog.showModal();
    input.select();
    void show();
  };
  input.addEventListener("input", show);
  dialog.addEventListener("click", ({ target }) => {
    // A link may lead to another heading of this page.
    if (target === dialog || target.closest("a")) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "Enter" && event.target === input) {
      event.preventDefault();
      links[0]?.click();
    }
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      (links[next] ?? (next < 0 ? input : links[at]))?.focus();
    }
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input") !== null;
    const isAsked = (event.key === "/" && !isTyping) || (event.key === "k" && event.ctrlKey);
    if (!isAsked || dialog.open) return;
    event.preventDefault();
    open();
  });
  const button = document.querySelector("[data-search]");
  button.hidden = false;
  button.addEventListener("click", open);
};

/** Marks the entry of the menu that leads to the heading in the address. */
const markEntry = () => {
  for (const link of document.querySelectorAll("#menu a[href*='#']")) {
    if (link.href === location.href) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
};

const addCopyButtons = () => {
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.textContent);
      button.textContent = "Copied";
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
};

document.addEventListener("DOMContentLoaded", () => {
  showTheme(themeNow());
  const button = document.querySelector("[data-theme-switch]");
  button.hidden = false;
  button.addEventListener("click", switchTheme);
  startSearch();
  addCopyButtons();
  markEntry();
  addEventListener("hashchange", markEntry);
  document.querySelector("#menu").addEventListener("click", ({ target, currentTarget }) => {
    if (target.closest("a")) currentTarget.hidePopover?.();
  });
});
