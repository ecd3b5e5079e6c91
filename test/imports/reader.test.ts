// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { importFields } from "../../contract/imports/fields.ts";
import { templateOf } from "../../contract/imports/template.ts";
import { csvFile } from "../../contract/kit/csv.ts";
import { type Reason, textOf } from "../../contract/kit/reasons.ts";
import { readCatalog } from "../../languages/read.ts";
import { knownHeading } from "../../server/imports/sheets/headings.ts";
import { givenBy, latin1, readFile, utf16 } from "./sheet-files.ts";

const ANN = { name: "Ann Lee", email: "ann@example.org" };
const BEN = { name: "Ben Roe", email: "ben@example.org" };

/** Files in which people mean the same: one person, Ann Lee. */
const same: Readonly<Record<string, string | Uint8Array>> = {
  "with commas": "Name,Email\r\nAnn Lee,ann@example.org\r\n",
  "with semicolons": "Name;Email\nAnn Lee;ann@example.org",
  "with tabs": "Name\tEmail\nAnn Lee\tann@example.org\n",
  "with bars": "Name|Email\nAnn Lee|ann@example.org\n",
  "of an old Mac, which ends lines with CR": "Name,Email\rAnn Lee,ann@example.org\r",
  "with a byte order mark": "\uFEFFName,Email\nAnn Lee,ann@example.org",
  "in UTF-16": utf16("\uFEFFName\tEmail\r\nAnn Lee\tann@example.org\r\n"),
  "in UTF-16, big end first": utf16("\uFEFFName\tEmail\r\nAnn Lee\tann@example.org\r\n", true),
  "in UTF-16 without a mark": utf16("Name\tEmail\r\nAnn Lee\tann@example.org\r\n"),
  "in UTF-16, big end first, without a mark": utf16("Name,Email\nAnn Lee,ann@example.org\n", true),
  "with the separator in its first line": "sep=;\r\nName;Email\r\nAnn Lee;ann@example.org",
  "with the separator in quotation marks": '"sep=|"\nName|Email\nAnn Lee|ann@example.org',
  "with a version in its first line": "version:v1.0,\nName,Email\nAnn Lee,ann@example.org",
  "with titles above": "Members 2026;\n;\nName;Email\nAnn Lee;ann@example.org",
  "with comments": "# of the office\nName,Email\n# one, two\nAnn Lee,ann@example.org\n#end",
  "with lines of delimiters": "Name;Email;\n;;\nAnn Lee;ann@example.org;\n ; ;\n;;",
  "with a total": "Name;Email;Licenses\nAnn Lee;ann@example.org;1\nTotal;;1",
  "with rows that end early": "Name;Email;Location;Tags\nAnn Lee;ann@example.org\n",
  "with a remark below": "Name;Email\nAnn Lee;ann@example.org\nExported on 27/11/2026;",
  "with the headings again": "Name;Email\nAnn Lee;ann@example.org\nname;E-MAIL",
  "with an example": "Name;Email\nBeispiel: Max;max@example.org\nAnn Lee;ann@example.org",
  "with an empty column": ";Name;;Email\n;Ann Lee;;ann@example.org",
  "with headings in any case": "NAME, E-Mail \nAnn Lee,ann@example.org",
  "with required headings": "Name *,Email Address [Required]\nAnn Lee,ann@example.org",
  "all in quotation marks": '"Name";"Email"\n"Ann Lee";"ann@example.org"',
  "with blanks around the marks": 'Name, Email\n"Ann Lee" , "ann@example.org" ',
  "with blanks that nobody sees":
    "Name;Email\n\u00a0Ann\u00a0Lee\u200b;\u200bann@example.org\u00a0",
  "with curly quotation marks": "Name;Email\n“Ann Lee”;‘ann@example.org’",
  "with links": "Name;Email\nAnn Lee;mailto:ann@example.org",
  "with apostrophes in front of addresses": "Name;Email\nAnn Lee;'ann@example.org",
  "with Ctrl-Z at its end": "Name,Email\r\nAnn Lee,ann@example.org\r\n\u001a",
  "filled up with zeros": "Name,Email\r\nAnn Lee,ann@example.org\r\n\0\0\0",
  "with its end in a line": "Name,Email\nAnn Lee,ann@example.org\nEOF",
  "with what stands for nothing": "Name,Email,Location,Tags\nAnn Lee,ann@example.org,NULL,-",
  "with names beside addresses": "Email\nAnn Lee <ann@example.org>",
  "with a formula for a text": 'Name;Email\n="Ann Lee";"=""ann@example.org"""',
  "in German": "Vorname;Nachname;E-Mail-Adresse\nAnn;Lee;ann@example.org",
  "in German, with a last name called Name": "Name;Vorname;E-Mail\nLee;Ann;ann@example.org",
  "in French": "Prénom;Nom;Adresse e-mail\nAnn;Lee;ann@example.org",
  "in Spanish": "Nombre;Apellidos;Correo electrónico\nAnn;Lee;ann@example.org",
  "in Polish": "Imię;Nazwisko;Adres e-mail\nAnn;Lee;ann@example.org",
  "in Russian": "Имя;Фамилия;Электронная почта\nAnn;Lee;ann@example.org",
  "in Japanese": "名前,メールアドレス\nAnn Lee,ann@example.org",
  "in Chinese": "姓名,电子邮件\nAnn Lee,ann@example.org",
  "in Korean": "이름,이메일\nAnn Lee,ann@example.org",
  "in Turkish": "Ad;Soyad;E-posta\nAnn;Lee;ann@example.org",
  "as JSON": '[{"name":"Ann Lee","email":"ann@example.org"}]',
  "as JSON with a mark": '\uFEFF [{"name":"Ann Lee","email":"ann@example.org"}]',
  "as an object around a list": '{"count":1,"users":[{"name":"Ann Lee","mail":"ann@example.org"}]}',
  "as deeper objects": '{"data":{"members":[{"real_name":"Ann Lee","email":"ann@example.org"}]}}',
  "as an object a line": '{"name":"Ann Lee","email":"ann@example.org"}\n\n',
};

