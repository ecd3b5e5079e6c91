import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { IMPORT_LINES } from "../../contract/imports/imports.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { verifyHistory } from "../../server/history/verify.ts";
import { checkCounters } from "../properties/model.ts";
import { type Ask, askAs } from "../world/ask.ts";
import { codesIn } from "../world/reasons.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { address, carryOut, goOn, linesOf, plansOf, refused, upload } from "./importing.ts";

const sink = await startSink();
after(() => sink.stop());
const world = await startWorld(test, {
  environment: { SMTP_URL: sink.url, PUBLIC_URL: "https://meet.example.org/video" },
});

const peopleOf = async (ask: Ask) => (await ask("fetchUsers", {})).body.users;
const roomsOf = async (ask: Ask) => (await ask("listRooms", { limit: 100 })).body.roomSettings;
const holds = async (id: string): Promise<void> => {
  const { broken } = await verifyHistory(openOrganization(world.database, id, operator));
  assert.equal(broken, null);
  await checkCounters(world, id);
};

test("a check says for each line what it would do or why it is refused, and changes nothing", async () => {
  const { ask, admin, id } = await world.tenant({ users: 4 });
  const known = address();
  await ask("createUser", { email: known, name: "Known", loginUrl: "https://example.org/" });
  const before = [await peopleOf(ask), (await ask("listHistory", {})).body.pagination.total];
  const [first, second, third] = [address(), address(), address()];
  const { state, plan, done, ignored, lines } = await upload(ask, {
    kind: "users",
    text: [
      "email,name,role,meetNowEnabled,tags,shoe size",
      `${first},"Zoë, the first",panelist,TRUE,north; east,44`,
      `${known},Known,moderator,,,`,
      `${known.toUpperCase()},Known,,,,`,
      `${admin.email},Renamed,,,,`,
      `not an address,Nobody,,,,`,
      `${address()},,,,,`,
      `${address()},Longer,moderator,,,,more`,
      `${second},Second,,perhaps,,`,
      "",
      `${second},Second again,,,,`,
      `${third},"Third`,
      `with a break",,,,`,
      `${address()},Fourth,,,,`,
    ].join("\r\n"),
  });
  const [one] = (await ask("listImports")).body.imports;
  assert.deepEqual([state, lines, ignored, one.state], ["ready", 11, ["shoe size"], "ready"]);
  assert.deepEqual(plan, { create: 2, change: 1, same: 1, refuse: 7 });
  assert.deepEqual(done, { created: 0, changed: 0, same: 0, refused: 0 });
  const [changed] = (await linesOf(ask, one.id)).filter((line) => line.plan === "change");
  assert.deepEqual(
    [changed?.name, changed?.before, changed?.after],
    [admin.email, { name: admin.name }, { name: "Renamed" }],
  );
  const required = "Email and name are required to create a new user.";
  assert.deepEqual(await plansOf(ask, one.id), [
    [2, "create"],
    [3, "same"],
    [4, "refuse", "Line 3 has the same email."],
    [5, "change"],
    [6, "refuse", "email must be an email address, such as ann@example.org"],
    [7, "refuse", required],
    [8, "refuse", "The line has 7 cells, the heading 6."],
    [9, "refuse", "meetNowEnabled must be true or false"],
    [11, "refuse", "Line 9 has the same email."],
    [12, "create"],
    [14, "refuse", "Agent creation limit reached, please upgarde your plan"],
  ]);
  const now = [await peopleOf(ask), (await ask("listHistory", {})).body.pagination.total];
  assert.deepEqual(now, before);
  const reasons = (await linesOf(ask, one.id)).map((line) => codesIn(line.reasons));
  assert.deepEqual(
    reasons.filter((some) => some?.length !== 0),
    [
      [["", "same_as_line"]],
      [["email", "not_email"]],
      [["name", "email_and_name_required"]],
      [["", "line_cells"]],
      [["meetNowEnabled", "not_true_or_false"]],
      [["", "same_as_line"]],
      [["", "user_limit"]],
    ],
  );
  await holds(id);
});

