// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { strToU8, zipSync } from "fflate";
import type * as Read from "../../server/imports/sheets/read.ts";
import { oneLane } from "../twins/shares.ts";
import { testTwin } from "../twins/test-twin.ts";
import { importFrom, type Twin } from "../twins/twin.ts";
import { onlyComplete } from "../world/seed.ts";
import { givenBy, readFile, workbook } from "./sheet-files.ts";

const people = {
  name: "People",
  rows: [
    ["Members of the club"],
    [],
    ["Name", "E-Mail", "Administrator"],
    [{ rich: ["Ann", " Lee"] }, "ann@example.org", true],
    ["", "", ""],
    ["Zoë <&> Ñandú", "zoe@example.org", "nein"],
  ],
};

test("a workbook is read: shared and rich texts, truth values, the sheet with the list", async () => {
  const notes = { name: "Notes", rows: [["Read me"]] };
  const old = {
    name: "Old",
    hidden: true,
    rows: [
      ["Name", "Email", "Role", "Tags"],
      ["X", "x@e.org"],
    ],
  };
  const { lines, facts, sheets } = await readFile(workbook([notes, old, people]));
  assert.deepEqual([facts.format, facts.sheet, sheets], ["xlsx", "People", ["Notes", "People"]]);
  assert.deepEqual(
    lines.map(({ line, given }) => [line, given]),
    [
      [4, { name: "Ann Lee", email: "ann@example.org", admin: true }],
      [6, { name: "Zoë <&> Ñandú", email: "zoe@example.org", admin: false }],
    ],
  );
});

test("numbers are read as they are, and dates as the clock shows them", async () => {
  const rooms = {
    name: "Rooms",
    rows: [
      ["Name", "Owner", "Participants", "Room ID", "Next meeting"],
      ["Hall", "ann@example.org", 12, "00123", { day: 46_053.395_833_333_3 }],
    ],
  };
  const [line] = await givenBy(workbook([rooms]), { kind: "rooms" });
  assert.deepEqual(line, {
    name: "Hall",
    roomOwnerId: "ann@example.org",
    noOfParticipants: 12,
    room: "00123",
    scheduledDateTime: "2026-01-31T09:30:00",
  });
});

test("another sheet can be chosen, and a missing one is refused", async () => {
  const other = {
    name: "Other",
    rows: [
      ["Email", "Name"],
      ["ben@example.org", "Ben Roe"],
    ],
  };
  const file = workbook([people, other]);
  assert.deepEqual(await givenBy(file, { sheet: "Other" }), [
    { name: "Ben Roe", email: "ben@example.org" },
  ]);
  await assert.rejects(readFile(file, { sheet: "None" }), /no sheet "None"/);
});

test("other files are refused with a sentence that says what to do", async () => {
  const zip = (parts: Readonly<Record<string, string>>): Uint8Array =>
    zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
  const bytes = (...codes: number[]) => Uint8Array.from([...codes, ...new Array(600).fill(1)]);
  const cases: readonly (readonly [Uint8Array, RegExp])[] = [
    [bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1), /old Excel file.*save it/],
    [strToU8("%PDF-1.7\n%âã"), /PDF.*export/],
    [
      zipSync({
        mimetype: [strToU8("application/vnd.oasis.opendocument.spreadsheet"), { level: 0 }],
      }),
      /OpenDocument.*save it/,
    ],
    [zip({ "Index/Document.iwa": "x" }), /Numbers.*export/],
    [zip({ "people.csv": "Name,Email" }), /ZIP file: unpack/],
    [bytes(0x1f, 0x8b, 8), /compressed: unpack/],
    [strToU8("<html><table><tr><td>Name"), /web page/],
    [bytes(0x89, 0x50, 0x4e, 0x47), /picture/],
    [zip({ "xl/workbook.xml": "<workbook" }), /cannot be read as \.xlsx/],
    [Uint8Array.from([1, 2, 0, 4, 0, 0, 9, 255]), /save it as/],
  ];
  for (const [content, sentence] of cases) await assert.rejects(readFile(content), sentence);
});

test("a workbook that holds too much is refused, and the event loop goes on", {
  skip: onlyComplete,
}, async () => {
  const many = new Uint8Array(80 * 1024 ** 2).fill(0x20);
  const parts = { "xl/workbook.xml": strToU8("<workbook/>"), "xl/worksheets/sheet1.xml": many };
  const bomb = zipSync(parts, { level: 1 });
  assert.ok(bomb.length < 1_000_000);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  await assert.rejects(readFile(bomb), /more than 64 MB|too much/);
  clearInterval(timer);
  assert.ok(turns > 0);
  const far = `<worksheet><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`;
  const plain = workbook([{ name: "S", rows: [["Email"]] }]);
  const { unzipSync } = await import("fflate");
  const wide = zipSync({ ...unzipSync(plain), "xl/worksheets/sheet1.xml": strToU8(far) });
  await assert.rejects(readFile(wide), /too much|cannot be read/);
});

/**
 * One organization reads five workbooks at once, and then another one reads one.
 *
 * @returns how many of the first were read before the other's
 */
const readsBefore = async (twin?: Twin): Promise<number> => {
  const { readSheet } = await importFrom<typeof Read>(twin, "imports/sheets/read.ts");
  const content = workbook([people]);
  const file = { kind: "users", form: "parley", format: "auto", content } as const;
  let read = 0;
  const many = Array.from({ length: 5 }, async () => {
    await readSheet({ ...file, whose: "busy" });
    read += 1;
  });
  await readSheet({ ...file, whose: "other" });
  const before = read;
  await Promise.all(many);
  return before;
};

test("an organization that reads many workbooks at once holds up no other", {
  skip: onlyComplete,
}, async () => {
  const before = await readsBefore();
  assert.ok(before <= 2, `${before} were read before`);
});

testTwin(
  "a twin that lets all workbooks wait in one lane is detected",
  async () => assert.equal(await readsBefore(oneLane), 5),
  { onSqlite: true },
);