for (const [what, content] of Object.entries(same)) {
  test(`a file ${what} is read as people mean it`, async () => {
    assert.deepEqual(await givenBy(content), [ANN]);
  });
}

test("accents survive in every encoding, and the answer names the encoding", async () => {
  const text = "Name;Email\r\nJörg Müßig;joerg@example.org\r\n";
  for (const [content, encoding] of [
    [Buffer.from(text), "utf-8"],
    [latin1(text), "windows-1252"],
    [utf16(text), "utf-16le"],
    [utf16(text, true), "utf-16be"],
    [Buffer.from("Name;Email\rJ\x9arg M\x9f\xa7ig;joerg@example.org\r", "latin1"), "macintosh"],
  ] as const) {
    const { lines, facts } = await readFile(content);
    assert.deepEqual([facts.encoding, lines[0]?.given.name], [encoding, "Jörg Müßig"]);
  }
  const cyrillic = Buffer.concat([latin1("Name;Email\n"), Buffer.from([0xc0, 0xed, 0xed, 0xe0])]);
  const russian = Buffer.concat([cyrillic, latin1(";anna@example.org")]);
  const [read] = await givenBy(russian, { encoding: "windows-1251" });
  assert.deepEqual(read, { name: "Анна", email: "anna@example.org" });
});

test("no replacement character is stored: a line with one is refused, and an uncertain file as a whole", async () => {
  const [line] = await givenBy("Name;Email\nJ\ufffdrg;joerg@example.org");
  assert.match(textOf(line as Reason), /a letter that was lost/);
  await assert.rejects(readFile(latin1("Name;Email\nJ\x81rg;j@example.org")), /not certain/);
});

test("a row that ends early has empty cells, and the last row of a cut-off file is refused", async () => {
  const heading = "Name,Email,Location,Tags\n";
  const read = async (lines: string) =>
    (await readFile(heading + lines)).lines.map((line) => [line.fault?.code, line.given.name]);
  const whole = "Ann Lee,ann@example.org,Rome\nBen Roe,ben@example.org,Rome,north\n";
  assert.deepEqual(await read(`${whole}Kim Poe,kim@example.org\n`), [
    [undefined, "Ann Lee"],
    [undefined, "Ben Roe"],
    [undefined, "Kim Poe"],
  ]);
  // Without a line end, and shorter than all others: the rest may be missing.
  const cut = await read(`${whole}Kim Poe,kim@exa`);
  assert.equal(cut.at(-1)?.[0], "line_cut_off");
  assert.deepEqual(await read(`${whole}Kim Poe,kim@example.org,Rome`), [
    ...(await read(whole)),
    [undefined, "Kim Poe"],
  ]);
  assert.equal((await read("Kim Poe,kim@example.org,Rome,north,more\n"))[0]?.[0], "line_cells");
});