test("a line that an earlier version refused keeps its text, and has no codes", async () => {
  const { ask } = await world.tenant();
  const { id: importId } = await upload(ask, { kind: "users", text: "email,name\nnobody,Nobody" });
  const former = "email must be an email address, such as ann@example.org";
  await world.database.change(
    async (tx) =>
      void (await tx
        .updateTable("import_lines")
        .set({ reason: former })
        .where("import_id", "=", importId)
        .execute()),
  );
  const { lines } = (await ask("listImportLines", { importId })).body;
  assert.deepEqual([lines[0].plan, lines[0].reason, lines[0].reasons], ["refuse", former, []]);
});

test("a person's language is imported, changed, kept by an empty cell and cleared by null", async () => {
  const { ask } = await world.tenant();
  const [ann, ben] = [address(), address()];
  const bring = async (text: string | readonly object[]) => {
    const { id } = await upload(ask, { kind: "users", text });
    return (await carryOut(ask, id, { mode: "all" })).done;
  };
  const languages = async () => {
    const people = (await peopleOf(ask)) as readonly {
      readonly id: string;
      readonly email: string;
    }[];
    const userIds = people.map(({ id }) => id);
    const { body } = await ask("findUsers", { userIds, withLanguages: true });
    const known = new Map(
      (body.languages as readonly { readonly userId: string; readonly language: string }[]).map(
        ({ userId, language }) => [userId, language],
      ),
    );
    return [ann, ben].map((email) =>
      known.get(people.find((one) => one.email === email)?.id ?? ""),
    );
  };
  const sheet = (first: string, second: string) =>
    `name,email,language\nAnn,${ann},${first}\nBen,${ben},${second}`;
  const none = { created: 0, changed: 0, same: 0, refused: 0 };
  assert.deepEqual(await bring(sheet("de", "sv")), { ...none, created: 2 });
  assert.deepEqual(await languages(), ["de", null]);
  assert.deepEqual(await bring(sheet("", "fr")), { ...none, changed: 1, same: 1 });
  assert.deepEqual(await languages(), ["de", "fr"]);
  assert.deepEqual(await bring(sheet("de", "fr")), { ...none, same: 2 });
  const cleared = [{ name: "Ann", email: ann, language: null }];
  assert.deepEqual(await bring(cleared), { ...none, changed: 1 });
  assert.deepEqual(await languages(), [null, "fr"]);
  assert.deepEqual(await bring(cleared), { ...none, same: 1 });
});

