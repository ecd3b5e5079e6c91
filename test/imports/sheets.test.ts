import assert from "node:assert/strict";
import { test } from "node:test";
import { startWorld } from "../world/world.ts";
import { address, carryOut, goOn, linesOf, refused } from "./importing.ts";
import { latin1, utf16, workbook } from "./sheet-files.ts";

const world = await startWorld(test);

const asFile = (content: string | Uint8Array) => ({
  file: Buffer.from(content as string).toString("base64"),
});

test("workbooks and files in every encoding are imported, and the check shows how each was read", async () => {
  const { ask } = await world.tenant();
  const files: readonly (readonly [string | Uint8Array, string, string | null])[] = [
    [`Name;Email\r\nJörg Müller;${address()}`, "csv", "utf-8"],
    [latin1(`Name;Email\r\nJörg Müller;${address()}`), "csv", "windows-1252"],
    [utf16(`Name\tEmail\r\nJörg Müller\t${address()}`), "csv", "utf-16le"],
    [JSON.stringify({ users: [{ name: "Jörg Müller", email: address() }] }), "json", "utf-8"],
    [
      workbook([
        {
          name: "S",
          rows: [
            ["Name", "Email"],
            ["Jörg Müller", address()],
          ],
        },
      ]),
      "xlsx",
      null,
    ],
  ];
  for (const [content, format, encoding] of files) {
    const { status, body } = await ask("createImport", { kind: "users", ...asFile(content) });
    assert.equal(status, 201, JSON.stringify(body));
    assert.deepEqual([body.import.read.format, body.import.read.encoding], [format, encoding]);
    const { id, plan } = await goOn(ask, body.import.id);
    assert.equal(plan.create, 1);
    assert.equal((await linesOf(ask, id))[0]?.called, "Jörg Müller");
    assert.equal((await carryOut(ask, id)).done.created, 1);
    assert.equal((await linesOf(ask, id))[0]?.called, null);
  }
  const { users } = (await ask("fetchUsers", {})).body;
  const named = users.filter(({ name }: { name: string }) => name === "Jörg Müller");
  assert.equal(named.length, files.length);
});

test("a file without a required column is refused once, and existing people can be changed", async () => {
  const { ask, admin } = await world.tenant();
  const said = async (kind: string, content: string) => {
    const { status, body } = await ask("createImport", { kind, ...asFile(content) });
    return status === 201 ? "read" : body.message;
  };
  assert.match(await said("users", "Name,Phone\nAnn,1\nBen,2"), /^file has no column with email/);
  assert.match(await said("users", `Email\n${address()}\n${address()}`), /names of people/);
  assert.match(await said("rooms", "Owner\nann@example.org"), /names of rooms/);
  assert.match(await said("rooms", "Name,Type\nHall,Event"), /owners of rooms/);
  assert.equal(await said("users", `Email,Role\n${admin.email},panelist`), "read");
  assert.deepEqual((await ask("listImports")).body.imports.length, 1);
});

test("assigned columns are remembered for their headings, within the organization", async () => {
  const [one, other] = [await world.tenant(), await world.tenant()];
  const file = () => ({ kind: "users", ...asFile(`Wer;Wohin\nAnn Lee;${address()}`) });
  const look = async ({ ask }: typeof one) => (await ask("readImport", file())).body;
  const before = await look(one);
  assert.deepEqual([before.missing, before.remembered, before.lines], [["email"], false, 1]);
  const columns = ["name", "email"];
  assert.equal((await one.ask("createImport", { ...file(), columns })).status, 201);
  const after = await look(one);
  assert.deepEqual([after.missing, after.remembered], [[], true]);
  assert.deepEqual(
    after.columns.map(({ field }: { field: string }) => field),
    columns,
  );
  assert.equal((await look(other)).remembered, false);
  const wrong = await one.ask("createImport", { ...file(), columns: ["name", "password"] });
  assert.match(wrong.body.message, /no field "password"/);
});

test("the limit counts the bytes of the file, whatever is in it", async () => {
  const { ask } = await world.tenant();
  const line = () => `"Zoë ""Z"" Ñandú",${address()}\n`;
  const text = `Name,Email\n${line()}`;
  const padded = (bytes: number) => `${text}${"\n".repeat(bytes - Buffer.byteLength(text))}`;
  const asked = (bytes: number) => ask("createImport", { kind: "users", ...asFile(padded(bytes)) });
  assert.equal((await asked(1_000_000)).status, 201);
  assert.match((await asked(1_000_001)).body.message, /1 MB/);
  const wide = { kind: "users", text: `Name,Email\n${"Ñ".repeat(500_000)}` };
  assert.match((await ask("createImport", wide)).body.message, /1 MB/);
  await refused(ask("createImport", { kind: "users", file: "no base64!" }), "invalid_input");
});

test("an import that is taken back says so, also once the undo is taken back", async () => {
  const { ask } = await world.tenant();
  const file = asFile(`Name,Email\nAnn Lee,${address()}`);
  const { id } = (await ask("createImport", { kind: "users", ...file })).body.import;
  await goOn(ask, id);
  const { entry, undoneAt } = await carryOut(ask, id);
  assert.equal(undoneAt, null);
  assert.equal((await ask("undoChange", { number: entry })).status, 200);
  const now = async () => (await ask("listImportLines", { importId: id })).body.import.undoneAt;
  assert.match(await now(), /^\d{4}-/);
});