test("a quotation mark that never closes is refused once, with the line on which it begins", async () => {
  const start =
    'Name,Email\r\n"O""Brien, ""Bob""",ob@example.org\r\nJim "Jimbo" Lee,jim@example.org\r\n';
  assert.deepEqual(
    (await readFile(start)).lines.map(({ given }) => given.name),
    ['O\'Brien, "Bob"'.replace("'", '"'), 'Jim "Jimbo" Lee'],
  );
  for (const rest of ["Next,next@example.org\r\n", '"Next",next@example.org\r\n']) {
    const text = `${start}"Open,open@example.org\r\n${rest}`;
    await assert.rejects(readFile(text), /line 4/);
  }
});

test("quoted line breaks are kept, and lines keep their numbers", async () => {
  const text = 'sep=,\r\nName,Email\r\n"Ann\r\nLee",ann@example.org\r\n\r\nBen Roe,ben@example.org';
  const { lines } = await readFile(text);
  assert.deepEqual(
    lines.map(({ line, given }) => [line, given.name]),
    [
      [3, "Ann\r\nLee"],
      [6, "Ben Roe"],
    ],
  );
});

test("no line is skipped silently", async () => {
  const { facts, ignored } = await readFile(
    "Members\nName;Email;Shoe size\nExample: Max;max@example.org;1\nAnn Lee;ann@example.org;2\n# x;;\nTotal;;3",
  );
  assert.deepEqual(
    facts.skipped.map(({ line, why }) => `${line} ${why}`),
    ["1 title", "3 example", "5 comment", "6 total"],
  );
  assert.deepEqual(ignored, ["Shoe size"]);
});

test("unknown columns are offered, and can be assigned", async () => {
  const text = "Wer;Wohin\nAnn Lee;ann@example.org";
  const { columns, missing } = await readFile(text);
  assert.deepEqual(missing, ["email"]);
  assert.deepEqual(columns[0], {
    heading: "Wer",
    field: null,
    known: false,
    examples: ["Ann Lee"],
  });
  assert.deepEqual(await givenBy(text, { columns: ["name", "email"] }), [ANN]);
  assert.deepEqual(await givenBy(text, { columns: [null, "emailAndName"] }), [
    { name: "ann", email: "ann@example.org" },
  ]);
  const bare = "Ann Lee;ann@example.org\nBen Roe;ben@example.org";
  assert.equal((await readFile(bare)).hasHeadings, false);
  assert.deepEqual(await givenBy(bare, { columns: ["name", "email"] }), [ANN, BEN]);
  await assert.rejects(readFile(text, { columns: ["password"] }), /no field "password"/);
});

test("a duplicate column is refused where its cells differ", async () => {
  await assert.rejects(readFile("email,Email\na@example.org,b@example.org"), /"Email" twice/);
  const [line] = await givenBy("Email,Name,Email\n,Ann Lee,ann@example.org");
  assert.deepEqual(line, ANN);
});

test("yes and no are understood in the words of spreadsheets", async () => {
  const yes =
    "true 1 yes x 1.0 =TRUE() WAHR Ja VRAI Oui VERDADERO Sí VERO WAAR PRAWDA Tak PRAVDA IGAZ ИСТИНА Да DOĞRU Evet はい 是 예 نعم".split(
      " ",
    );
  const no =
    "false 0 no FALSCH Nein FAUX Non FALSO ONWAAR FAŁSZ Nie NEPRAVDA HAMIS ЛОЖЬ Нет YANLIŞ Hayır HAYIR いいえ 否 아니요 لا".split(
      " ",
    );
  for (const [words, value] of [
    [yes, true],
    [no, false],
  ] as const) {
    for (const word of words) {
      const [line] = await givenBy(`Name;Email;Administrator\nAnn Lee;ann@example.org;${word}`);
      assert.deepEqual(line, { ...ANN, admin: value }, word);
    }
  }
  const [line] = await givenBy("name;email;admin\nAnn Lee;ann@example.org;perhaps");
  assert.deepEqual(line, { ...ANN, admin: "perhaps" });
});