test("confirmed lines are carried out by the rules of every change, with their history", async () => {
  const { ask, admin, id } = await world.tenant();
  const [ann, ben, eve] = [address(), address(), address()];
  const people = await upload(ask, {
    kind: "users",
    text: [
      { email: ann, name: "Ann", id: "64c1f0a2b7e3", tags: ["a;b", "c"], location: null },
      { email: ben, name: "Ben", accountSuspended: true },
      { email: eve, name: "Eve", accountDeleted: true, admin: true },
      { id: admin.id, email: admin.email, location: "Oslo" },
    ],
  });
  assert.deepEqual(people.plan, { create: 3, change: 1, same: 0, refuse: 0 });
  const done = await carryOut(ask, people.id, { mode: "all" });
  assert.deepEqual(
    [done.state, done.done],
    ["done", { created: 3, changed: 1, same: 0, refused: 0 }],
  );
  const found = await peopleOf(ask);
  const one = found.find(({ email }: { email: string }) => email === ann);
  assert.deepEqual([one.id, one.tags], ["64c1f0a2b7e3", ["a;b", "c"]]);
  assert.equal(found.find((user: { email: string }) => user.email === ben).accountSuspended, true);
  const revoked = (await ask("fetchRevokedUsers", {})).body.users;
  assert.deepEqual(
    revoked.map(({ email }: { email: string }) => email),
    [eve],
  );

  const rooms = await upload(ask, {
    kind: "rooms",
    text: [
      "room;name;roomOwnerId;noOfViewers;audioStatus;recordingResolutions;roomAgenda",
      `board;Board;${one.id},${ben};7;false;"480p; 1080p";'=SUM(A1)`,
      `;Without an ID;${admin.email};;;;`,
      `hall;Hall;nobody@example.org;;;;`,
      `hall2;Hall;${eve};;;;`,
    ].join("\n"),
  });
  assert.deepEqual(await plansOf(ask, rooms.id), [
    [2, "create"],
    [3, "create"],
    [4, "refuse", "roomOwnerId names nobody@example.org, who is not in the organization"],
    [...[5, "refuse"], "roomOwnerId must name accounts of the organization that are not revoked"],
  ]);
  await refused(ask("confirmImport", { importId: rooms.id, mode: "all" }), "import_refuses");
  await carryOut(ask, rooms.id);
  const [board, other] = await roomsOf(ask);
  const benId = found.find((user: { email: string }) => user.email === ben).id;
  assert.deepEqual(
    [board.room, board.roomOwnerId, board.noOfViewers, board.audioStatus, board.roomAgenda],
    ["board", `${one.id},${benId}`, 7, "false", "=SUM(A1)"],
  );
  assert.deepEqual(board.recordingResolutions, ["480p", "1080p"]);
  assert.deepEqual([other.name, other.roomOwnerId], ["Without an ID", admin.id]);
  const lines = await linesOf(ask, rooms.id);
  assert.deepEqual(
    lines.map((line) => [line.outcome, line.id]),
    [
      ["created", "board"],
      ["created", other.room],
      ["refused", null],
      ["refused", null],
    ],
  );

  // An answered record is a line; the second time nothing is left to do.
  const again = await upload(ask, { kind: "rooms", text: await roomsOf(ask) });
  assert.deepEqual(again.plan, { create: 0, change: 0, same: 2, refuse: 0 });
  assert.deepEqual(again.ignored, []);
  const entries: HistoryEntry[] = (await ask("listHistory", { limit: 100 })).body.entries;
  const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length;
  assert.deepEqual(
    ["imported", "userCreated", "userEdited", "userSuspended", "userRevoked", "roomCreated"].map(
      count,
    ),
    // One of the created people is the tenant's administrator.
    [2, 4, 1, 1, 1, 2],
  );
  await holds(id);
});

test("all or nothing: a line refused meanwhile leaves no changes, and says why", async () => {
  const { ask, admin, id } = await world.tenant({ rooms: 3 });
  const room = (name: string) => ({ room: name, name, roomOwnerId: admin.id });
  const made = await upload(ask, { kind: "rooms", text: ["a", "b", "c"].map(room) });
  assert.equal(made.plan.create, 3);
  await ask("createRoom", room("elsewhere"));
  const tried = await carryOut(ask, made.id, { mode: "all" });
  assert.deepEqual([tried.state, tried.done.created, tried.plan.refuse], ["ready", 0, 1]);
  assert.match((await linesOf(ask, made.id))[2]?.reason ?? "", /Room creation limit reached/);
  assert.equal((await roomsOf(ask)).length, 1);
  await ask("createRoom", room("a"));
  // A line never does anything that was not confirmed.
  const rest = await carryOut(ask, made.id);
  assert.deepEqual(rest.done, { created: 1, changed: 0, same: 1, refused: 1 });
  assert.equal((await roomsOf(ask)).length, 3);
  await holds(id);
});

