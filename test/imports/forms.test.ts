// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { toCsv } from "../../contract/kit/csv.ts";
import { prepareImport } from "../../server/imports/imports.ts";
import { readSheet, type SheetFile } from "../../server/imports/sheets/read.ts";

/*
 * docs/moving-in.md says how fields are mapped; these files follow the products' documentation.
 */

const read = async ({
  text,
  ...file
}: Pick<SheetFile, "kind" | "form"> & { readonly text: string }) => {
  const { lines, ignored } = await readSheet({ ...file, format: "auto", content: text });
  return { given: lines.map((line) => line.given), ignored };
};

test("Greenlight's people and rooms are read from its migration and from its tables as CSV", async () => {
  const users = await read({
    kind: "users",
    form: "greenlight",
    text: "name,email,role,status,language\nAnn,ann@example.org,Moderator,0,en\nBen,ben@example.org,User,2,de",
  });
  assert.deepEqual(users, {
    given: [
      {
        name: "Ann",
        email: "ann@example.org",
        role: "Moderator",
        language: "en",
        accountSuspended: false,
      },
      {
        name: "Ben",
        email: "ben@example.org",
        role: "User",
        language: "de",
        accountSuspended: true,
      },
    ],
    ignored: [],
  });
  const room = {
    name: "Ann's Room",
    friendly_id: "ann-abc-def-ghi",
    meeting_id: "x1",
    owner_email: "ann@example.org",
    room_settings: { record: "true", guestPolicy: "ASK_MODERATOR", glViewerAccessCode: "abc123" },
    shared_users_emails: ["ben@example.org"],
    noOfParticipants: 25,
  };
  const expected = {
    name: "Ann's Room",
    room: "ann-abc-def-ghi",
    roomOwnerId: "ann@example.org,ben@example.org",
    enableRecording: true,
    authenticationRequired: true,
    roomPassword: "abc123",
    noOfParticipants: 25,
  };
  const rooms = await read({ kind: "rooms", form: "greenlight", text: JSON.stringify([room]) });
  assert.deepEqual(rooms, { given: [expected], ignored: [] });
  const { room_settings, ...plain } = room;
  const row = { ...plain, ...room_settings };
  const csv = toCsv(Object.keys(row), [row]);
  assert.deepEqual(await read({ kind: "rooms", form: "greenlight", text: csv }), rooms);
});

test("BigBlueButton's parameters of create are read, with owners beside them", async () => {
  const text = [
    "name,meetingID,maxParticipants,record,autoStartRecording,guestPolicy,lockSettingsDisablePublicChat,moderatorPW,roomOwnerId,meta_x",
    "Lecture,lecture-1,120,true,true,ALWAYS_ACCEPT,true,mp,ann@example.org,1",
    "Seminar,seminar-1,0,false,,,,,ann@example.org,",
  ].join("\n");
  assert.deepEqual(await read({ kind: "rooms", form: "bigbluebutton", text }), {
    given: [
      {
        name: "Lecture",
        room: "lecture-1",
        roomOwnerId: "ann@example.org",
        noOfParticipants: 120,
        enableRecording: true,
        recordingStrategy: "AmergedAV",
        authenticationRequired: false,
        enableChatOption: false,
      },
      {
        name: "Seminar",
        room: "seminar-1",
        roomOwnerId: "ann@example.org",
        enableRecording: false,
      },
    ],
    ignored: ["meta_x"],
  });
});

test("columns such as __proto__ count as unknown", async () => {
  const words = ["__proto__", "constructor", "__defineGetter__", "valueOf"];
  const text = `name,${words.join(",")}\nLecture${",x".repeat(words.length)}`;
  assert.deepEqual(await read({ kind: "rooms", form: "bigbluebutton", text }), {
    given: [{ name: "Lecture" }],
    ignored: words,
  });
});

test("Jitsi's reservations are read, but no people, because it documents no such file", async () => {
  const text = JSON.stringify([
    {
      id: 364758328,
      name: "[acme]conference1234",
      mail_owner: "user@server.com",
      start_time: "2048-04-20T17:55:12.000Z",
      duration: 900000,
      max_occupants: 30,
    },
  ]);
  assert.deepEqual(await read({ kind: "rooms", form: "jitsi", text }), {
    given: [
      {
        name: "conference1234",
        room: "conference1234",
        roomOwnerId: "user@server.com",
        scheduledDateTime: "2048-04-20T17:55:12.000Z",
        noOfParticipants: 30,
      },
    ],
    ignored: [],
  });
  for (const form of ["jitsi", "bigbluebutton"] as const) {
    const text = "email\nann@example.org";
    const asked = prepareImport({ id: "" }, { kind: "users", form, format: "csv", name: "", text });
    await assert.rejects(asked, /has no documented file of people/);
  }
});