test("accounts that other products disabled arrive suspended", async () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ["Block sign in (Yes/No) [accountEnabled] Required", "Yes", true],
    ["Block sign in (Yes/No) [accountEnabled] Required", " No", false],
    ["accountEnabled", "False", true],
    ["New Status [UPLOAD ONLY]", "Suspended", true],
    ["status", "Deactivated", true],
    ["status", "Admin", false],
    ["suspended", "1", true],
    ["deleted", "0", false],
    ["enabled", "false", true],
    ["Aktiv", "nein", true],
  ];
  for (const [heading, cell, accountSuspended] of cases) {
    const [line] = await givenBy(`Name,Email,${heading}\nAnn Lee,ann@example.org,${cell}`);
    assert.deepEqual(line, { ...ANN, accountSuspended }, `${heading}: ${cell}`);
  }
});

test("people from other products keep no ID, and none becomes an administrator", async () => {
  const slack = [
    { id: "U1", team_id: "T", name: "ann", real_name: "Ann Lee", is_admin: true, deleted: true },
    { id: "U2", team_id: "T", name: "bot", real_name: "Bot", is_bot: true },
  ].map((one) => ({ ...one, profile: { email: "ann@example.org", display_name: "" } }));
  const { lines, facts } = await readFile(JSON.stringify({ ok: true, members: slack }));
  assert.deepEqual(
    lines.map(({ given }) => given),
    [{ ...ANN, accountSuspended: true }],
  );
  assert.deepEqual([facts.product, facts.skipped], ["slack", [{ line: 2, why: "bot" }]]);
  const pilos = "id,firstname,lastname,email,external_id\n7,Ann,Lee,ann@example.org,";
  assert.deepEqual(await givenBy(pilos), [ANN]);
  assert.deepEqual(await givenBy("id,name,email\n7,Ann Lee,ann@example.org"), [
    { id: "7", ...ANN },
  ]);
});

test("a cell with several addresses is refused for a person, and accepted for owners", async () => {
  const [line] = await givenBy("Name;Email\nAnn;ann@example.org, ben@example.org");
  assert.match(textOf(line as Reason), /several email addresses/);
  const room =
    'Name;Owners\nHall;"Ann Lee <ann@example.org>; mailto:ben@example.org, ann@example.org"';
  assert.deepEqual(await givenBy(room, { kind: "rooms" }), [
    { name: "Hall", roomOwnerId: "ann@example.org,ben@example.org" },
  ]);
});

test("rooms are read by the console's labels, with numbers and words as people write them", async () => {
  const text =
    "Name;Owners;Type;Participants;Recording;Picture sizes;Agenda\nHall;ann@example.org;Conference;1 200,0;ja;480p, 1080p;-4";
  assert.deepEqual(await givenBy(text, { kind: "rooms" }), [
    {
      name: "Hall",
      roomOwnerId: "ann@example.org",
      roomType: "conferencing",
      noOfParticipants: 1200,
      enableRecording: true,
      recordingResolutions: ["480p", "1080p"],
      roomAgenda: "-4",
    },
  ]);
});

test("a language is understood by its tag or its name, and one without pages is passed over", async () => {
  const cells = ["de", "de_AT", "PT", "zh-Hans-CN", "French", "Deutsch", "日本語", " polski "];
  const known = ["de", "de", "pt-BR", "zh-CN", "fr", "de", "ja", "pl"];
  const unknown = ["sv", "zh-TW", "Klingon", "", "-", "42", "__proto__"];
  for (const heading of ["language", "Preferred language", "lang", "locale", "Sprache", "Язык"]) {
    const rows = [...cells, ...unknown].map((cell, n) => `Ann,a${n}@example.org,${cell}`);
    const given = await givenBy([`name,email,${heading}`, ...rows].join("\n"), { kind: "users" });
    assert.deepEqual(
      given.map((one) => ("language" in one ? one.language : undefined)),
      [...known, ...unknown.map(() => undefined)],
      heading,
    );
    assert.ok(given.slice(known.length).every((one) => !("language" in one)));
  }
});

/** The labels of fields in the console. */
const labelsIn = (name: "people" | "rooms") =>
  [...readCatalog("en", name)].flatMap(([key, label]) =>
    key.startsWith(`${name}.labels.`) ? [[key.slice(name.length + 8), label] as const] : [],
  );

test("every label of the console and every field is a known heading", () => {
  const known = (kind: "users" | "rooms", heading: string) => knownHeading(kind, heading)?.target;
  for (const kind of ["users", "rooms"] as const) {
    for (const field of importFields[kind].keys()) assert.equal(known(kind, field), field);
  }
  for (const [field, label] of labelsIn("people")) {
    if (importFields.users.has(field)) assert.equal(known("users", label), field, label);
  }
  for (const [field, label] of labelsIn("rooms")) {
    if (importFields.rooms.has(field)) assert.equal(known("rooms", label), field, label);
  }
});

