// Runs: sqlite, pages, complete
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { recordingPath, recordingsFolder } from "../../server/recordings/folder.ts";
import { createPerson } from "../console/people.ts";
import { noticed, press, startVisits } from "../console/visit.ts";
import { filesBelow } from "../world/files.ts";
import { until } from "../world/process.ts";
import { addCaption, addRecording, makeFilms, probe, SECONDS } from "./films.ts";
import { cuesOf, look, plays } from "./pages.ts";

const dataDir = mkdtempSync(join(tmpdir(), "parley-recordings-"));
const { service, visit, browser } = await startVisits({
  DATA_DIR: dataDir,
  CHROMIUM: join(dataDir, "no chromium"),
});
test.after(() => rmSync(dataDir, { recursive: true, force: true }));
const { client } = service;
const films = makeFilms();
const olga = await createPerson(service, "Olga Owner");

const newRoom = async (name: string, roomOwnerId: string): Promise<string> =>
  (await client.createRoom({ name, roomOwnerId })).roomSetting.room;
const [weekly, own] = [
  await newRoom("Weekly", service.adminId),
  await newRoom("Olga's room", olga.id),
];
const add = (name: string, room: string, facts: Parameters<typeof addRecording>[3] = {}) =>
  addRecording({ ...service, dataDir }, films, room, { name, ...facts });
const [plan, film] = [
  await add("Plan for March", weekly),
  await add("Interview", own, { format: "mp4" }),
];
await add("Lost", weekly, { state: "failed", error: "not_begun", seconds: null, bytes: null });

