import assert from "node:assert/strict";
import { after, test } from "node:test";
import { letterTo, linksOf } from "../letters/mailbox.ts";
import { create } from "../users/people.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { deviceOf } from "./sessions.ts";

const sink = await startSink();
after(() => sink.stop());
const { open, organization } = await startWorld(test, {
  environment: {
    SMTP_URL: sink.url,
    PUBLIC_URL: "https://meet.example.org/video",
    TRUST_PROXY: "loopback",
  },
});
const { ask } = await organization("Places");

test("a sign-in from a new browser in a new network causes an email, and no other does", async () => {
  const { id, email, password } = await create(ask);
  await letterTo(sink, email);
  sink.letters.length = 0;
  const signIn = async (from: string, more = {}) => {
    const answer = await open(
      "signIn",
      { login: email, password },
      { "x-forwarded-for": from, ...more },
    );
    assert.equal(answer.status, 200);
    return answer;
  };
  const letters = async () =>
    (await ask("listLetters", { limit: 100 })).body.letters.filter(
      (letter: { kind: string; userId: string }) =>
        letter.kind === "new-sign-in" && letter.userId === id,
    ).length;
  const cookie = deviceOf(await signIn("192.0.2.1"));
  assert.equal(await letters(), 0, "the first one");
  await signIn("192.0.2.1");
  assert.equal(await letters(), 0, "the same network");
  await signIn("198.51.100.7", { cookie });
  assert.equal(await letters(), 0, "the same browser");
  await signIn("203.0.113.9", { "user-agent": "Mozilla/5.0\t<b>Firefox</b>" });
  assert.equal(await letters(), 1);
  const letter = await letterTo(sink, email);
  assert.equal(letter.parsed.subject, "New sign-in to your Parley account");
  assert.match(
    letter.parsed.text ?? "",
    /Address: 203\.0\.113\.9\nBrowser: Mozilla\/5\.0 <b>Firefox<\/b>/,
  );
  assert.deepEqual(new Set(linksOf(letter)), new Set(["https://meet.example.org/video/account"]));
  await signIn("203.0.113.9");
  assert.equal(await letters(), 1, "known by now");
  const wrong = await open(
    "signIn",
    { login: email, password: "wrong" },
    { "x-forwarded-for": "203.0.113.77" },
  );
  assert.equal(wrong.status, 401);
  assert.equal(await letters(), 1, "a refused one");
});
