import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import type { Organization } from "../change/organization.ts";
import { contents } from "./organization.ts";
import type { Pieces } from "./pieces.ts";

const WHAT_IS_IN_IT = `Everything of one organization in Parley, as JSON lines: one record on each line.

organization.jsonl     its name, plan, limits and settings
people.jsonl           accounts, revoked ones too; no passwords
access-keys.jsonl      access keys; no secrets
rooms.jsonl            rooms with all settings, passwords and stream keys included
links.jsonl            codes that open rooms, ended ones too
schedules.jsonl        when rooms are used, and how that repeats
invitees.jsonl         the people and addresses that rooms invite
bans.jsonl             who may not enter a room
meetings.jsonl         meetings that were held, each with who was there and when
usage.jsonl            counters of meetings that have ended, also of deleted ones; no names
transcripts.jsonl      what was said, where it was transcribed
chat.jsonl             messages that rooms still keep
recordings.jsonl       recordings and the names of their files; the films themselves are not in here
recording-links.jsonl  links that open recordings; not their codes
emails.jsonl           emails and what became of them; not their text
webhooks.jsonl         addresses that get events; no secrets
bin.jsonl              rooms and people in the recycle bin: which, since when and until when
history.jsonl          who changed what, newest first

The fields are those of the interface (docs/interface.md). Each file is as it was when it was read.
`;

async function* linesOf(pieces: Pieces): AsyncGenerator<string> {
  for await (const records of pieces) {
    yield records.map((record) => `${JSON.stringify(record)}\n`).join("");
  }
}

/**
 * All data of an organization as one ZIP file, in pieces; the history records who took it. Each
 * kind is read after the previous one was written, no faster than the archive is sent.
 */
export async function* organizationArchive(organization: Organization): AsyncGenerator<Uint8Array> {
  // Before anything is sent, so that a database failure can still be answered as an error.
  await organization.change(async ({ organization: { id, name }, happened }) =>
    happened({ kind: "organizationExported", subject: { kind: "organization", id, name } }),
  );
  const zip = new ZipFile();
  const out = zip.outputStream as Readable;
  let lines: Readable | undefined;
  zip.addBuffer(Buffer.from(WHAT_IS_IN_IT), "README.txt");
  for (const [name, read] of Object.entries(contents)) {
    // Starts reading after the previous file was written.
    zip.addReadStreamLazy(`${name}.jsonl`, (done) => {
      lines = Readable.from(linesOf(read(organization)), { highWaterMark: 1 });
      // Otherwise the archive would stay half, without an end.
      lines.on("error", (error) => out.destroy(error));
      done(null, lines);
    });
  }
  zip.end();
  zip.on("error", (error) => out.destroy(error as Error));
  try {
    yield* out;
  } finally {
    lines?.destroy();
  }
}
