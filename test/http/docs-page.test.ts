// Runs: sqlite, complete
// Needs: browser

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { operations } from "../../contract/index.ts";
import { openBrowser } from "../console/browser.ts";
import { assertAccessible, assertNothingSticksOut, shoot } from "../console/looks.ts";
import { LONG_MS, until } from "../world/process.ts";
import { startWorld } from "../world/world.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the page of the interface is small, accessible in both schemes, and fits every width", async (t) => {
  const world = await startWorld(t);
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  page.setDefaultTimeout(LONG_MS);
  const faults: string[] = [];
  let bytes = 0;
  page.on("console", (said) => {
    if (said.type() === "error" && !said.location().url.endsWith("/icon.svg")) {
      faults.push(said.text());
    }
  });
  page.on("request", (sent) => {
    if (!sent.url().startsWith(world.url)) faults.push(sent.url());
  });
  page.on("requestfinished", async (sent) => {
    bytes += (await sent.sizes()).responseBodySize;
  });
  await page.goto(`${world.url}/docs#editRoom`);
  await page.locator("#editRoom .try").waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await assertNothingSticksOut(page, `/docs at ${width}`);
      if (width === 1440 || width === 320) {
        await assertAccessible(page, `/docs, ${colorScheme}, ${width}`);
      }
    }
    await shoot(page, `docs-${colorScheme}`);
  }
  assert.deepEqual(faults, []);
  assert.ok(bytes < 150_000, `${bytes} bytes`);
});

test("the page of the interface finds operations, switches languages, and tries an operation out", async (t) => {
  const world = await startWorld(t);
  const { accessKey } = await world.tenant();
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  page.setDefaultTimeout(LONG_MS);
  await page.goto(`${world.url}/docs`);
  await page.getByRole("searchbox").fill("create room");
  await page.getByRole("navigation").getByRole("link", { name: "Create a room" }).waitFor();
  assert.equal(await page.locator("nav li[data-find=createRoom]").isVisible(), true);
  assert.equal(await page.locator("nav li[data-find=signIn]").isVisible(), false);
  await page.getByRole("radio", { name: "Python" }).check();
  assert.equal(await page.locator("#createRoom figure.python").isVisible(), true);
  assert.equal(await page.locator("#createRoom figure.curl").isVisible(), false);
  await page.locator("#createRoom .try").click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Send as").selectOption("key");
  await form.getByLabel("Access key", { exact: true }).fill(accessKey.accessKey);
  await form.getByLabel("Secret access key").fill(accessKey.secretAccessKey);
  await form.getByRole("textbox", { name: "Body" }).fill("{}");
  await form.getByRole("button", { name: "Send" }).click();
  // Without the confirmation nothing is sent.
  assert.equal(await form.getByRole("status").innerText(), "");
  await form.getByLabel("I know that this may change real data").check();
  await form.getByRole("button", { name: "Send" }).click();
  await form.getByText("400 Bad Request").waitFor();
  const answer = form.getByRole("region", { name: "Answer" });
  const isInSight = async () => {
    const { y, height } = (await answer.boundingBox()) ?? assert.fail("no answer");
    return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
  };
  for (const [width, height] of [
    [1440, 900],
    [320, 480],
  ] as const) {
    await page.setViewportSize({ width, height });
    await form.getByLabel("I know that this may change real data").check();
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("400 Bad Request").waitFor();
    await until(`the answer is in sight at ${width}`, isInSight);
    await assertNothingSticksOut(page, `the form to try an operation at ${width}`);
    await assertAccessible(page, `the form to try an operation at ${width}`);
    await shoot(page, `docs-try-${width}`);
  }
});

test("the page of the interface lets choose what cannot be anything", async (t) => {
  const world = await startWorld(t);
  const { ask, admin, accessKey } = await world.tenant();
  await ask("createRoom", { name: "Board", roomOwnerId: admin.id });
  const browser = await openBrowser(t);
  const page = await browser.newPage();
  page.setDefaultTimeout(LONG_MS);
  await page.goto(`${world.url}/docs`);
  const open = async (id: string) => {
    await page.locator(`#${id} .try`).click();
    return page.getByRole("dialog");
  };
  const body = await open("createRoom");
  await body.getByText("Choose values of the body").click();
  await body.getByLabel("enableRecording").selectOption("true");
  await body.getByLabel("roomType").selectOption("event");
  const text = body.getByRole("textbox", { name: "Body" });
  const sent = JSON.parse(await text.inputValue());
  assert.deepEqual([sent.enableRecording, sent.roomType], [true, "event"]);
  await text.fill('{"roomType": "p2p"}');
  assert.equal(await body.getByLabel("roomType").inputValue(), "p2p");
  assert.equal(await body.getByLabel("enableRecording").inputValue(), "");
  await text.fill("{");
  assert.equal(await body.getByLabel("roomType").isDisabled(), true);
  await page.keyboard.press("Escape");
  await page.locator("#createRoom .try:focus").waitFor();

  const query = await open("listHistory");
  await query.getByLabel("Send as").selectOption("key");
  await query.getByLabel("Access key", { exact: true }).fill(accessKey.accessKey);
  await query.getByLabel("Secret access key").fill(accessKey.secretAccessKey);
  await query.getByLabel("kind").selectOption(["roomCreated", "roomEdited"]);
  await query.getByRole("button", { name: "Send" }).click();
  await query.getByText("200 OK").waitFor();
  const { entries } = JSON.parse(await query.getByRole("region", { name: "Answer" }).innerText());
  assert.deepEqual(
    entries.map(({ kind }: { readonly kind: string }) => kind),
    ["roomCreated"],
  );
});

test("the page of the interface reads without a script, and its examples of every operation compile", async (t) => {
  const world = await startWorld(t);
  const text = await (await fetch(`${world.url}/docs`)).text();
  const unescaped = (html: string): string =>
    html
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
  const examples = (language: string): string[] =>
    [
      ...text.matchAll(new RegExp(`<figure class="${language}">.*?<pre><code>(.*?)</code>`, "gs")),
    ].map(([, code = ""]) => unescaped(code));
  mkdirSync(join(root, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(root, ".cache/docs-examples-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const count = Object.keys(operations).length;
  for (const id of Object.keys(operations)) assert.ok(text.includes(`id="${id}"`), id);
  const scripts = examples("typescript");
  assert.equal(scripts.length, count);
  const head =
    'import { createClient } from "../../contract/client.ts";\nconst parley = createClient({});\n';
  const program = scripts.map(
    (one) => `export const run${scripts.indexOf(one)} = async () => {\n${one}\nreturn answer;\n};`,
  );
  writeFileSync(join(folder, "examples.ts"), head + program.join("\n"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: "../../tsconfig.json", include: ["examples.ts"] }),
  );
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", folder], {
    encoding: "utf8",
  });
  const commands = examples("curl");
  assert.equal(commands.length, count);
  execFileSync("sh", ["-n"], { input: commands.join("\n") });
});