test("a recording is found, played, downloaded, renamed, shared and deleted in the console", async () => {
  await visit({ at: "/recordings" }, async ({ page }) => {
    await page.getByText("3 of 3 recordings").or(page.getByText("1–3 of 3 recordings")).waitFor();
    await page.getByText("It ended before anything was recorded.").waitFor();
    await page.getByLabel("State").selectOption("failed");
    await page.getByRole("link", { name: "Plan for March" }).waitFor({ state: "detached" });
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Search recordings by name or room").fill("olga");
    await page.getByRole("link", { name: "Plan for March" }).waitFor({ state: "detached" });
    await page.getByLabel("Search recordings by name or room").fill("march");
    await page.getByRole("link", { name: "Plan for March" }).click();
    await page.getByRole("heading", { name: /^Plan for March, \w+ \d+, \d{4}$/ }).waitFor();
    await plays(page);

    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    const download = await downloading;
    assert.match(download.suggestedFilename(), /^Plan for March [\d-]{10}\.mp4$/);
    const path = await download.path();
    assert.deepEqual(probe(path).streams, ["audio", "video"]);
    assert.ok(readFileSync(path).length > 10_000);

    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Plan for April");
    await page.getByRole("button", { name: "Save" }).click();
    await noticed(page, "The recording has its new name.");
    await page.getByRole("heading", { name: "Plan for April" }).waitFor();

    await addCaption(service, plan, { number: 1, second: 1, peer: "Ann", text: "hello guest" });
    await page.getByRole("button", { name: "Share" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No links yet.").waitFor();
    await dialog.getByLabel("Anybody with the link may").selectOption("download");
    await dialog.getByRole("button", { name: "Make a link" }).click();
    const url = (await dialog.locator("code").textContent()) ?? "";
    assert.match(url, /\/r\/[\w-]{43}$/);
    const guest = await (await browser.newContext()).newPage();
    await guest.goto(url);
    await guest.getByRole("heading", { name: "Plan for April" }).waitFor();
    await plays(guest);
    await until("the player has the captions", async () => (await cuesOf(guest)).length > 0);
    assert.deepEqual(await cuesOf(guest), ["1 <v Ann>hello guest"]);
    const guestDownloads = guest.waitForEvent("download");
    await guest.getByRole("button", { name: "Download" }).click();
    assert.match((await guestDownloads).suggestedFilename(), /^Plan for April [\d-]{10}\.mp4$/);
    await look(guest, "recording-shared", async () => {});
    await dialog.getByRole("button", { name: /^Revoke the link/ }).click();
    await dialog.getByText("Revoked", { exact: true }).waitFor();
    await guest.reload();
    await guest.getByRole("heading", { name: "This link has ended" }).waitFor();
    await guest.context().close();
    await press(page, "Escape");
    await dialog.waitFor({ state: "detached" });

    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await noticed(page, "Plan for April is deleted.");
    await page.waitForURL(/\/recordings$/);
    await page.getByText("1–2 of 2 recordings").waitFor();
  });
  await assert.rejects(client.fetchRecording({ recordingId: plan.id }), {
    code: "recording_not_found",
  });
});

test("spoken words are searched, read beside the recording, shown as captions, and played from there", async () => {
  const row = await add("Spoken", weekly);
  for (const [number, [second, peer, text]] of (
    [
      [-9, "Ann", "before it began"],
      [1, "Ann", "hello world"],
      [4, "Ben", "the <b>budget</b> & more"],
      [SECONDS + 9, "Ben", "the budget after it ended"],
    ] as const
  ).entries()) {
    await addCaption(service, row, { number, second, peer, text });
  }
  await visit({ at: "/recordings" }, async ({ page }) => {
    await page.getByRole("link", { name: "Search in what was said" }).click();
    await page.getByText("Search for what somebody said").waitFor();
    await page.getByLabel("Search in what was said").fill("nobody says this");
    await page.getByText("Nobody said this").waitFor();
    await page.getByLabel("Search in what was said").fill("<B>Budg");
    await look(page, "transcripts-found");
    await page.getByRole("button", { name: "the <b>budget</b> & more" }).click();
    await page.getByRole("dialog").getByRole("list", { name: "Transcript" }).waitFor();
    await page.getByRole("link", { name: "Play this moment" }).click();
    await page.waitForURL(new RegExp(`/recordings/${row.id}\\?at=4$`));
    await page.locator("video").waitFor();
    const time = () => page.evaluate<number>("document.querySelector('video').currentTime");
    await until("it begins there", async () => Math.abs((await time()) - 4) < 0.1);

    const said = page.getByRole("region", { name: "Transcript" });
    const lines = await said.getByRole("listitem").allInnerTexts();
    assert.deepEqual(
      lines.map((line) => line.replace(/\s+/g, " ")),
      ["00:00:01 Ann hello world", "00:00:04 Ben the <b>budget</b> & more"],
    );
    await until("the player has the captions", async () => (await cuesOf(page)).length > 0);
    assert.deepEqual((await cuesOf(page)).slice(0, 2), [
      "1 <v Ann>hello world",
      "4 <v Ben>the &lt;b&gt;budget&lt;/b&gt; &amp; more",
    ]);
    await said.getByRole("button", { name: "Play from 00:00:01" }).click();
    await until("it plays from there", async () => (await time()) > 1 && (await time()) < 4);
    await page.evaluate("document.querySelector('video').pause()");

    for (const [label, ending, begins] of [
      [
        "Subtitles (WebVTT)",
        "vtt",
        "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ann>hello world\n",
      ],
      ["Text", "txt", "[00:00:01] Ann: hello world\n"],
    ] as const) {
      const downloading = page.waitForEvent("download");
      await said.getByRole("button", { name: label }).click();
      const download = await downloading;
      assert.match(download.suggestedFilename(), new RegExp(`\\.${ending}$`));
      // Files begin with a byte order mark, for programs that would otherwise guess the encoding.
      const text = readFileSync(await download.path(), "utf8").replace(/^\uFEFF/, "");
      assert.ok(text.startsWith(begins), text);
    }
    await look(page, "recording-spoken");
  });

  const sound = await add("Heard", weekly, { type: "a", resolutions: "[]" });
  await addCaption(service, sound, { number: 1, second: 1, peer: "Ann", text: "hello listeners" });
  const shared = { recordingId: sound.id, allows: "captions" } as const;
  const { link } = await client.createRecordingLink(shared);
  const guest = await (await browser.newContext()).newPage();
  await guest.goto(link.url);
  await guest.locator("video").waitFor();
  await until("captions of sound are shown too", async () => (await cuesOf(guest)).length === 1);
  assert.equal(await guest.getByRole("button", { name: "Download" }).count(), 0);
  await guest.context().close();
});

test("hls.js plays if the browser cannot, within the page's policy", async () => {
  const recording = await add("By hls.js", weekly);
  await visit({ at: "/rooms" }, async ({ page }) => {
    await page.addInitScript(
      "HTMLMediaElement.prototype.canPlayType = (type) => (/mpegurl/.test(type) ? '' : 'maybe')",
    );
    await page.goto(`${service.url}/recordings/${recording.id}`);
    await plays(page);
    const source = await page.evaluate<string>("document.querySelector('video').currentSrc");
    assert.match(source, /^blob:/);
  });
});

test("a recording with several sizes is downloaded, and an mp4 plays, in the chosen size", async () => {
  const [large, sized] = [
    await add("Large and small", weekly),
    await add("Both as mp4", weekly, { format: "mp4" }),
  ];
  for (const [row, ending] of [
    [large, ""],
    [sized, ".mp4"],
  ] as const) {
    const folder = join(recordingsFolder(dataDir), recordingPath(row));
    cpSync(join(folder, `480p${ending}`), join(folder, `1080p${ending}`), { recursive: true });
    const names = filesBelow(folder);
    const files = names.map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
    await service.change(({ tx }) =>
      tx
        .updateTable("recordings")
        .set({ files: JSON.stringify(files), resolutions: '["1080p","480p"]' })
        .where("id", "=", row.id)
        .execute(),
    );
  }
  await visit({ at: `/recordings/${large.id}` }, async ({ page }) => {
    for (const [size, name] of [
      ["480p", /^Large and small [\d-]{10} 480p\.mp4$/],
      ["1080p", /^Large and small [\d-]{10}\.mp4$/],
    ] as const) {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download" }).click();
      await page.getByRole("menuitem", { name: size, exact: true }).click();
      assert.match((await downloading).suggestedFilename(), name);
    }
    await page.goto(`${service.url}/recordings/${sized.id}`);
    await plays(page);
    const source = () => page.evaluate<string>("document.querySelector('video').currentSrc");
    assert.match(await source(), /\/1080p\.mp4$/);
    const before = await page.evaluate<number>("document.querySelector('video').currentTime");
    await page.getByLabel("Size").selectOption("480p");
    await until("it goes on in the other size", async () => {
      const at = await page.evaluate<number>("document.querySelector('video').currentTime");
      return /\/480p\.mp4$/.test(await source()) && at > before;
    });
  });
});

test("an owner without `admin` sees the recordings of their rooms, and no settings", async () => {
  await visit(
    { as: { login: olga.email, password: olga.password }, at: "/recordings" },
    async ({ page }) => {
      await page.getByText("1 of 1 recording").waitFor();
      assert.equal(await page.getByRole("link", { name: "Settings" }).count(), 0);
      await page.getByRole("link", { name: film.name }).click();
      await plays(page);
    },
  );
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the pages of recordings and settings are accessible and fit, ${colorScheme}`, async () => {
    const name = (what: string) => `${what}-${colorScheme}`;
    const wanted = { light: 90, dark: 120 }[colorScheme];
    await visit({ at: "/recordings", colorScheme, failing: [400] }, async ({ page }) => {
      await page.getByRole("link", { name: film.name }).waitFor();
      await look(page, name("recordings"));
      await page.getByRole("link", { name: film.name }).click();
      await page.locator("video").waitFor();
      await look(page, name("recording"));
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("button", { name: "Make a link" }).click();
      await page.getByText("Copy it now").waitFor();
      await look(page, name("recording-share"));
      await press(page, "Escape");
      await page.goto(`${service.url}/`);
      await page.getByText("Space used").waitFor();
      await page.getByRole("note").getByText("parley doctor").waitFor();
      await look(page, name("overview-recordings"));
      await page.getByRole("link", { name: "Settings" }).click();
      const days = page.getByLabel("Days to keep recordings");
      await days.fill("4000");
      await page.getByRole("button", { name: "Save settings" }).click();
      await page.getByText(/must be a whole number from 1 to 3650/).waitFor();
      await look(page, name("settings"));
      await days.fill(`${wanted}`);
      await page.getByRole("button", { name: "Save settings" }).click();
      await noticed(page, "The settings are saved.");
    });
    const { organization } = await client.getOrganization();
    assert.equal(organization.settings.recordingDays, wanted);
  });
}
