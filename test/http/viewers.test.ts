import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLimited } from "../access/tries.ts";
import { cookieOf, startLibrary } from "../recordings/library.ts";

const { world, tenant, add, get, open } = await startLibrary({
  RATE_LIMIT: "10",
  TRUST_PROXY: "loopback",
});

interface Viewer {
  readonly url: string;
  readonly cookie: string;
}

const statusOf = async (path: string, headers: Readonly<Record<string, string>>) => {
  const answer = await get(path, headers);
  await answer.arrayBuffer();
  return { status: answer.status };
};

const load = ({ url, cookie }: Viewer, address: string) =>
  statusOf(url, { cookie, "x-forwarded-for": address });

/** A recording, and a way to open its link, as many viewers do. */
const share = async () => {
  const { id: recordingId } = await add();
  const { link } = (await tenant.ask("createRecordingLink", { recordingId })).body;
  const code = link.url.split("/r/")[1];
  const openLink = async (): Promise<Viewer> => {
    const opened = await world.open("openRecordingLink", { code });
    assert.equal(opened.status, 200, opened.text);
    return { url: opened.body.recording.media.url, cookie: cookieOf(opened) };
  };
  return { recordingId, openLink };
};

test("files of recordings count for their viewer, even where many share a link and an address", async () => {
  const { recordingId, openLink } = await share();
  const [one, other] = [await openLink(), await openLink()];
  const address = "198.51.100.1";
  await assertLimited(200, () => load(one, address));
  assert.equal((await load(other, address)).status, 200);
  const signedIn = await open(recordingId);
  assert.equal((await load(signedIn, address)).status, 200);
  // Other requests keep their full allowance.
  const asked = await world.open("joinRoom", { roomId: "x" }, { "x-forwarded-for": address });
  assert.equal(asked.status, 404);
});

test("a class of thirty behind one address watches a recording", async () => {
  const { openLink } = await share();
  const viewers: Viewer[] = [];
  for (let n = 0; n < 30; n += 1) viewers.push(await openLink());
  for (let part = 0; part < 5; part += 1) {
    const answers = await Promise.all(viewers.map((viewer) => load(viewer, "198.51.100.2")));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  }
});

test("requests for files without access count for their address", async () => {
  const { openLink } = await share();
  const { url, cookie } = await openLink();
  const address = "198.51.100.3";
  await assertLimited(401, () => load({ url, cookie: `${cookie.split("=")[0]}=link.x` }, address));
  assert.equal((await load({ url, cookie }, address)).status, 200);
});

test("each of several cookies of a recording is tried", async () => {
  const { openLink } = await share();
  const { url, cookie } = await openLink();
  for (const foreign of [
    "parley_recording=x",
    "parley_recording=link.x",
    "parley_recording=token.x",
  ]) {
    for (const both of [`${foreign}; ${cookie}`, `${cookie}; ${foreign}`]) {
      assert.equal((await load({ url, cookie: both }, "198.51.100.4")).status, 200, both);
    }
  }
});
