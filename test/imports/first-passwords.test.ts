import assert from "node:assert/strict";
import { after, test } from "node:test";
import { letterTo, linksOf } from "../letters/mailbox.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { address, carryOut, refused, upload } from "./importing.ts";

const sink = await startSink();
after(() => sink.stop());
const world = await startWorld(test, {
  environment: { SMTP_URL: sink.url, PUBLIC_URL: "https://meet.example.org/video" },
});

test("an imported person has no password, and chooses one by the link in the email, once", async () => {
  const { ask } = await world.tenant();
  const [quiet, wanted] = [address(), address()];
  await carryOut(
    ask,
    (await upload(ask, { kind: "users", text: [{ email: quiet, name: "Q" }] })).id,
  );
  const made = await upload(ask, { kind: "users", text: [{ email: wanted, name: "Wanted" }] });
  await carryOut(ask, made.id, { emails: true });
  const letter = await letterTo(sink, wanted);
  assert.equal(sink.letters.filter(({ to }) => to.includes(quiet)).length, 0);
  const [link = ""] = linksOf(letter);
  assert.match(link, /^https:\/\/meet\.example\.org\/video\/password#v1\./);
  assert.doesNotMatch(letter.parsed.text ?? "", /Password:/);
  const code = new URL(link).hash.slice(1);
  const choose = (given: string, newPassword: string) =>
    world.open("choosePassword", { code: given, newPassword });
  const other = code.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
  await refused(choose(other, "four quiet herons at dawn"), "link_ended");
  assert.equal((await choose(code, "password password")).body.code, "invalid_input");
  const { status, body } = await choose(code, "four quiet herons at dawn");
  assert.equal(status, 200);
  const signIn = { login: body.username, password: "four quiet herons at dawn" };
  assert.equal((await world.open("signIn", signIn)).status, 200);
  await refused(choose(code, "five quiet herons at dawn"), "link_ended");
  const { entries } = (await ask("listHistory", { kind: "passwordChanged" })).body;
  assert.equal(entries[0].actor.name, "Wanted");
  assert.equal(entries.length, 1);
});

test("a file demands a new password of people who have one, and the import is taken back with the demand", async () => {
  const { ask } = await world.tenant();
  const people: { readonly email: string; readonly password: string }[] = [];
  for (const name of ["Ann", "Bob"]) {
    const made = await ask("createUser", { email: address(), name, loginUrl: "https://x.example" });
    people.push({ email: made.body.user.email, password: made.body.password });
  }
  const signIn = async () => {
    const answers = people.map(({ email: login, password }) =>
      world.open("signIn", { login, password }).then(({ body }) => body.code ?? "in"),
    );
    return Promise.all(answers);
  };
  const [ann, bob] = people.map(({ email }) => email);
  const text = `Email;Name;Must choose a new password\n${ann};Ann;yes\n${bob};Bob;\n`;
  const { id } = await upload(ask, { kind: "users", text });
  const { entry } = await carryOut(ask, id);
  assert.deepEqual(await signIn(), ["password_to_choose", "in"]);
  assert.equal((await ask("undoChange", { number: entry })).status, 200);
  assert.deepEqual(await signIn(), ["in", "in"]);
});

test("the link in an email opens the account only for the address to which it was sent", async () => {
  const { ask } = await world.tenant();
  const invite = async (id: string, email: string): Promise<string> => {
    const made = await upload(ask, { kind: "users", text: [{ id, email, name: "Invited" }] });
    await carryOut(ask, made.id, { emails: true });
    return new URL(linksOf(await letterTo(sink, email))[0] ?? "").hash.slice(1);
  };
  const choose = (code: string) =>
    world.open("choosePassword", { code, newPassword: "four quiet herons at dawn" });
  const [wrong, right, last] = [address(), address(), address()];
  const id = `imported-${wrong.split("@")[0]}`;

  // Corrected: the person with the mistyped address gets nothing.
  const code = await invite(id, wrong);
  assert.equal((await ask("editUser", { userId: id, email: right })).status, 200);
  await refused(choose(code), "link_ended");
  assert.equal((await ask("editUser", { userId: id, email: wrong })).status, 200);

  // Deleted, and imported again under the same ID with another address.
  assert.equal((await ask("revokeUsers", [{ userId: id }])).status, 200);
  assert.equal((await ask("deleteUsers", [id])).status, 200);
  const again = await invite(id, last);
  await refused(choose(code), "link_ended");
  assert.equal((await choose(again)).status, 200);
});
