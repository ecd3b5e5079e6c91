import assert from "node:assert/strict";
import { after, test } from "node:test";
import { letterTo, linksOf } from "../letters/mailbox.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";

const sink = await startSink();
after(() => sink.stop());
const world = await startWorld(test, {
  environment: { SMTP_URL: sink.url, PUBLIC_URL: "https://meet.example.org/video" },
});

const body = (email: string) => ({ email, name: "Ann", loginUrl: "https://evil.example/" });

test("a person who is created with a link chooses the first password, and no password is sent or answered", async () => {
  const { ask } = await world.tenant();
  const invited = async (email: string, more: object = {}) => {
    const { status, body: made } = await ask("createUser", { ...body(email), ...more });
    assert.deepEqual([status, made.password], [201, ""]);
    const letter = await letterTo(sink, email);
    assert.doesNotMatch(letter.parsed.text ?? "", /Password:/);
    const [link = ""] = linksOf(letter);
    assert.match(link, /^https:\/\/meet\.example\.org\/video\/password#v1\./);
    const code = new URL(link).hash.slice(1);
    const newPassword = "four quiet herons at dawn";
    assert.equal((await world.open("choosePassword", { code, newPassword })).status, 200);
    assert.equal((await world.open("signIn", { login: email, password: newPassword })).status, 200);
  };
  await invited("by-request@example.org", { passwordByLink: true });
  // As before, unless the organization chooses otherwise.
  const plain = await ask("createUser", body("plain@example.org"));
  assert.match((await letterTo(sink, "plain@example.org")).parsed.text ?? "", /Password:/);
  assert.notEqual(plain.body.password, "");
  await ask("editOrganization", { firstPasswords: "link" });
  await invited("by-setting@example.org");
  const asked = await ask("createUser", { ...body("asked@example.org"), passwordByLink: false });
  assert.notEqual(asked.body.password, "");
});
