// Runs: postgres-first, waits

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { verifyPassword } from "../../server/access/passwords.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import { sendsOldLetters } from "../twins/twins.ts";
import { insist } from "../world/ask.ts";
import { until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { type SunkLetter, startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";

const RESETS = 10;

/** Resets one password many times at the same time, and checks which one counts and which was sent last. */
const rounds = async (t: TestContext, many: number, twin?: Twin): Promise<void> => {
  const sink = await startSink();
  t.after(() => sink.stop());
  // Until all resets are answered, letters are temporarily refused: those that are tried again later were
  // replaced meanwhile.
  const held = new Set<string>();
  sink.fate = (stage, address) =>
    stage === "data" && held.has(address) ? { code: 451 } : undefined;
  const world = await startWorld(t, {
    twin,
    environment: { SMTP_URL: sink.url, MAIL_RETRY_SECONDS: "0.3" },
  });
  const urls = [world.url, await world.second()];
  const tenant = await world.tenant();
  const list = insist(tenant.ask);
  const waiting = async () => (await list("listLetters", { state: "waiting" })).body.letters;
  let sent = 0;
  for (let n = 0; n < many; n += 1) {
    const { id: userId, email } = await tenant.addPerson(`p${n}@example.org`);
    held.add(email);
    const answers = await Promise.all(
      Array.from({ length: RESETS }, (_, client) =>
        insist(tenant.askAt(urls[client % 2] ?? ""))("resetPassword", { userId }),
      ),
    );
    held.delete(email);
    const passwords: string[] = answers.map(({ body }) => body.password);
    assert.equal(new Set(passwords).size, RESETS);
    const { password_digest } = await world.database.read
      .selectFrom("users")
      .select("password_digest")
      .where("id", "=", userId)
      .executeTakeFirstOrThrow();
    const right = [];
    for (const password of passwords) {
      if (await verifyPassword(password_digest, password, { known: "" })) right.push(password);
    }
    assert.equal(right.length, 1, "exactly one password counts");
    const [newest] = right;
    const holds = (password: string | undefined) => (letter: SunkLetter) =>
      letter.parsed.text?.includes(`Password: ${password}`) ?? false;
    await sink.waitFor(holds(newest));
    // A letter waits until it is sent or withdrawn: no other letter is under way then.
    await until("no letter waits", async () => (await waiting()).length === 0);
    const letters = sink.letters.filter(({ to }) => to.includes(email));
    const last = letters.at(-1);
    assert.ok(last && holds(newest)(last), "an older letter went out after the newest");
    assert.equal(letters.filter(holds(newest)).length, 1);
    sent += letters.length;
  }
  t.diagnostic(`${many} rounds of ${RESETS} resets, ${sent} letters sent`);
};

test("P-PWD-4: of simultaneous resets exactly one password works, and its letter is the last one", (t) =>
  rounds(t, count(2, 100, 1)));

testTwin("P-PWD-4: a twin that sends letters with replaced passwords is detected", async (t) => {
  await assert.rejects(rounds(t, 20, sendsOldLetters), { code: "ERR_ASSERTION" });
});