test("an import belongs to its organization and to administrators; invalid files are refused", async () => {
  const { ask, addPerson, tokenOf } = await world.tenant();
  const other = await world.tenant();
  const made = await upload(ask, { kind: "users", text: [{ email: address(), name: "X" }] });
  for (const [operation, input] of [
    ["continueImport", { importId: made.id }],
    ["confirmImport", { importId: made.id, mode: "all" }],
    ["listImportLines", { importId: made.id }],
    ["removeImport", { id: made.id }],
  ] as const) {
    await refused(other.ask(operation, input), "import_not_found");
  }
  assert.deepEqual((await other.ask("listImports")).body.imports, []);
  const person = await addPerson(address());
  const asPerson = askAs(world.url, await tokenOf(person.id));
  await refused(asPerson("listImports"), "not_allowed");
  const unread = async (file: object, why: RegExp) => {
    const { status, body } = await ask("createImport", { kind: "users", format: "csv", ...file });
    assert.equal(status, 400);
    assert.match(body.message, why);
  };
  await unread({ text: 'email,name\n"open,' }, /cannot be read as CSV/);
  await unread({ text: "email,name" }, /has no lines/);
  await unread({ text: "email,email\nx,y" }, /twice/);
  await unread({ format: "json", text: "{}" }, /array of objects/);
  await unread({ format: "json", text: "[1,2" }, /cannot be read as JSON/);
  await unread({ text: `email\n${"x\n".repeat(IMPORT_LINES + 1)}` }, /more than 5000 lines/);
  await unread({ format: "json", text: `[${'{"email":1},'.repeat(IMPORT_LINES)}{}]` }, /more than/);
  const deep = { format: "json", text: `[{"email":${"[".repeat(5000)}${"]".repeat(5000)}}, 7]` };
  const odd = (await ask("createImport", { kind: "users", ...deep })).body.import;
  await goOn(ask, odd.id);
  assert.deepEqual(
    (await plansOf(ask, odd.id)).map(([line, plan]) => [line, plan]),
    [
      [1, "refuse"],
      [2, "refuse"],
    ],
  );
  // JSON can escape characters that no database stores: only the lines with them are refused.
  const torn = [{ email: `\0${address()}` }, { id: "\0" }, { tags: ["x", "\ud800"] }];
  const some = [{ email: address(), name: "Sound" }, ...torn];
  const mixed = await plansOf(ask, (await upload(ask, { kind: "users", text: some })).id);
  const why = "The line has text with U+0000 or unpaired surrogates.";
  assert.deepEqual(mixed, [[1, "create"], ...[2, 3, 4].map((line) => [line, "refuse", why])]);
  await refused(ask("confirmImport", { importId: "nobody", mode: "all" }), "import_not_found");
  const long = Array.from({ length: 201 }, (_, n) => ({ email: address(), name: `${n}` }));
  const many = await upload(ask, { kind: "users", text: long });
  await refused(ask("confirmImport", { importId: many.id, mode: "all" }), "import_too_long");
  assert.equal((await ask("removeImport", { id: many.id })).status, 200);
  await refused(ask("continueImport", { importId: many.id }), "import_not_found");
});

test("very long cells, columns and names take time in proportion to their length", async () => {
  const { ask, addPerson } = await world.tenant();
  // If the time grew with the square of the length, none of these would be answered before the deadline.
  const blanks = `email,name\n${address()},"${"\n'".repeat(150_000)}"`;
  const { id } = await upload(ask, { kind: "users", text: blanks });
  assert.deepEqual(await plansOf(ask, id), [
    [2, "refuse", "name must be text of 1 to 200 characters"],
  ]);
  const names = Array.from({ length: 120_000 }, (_, n) => `c${n}`).join(",");
  const wide = { kind: "users", format: "csv", text: `${names}\n${",".repeat(119_999)}` };
  const { status, body } = await ask("createImport", wide);
  assert.deepEqual([status, body.message], [400, "text has no lines"]);
  const short = { ...wide, text: `${names}\n${"x\n".repeat(4_000)}` };
  assert.equal((await ask("createImport", short)).status, 400);
  await upload(ask, { kind: "users", text: [{ email: address(), name: "n".repeat(300_000) }] });
  const person = await addPerson(address());
  assert.equal((await ask("revokeUsers", [{ userId: person.id }])).status, 200);
  assert.equal((await ask("deleteUsers", [person.id])).status, 200);
});