test("the template is read: its example is skipped, and every column is known", async () => {
  for (const kind of ["users", "rooms"] as const) {
    const { columns, rows } = templateOf(kind);
    const filled = { ...rows[0], Name: "Ann Lee" };
    const { lines, ignored, facts } = await readFile(csvFile(columns, [...rows, filled]), { kind });
    assert.deepEqual([lines.length, ignored, facts.skipped.length], [1, [], 1]);
    assert.equal(lines[0]?.given.name, "Ann Lee");
  }
});

test("a date without a time zone is in the given time zone", async () => {
  const dates = [
    ["2026-01-31 09:30", "2026-01-31T08:30:00Z"],
    ["2026-07-31T9:30:00", "2026-07-31T07:30:00Z"],
    ["31.7.2026 9:30", "2026-07-31T07:30:00Z"],
    ["2026-01-31T09:30:00+05:00", "2026-01-31T09:30:00+05:00"],
    ["31.02.2026 09:30", "31.02.2026 09:30"],
    ["2026/7/31, 9:30 PM", "2026-07-31T19:30:00Z"],
    ["31/7/2026 09.30", "2026-07-31T07:30:00Z"],
    ["7/31/2026 12:30 a.m.", "2026-07-30T22:30:00Z"],
    ["1/2/2026 9:30", "1/2/2026 9:30"],
  ];
  for (const [cell, moment] of dates) {
    const text = `Name;Owner;Next meeting\nHall;ann@example.org;${cell}`;
    const [line] = await givenBy(text, { kind: "rooms", timeZone: "Europe/Berlin" });
    const expected = { name: "Hall", roomOwnerId: "ann@example.org", scheduledDateTime: moment };
    assert.deepEqual(line, expected);
    const [plain] = await givenBy(text, { kind: "rooms" });
    assert.deepEqual(plain, { ...expected, scheduledDateTime: cell });
  }
});

test("the order of day and month follows from other dates of the column", async () => {
  const momentsOf = async (...cells: readonly string[]) => {
    const lines = cells.map((cell, at) => `Hall ${at};${cell}`);
    const text = ["Name;Next meeting", ...lines].join("\n");
    const given = await givenBy(text, { kind: "rooms", timeZone: "UTC" });
    return given.map((line) => Object(line).scheduledDateTime);
  };
  assert.deepEqual(await momentsOf("1/2/2026 9:30", "31/1/2026 9:30"), [
    "2026-02-01T09:30:00Z",
    "2026-01-31T09:30:00Z",
  ]);
  assert.deepEqual(await momentsOf("1/2/2026 9:30", "1/31/2026 9:30"), [
    "2026-01-02T09:30:00Z",
    "2026-01-31T09:30:00Z",
  ]);
  assert.deepEqual(await momentsOf("1/2/2026 9:30", "1/31/2026 9:30", "31/1/2026 9:30"), [
    "1/2/2026 9:30",
    "2026-01-31T09:30:00Z",
    "2026-01-31T09:30:00Z",
  ]);
});

test("whole numbers are read as spreadsheets write them", async () => {
  const cells = { 12: "12,0", 13: "13.00", 1000: "1.000", 2000: "2,000", 3000: "3 000", 4: "４" };
  for (const [number, cell] of Object.entries(cells)) {
    const text = `Name;Participants\nHall;"${cell}"`;
    const expected = { name: "Hall", noOfParticipants: Number(number) };
    assert.deepEqual(await givenBy(text, { kind: "rooms" }), [expected]);
  }
  for (const cell of ["0.500", "1.5", "1,00,000", "12.", "1e3"]) {
    const [line] = await givenBy(`Name;Participants\nHall;"${cell}"`, { kind: "rooms" });
    assert.equal(Object(line).noOfParticipants, cell);
  }
});

test("rooms without headings are read on request", async () => {
  const text = "Hall;ann@example.org\nAtrium;ben@example.org";
  const file = { kind: "rooms", headless: true, columns: ["name", "roomOwnerId"] } as const;
  assert.deepEqual(await givenBy(text, file), [
    { name: "Hall", roomOwnerId: "ann@example.org" },
    { name: "Atrium", roomOwnerId: "ben@example.org" },
  ]);
});
