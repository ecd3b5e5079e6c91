// Runs: sqlite
// Needs: browser

import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { pagesOfDocument } from "../../packaging/site/documents.ts";
import { Links } from "../../packaging/site/links.ts";
import { makeSite } from "../../packaging/site/site.ts";
import { openBrowser } from "../console/browser.ts";
import { assertAccessible, assertNothingSticksOut } from "../console/looks.ts";
import { until } from "../world/process.ts";

const site = mkdtempSync(join(tmpdir(), "parley-site-"));
test.after(() => rmSync(site, { recursive: true }));
makeSite(site);
const pages = globSync("**/*.html", { cwd: site });
const read = (path: string): string => readFileSync(join(site, path), "utf8");

test("every link of the site leads to a page and a heading, and every page can be reached", () => {
  const broken: string[] = [];
  const reached = new Set(["index.html"]);
  for (const path of reached) {
    for (const [, href = ""] of read(path).matchAll(/<a [^>]*href="([^"]*)"/g)) {
      if (/^https?:/.test(href)) continue;
      const [file = "", heading] = href.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!statSync(join(site, target), { throwIfNoEntry: false })?.isFile()) broken.push(href);
      else if (heading !== undefined && !read(target).includes(`id="${heading}"`))
        broken.push(href);
      else if (target.endsWith(".html")) reached.add(target);
    }
  }
  assert.deepEqual(broken, []);
  assert.deepEqual(
    pages.filter((path) => !reached.has(path)),
    [],
  );
});

test("a link that leads nowhere is found, whether its document or its heading is missing", () => {
  const [home] = pagesOfDocument("docs/README.md");
  assert.ok(home);
  const links = new Links(new Map([["docs/README.md", [home]]]));
  for (const href of ["missing.md", "#missing", "../deploy", "operating.md#https"]) {
    links.from(home, href);
  }
  assert.equal(links.broken.length, 4);
  assert.equal(links.from(home, "../deploy/nginx.conf"), "files/deploy/nginx.conf.txt");
});

test("no page and no style of the site names another host for what it loads", () => {
  for (const path of pages) {
    const loaded = [
      ...read(path).matchAll(/<(?:link|script|img|source)[^>]*(?:href|src|srcset)="([^"]*)"/g),
    ];
    assert.deepEqual(
      loaded.filter(([, address = ""]) => /^(?:\w+:)?\/\//.test(address)),
      [],
      path,
    );
  }
  assert.doesNotMatch(read("assets/site.css"), /url\((?!"inter\.woff2"\))/);
});

const browser = await openBrowser(test);
const open = async (path: string, width: number, colorScheme: "light" | "dark"): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(site, path)).href);
  return page;
};

for (const [width, scheme] of [
  [1440, "light"],
  [320, "dark"],
] as const) {
  test(`pages are accessible and fit, ${width} px wide, ${scheme}`, async () => {
    for (const path of ["index.html", "operating.html", "interface/rooms.html"]) {
      const page = await open(path, width, scheme);
      await assertAccessible(page, path);
      await assertNothingSticksOut(page, path);
      await page.context().close();
    }
  });
}

test("a search finds by what people ask, in a page that was opened as a file", async () => {
  const page = await open("join.html", 1024, "light");
  const dialog = page.getByRole("dialog");
  await page.keyboard.press("/");
  for (const [asked, answer] of [
    ["install with systemd", /Install as a service/],
    ["connect Entra ID", /Entra ID/],
    ["Azure AD", /Entra ID/],
    ["how do I restore a backup?", /Restore|Back up/],
    ["nginx", /proxy|path/i],
    ["S3_BUCKET", /Store|Settings|S3/],
  ] as const) {
    await dialog.getByRole("searchbox").fill(asked);
    await dialog.getByRole("link", { name: answer }).first().waitFor();
    const best = dialog.getByRole("link").first();
    await until(`${asked} finds it first`, async () =>
      answer.test((await best.textContent()) ?? ""),
    );
  }
  await assertAccessible(page, "search");
  await page.keyboard.press("Enter");
  await page.waitForURL(/operating\.html#/);
});

/** Words with which people ask, and the page or the heading that must come first. */
const asked: readonly (readonly [words: string, answer: string])[] = [
  ["requirements", "requirements.html"],
  ["hardware", "requirements.html"],
  ["RAM", "requirements.html"],
  ["cores", "requirements.html"],
  ["scale", "scaling.html"],
  ["high availability", "scaling.html#several-processes"],
  ["load balancer", "scaling.html#several-processes"],
  ["SSO", "sign-in.html"],
  ["single sign-on", "sign-in.html"],
  ["SAML", "sign-in.html#saml-and-ldap"],
  ["LDAP", "sign-in.html#saml-and-ldap"],
  ["monitoring", "operating.html#see-how-it-does"],
  ["TLS", "https.html"],
  ["certificate", "https.html"],
  ["firewall", "meetings.html#ports-and-firewalls"],
  ["ports", "meetings.html#ports-and-firewalls"],
  ["port", "meetings.html#ports-and-firewalls"],
  ["TURN", "meetings.html#ports-and-firewalls"],
  ["backup", "operating.html#back-up"],
  ["restore", "operating.html#restore"],
  ["upgrade", "operating.html#upgrade"],
  ["roll back", "operating.html#upgrade"],
  ["downgrade", "operating.html#upgrade"],
  ["point in time", "operating.html#to-any-moment-with-postgresql"],
  ["GDPR", "operating.html#take-an-organization-out-and-delete-it"],
  ["delete data", "operating.html#take-an-organization-out-and-delete-it"],
  ["personal data", "administer.html#people"],
];

test("the words with which people ask lead first to the page that answers", async () => {
  const page = await open("index.html", 1024, "light");
  await page.keyboard.press("/");
  const dialog = page.getByRole("dialog");
  const first: (readonly [string, string])[] = [];
  for (const [words, answer] of asked) {
    await dialog.getByRole("searchbox").fill(words);
    const best = dialog.getByRole("link").first();
    const isRight = async () => ((await best.getAttribute("href")) ?? "").startsWith(answer);
    await until(`${words} finds something`, async () => (await best.count()) > 0);
    // What the word before found may still be there.
    await until(`${words} leads to ${answer}`, isRight, 5_000).catch(() => {});
    first.push([words, (await isRight()) ? answer : ((await best.getAttribute("href")) ?? "")]);
  }
  assert.deepEqual(first, asked);
});

test("the menu of a phone opens and leads on; a chosen theme stays", async () => {
  const page = await open("index.html", 390, "dark");
  await page.getByRole("button", { name: "Menu" }).click();
  const menu = page.getByRole("navigation", { name: "Pages" });
  await assertAccessible(page, "menu");
  await menu.getByRole("link", { name: "Host a meeting" }).click();
  await page.getByRole("heading", { name: "Host a meeting", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Light or dark" }).click();
  await page.locator("html[data-theme=light]").waitFor();
  await page.reload();
  await page.locator("html[data-theme=light]").waitFor();
});