test("the check does not reveal another organization's IDs: the person gets a new one", async () => {
  const [other, own] = [await world.tenant(), await world.tenant()];
  const made = { name: "Board", roomOwnerId: other.admin.id, room: "board" };
  assert.equal((await other.ask("createRoom", made)).status, 201);
  const theirs = [await peopleOf(other.ask), await roomsOf(other.ask)];
  const [taken, free] = [address(), address()];
  const people = [
    { id: other.admin.id, email: taken, name: "Taken" },
    { id: `free-${randomUUID()}`, email: free, name: "Free" },
  ];
  const checked = await upload(own.ask, { kind: "users", text: people });
  assert.deepEqual(await plansOf(own.ask, checked.id), [
    [1, "create"],
    [2, "create"],
  ]);
  assert.equal((await carryOut(own.ask, checked.id)).done.created, 2);
  const ids = (await linesOf(own.ask, checked.id)).map(({ id }) => id);
  assert.equal(ids[1], people[1]?.id);
  assert.ok(ids[0] !== null && ids[0] !== other.admin.id);
  const now = await peopleOf(own.ask);
  for (const [at, { email }] of people.entries()) {
    assert.equal(now.find((one: { email: string }) => one.email === email)?.id, ids[at]);
  }
  // The next import identifies them by their email.
  assert.equal((await upload(own.ask, { kind: "users", text: people })).plan.same, 2);
  const rooms = [{ room: "board", name: "Board", roomOwnerId: taken }];
  const imported = await upload(own.ask, { kind: "rooms", text: rooms });
  assert.equal((await carryOut(own.ask, imported.id)).done.created, 1);
  assert.deepEqual(
    (await roomsOf(own.ask)).map((one: { room: string }) => one.room),
    ["board"],
  );
  assert.deepEqual([await peopleOf(other.ask), await roomsOf(other.ask)], theirs);
  await holds(own.id);
});

test("the check of a line shows that it makes an administrator", async () => {
  const { ask, addPerson } = await world.tenant();
  const known = await addPerson(address());
  const text = [
    { email: address(), name: "New", admin: true },
    { email: known.email, admin: true },
    { email: address(), name: "Plain", admin: false },
  ];
  const { id } = await upload(ask, { kind: "users", text });
  const raised = [{ admin: false }, { admin: true }];
  const shown = async () => (await linesOf(ask, id)).map(({ before, after }) => [before, after]);
  assert.deepEqual(await shown(), [raised, raised, [null, null]]);
  await carryOut(ask, id);
  assert.deepEqual(await shown(), [raised, raised, [null, null]]);
});

test("a line with an ID that no path can have is refused", async () => {
  const { ask } = await world.tenant();
  const text = [".", "..", "..."].map((id) => ({ id, email: address(), name: "Dot" }));
  const { id } = await upload(ask, { kind: "users", text });
  const why = "id must be 1 to 64 of A-Z a-z 0-9 . _ ~ -";
  assert.deepEqual(await plansOf(ask, id), [
    [1, "refuse", why],
    [2, "refuse", why],
    [3, "refuse", why],
  ]);
});

test("a line with the ID of a person in the recycle bin is refused, because the person can come back", async () => {
  const { ask, addPerson } = await world.tenant();
  assert.equal((await ask("editOrganization", { binDays: 30, binFor: "everything" })).status, 200);
  const { id } = await addPerson(address());
  assert.equal((await ask("revokeUsers", [{ userId: id }])).status, 200);
  assert.equal((await ask("deleteUsers", [id])).status, 200);
  const text = [{ id, email: address(), name: "Second account" }];
  const checked = await upload(ask, { kind: "users", text });
  assert.deepEqual(await plansOf(ask, checked.id), [
    [1, "refuse", "id is the ID of somebody in the organization or its recycle bin"],
  ]);
});
