import type { Selectable } from "kysely";
import { emailKey } from "../../contract/kit/fields.ts";
import type { Change, Queries } from "../change/organization.ts";
import { now } from "../db/now.ts";
import type { NoticesTable } from "../db/schedule-tables.ts";
import type { Seal } from "../db/seal.ts";
import { HOUR_MS } from "../lib/durations.ts";
import { type TextsOf, textsIn } from "../lib/texts.ts";
import { letterLanguage, postLetter } from "../mail/outbox.ts";
import { type CalendarEvent, calendarOf } from "../records/calendar.ts";
import { endOf, nextOf } from "../records/schedule-dates.ts";
import { nextReminder, REMINDER_MS, seriesOf } from "../records/schedules.ts";
import { inviteesOf, queueNotices } from "../rooms/follow-schedule.ts";
import type { Chore } from "../users/mender.ts";
import { type Addresses, openLinkOf } from "./read.ts";

/*
 * Writes the emails about rooms' dates. Each is claimed under the organization's row, by the statement that
 * deletes its notice or moves its reminder on: of several processes, one writes it.
 */

/** The most emails about dates that an organization sends in an hour. */
export const MOST_AN_HOUR = 500;

/**
 * The most emails about dates that one mailbox gets in an hour from an organization, so that a
 * person who moves a date repeatedly floods nobody. The rest waits and becomes one email; a
 * reminder is left out.
 */
export const MOST_TO_ONE = 20;

/** How long what is beyond a limit waits, in milliseconds. */
const LATER_MS = HOUR_MS / 12;

/** How many reminders or emails one change makes. */
const PIECE = 50;

export const dateLetters = [
  "meeting-invitation",
  "meeting-change",
  "meeting-cancellation",
  "meeting-reminder",
] as const;

/** Queues the reminders that are due, and moves each schedule on to its next one. */
const remind = async (change: Change): Promise<void> => {
  const { tx, organization } = change;
  const due = await tx
    .selectFrom("schedules as s")
    .innerJoin("rooms as r", "r.id", "s.room_id")
    .selectAll("s")
    .select(["r.name", "r.deleted_at"])
    .where("s.organization_id", "=", organization.id)
    .where("s.remind_at", "<=", now())
    .orderBy("s.remind_at")
    .limit(PIECE)
    .execute();
  for (const { name, deleted_at, ...row } of due) {
    const series = seriesOf(row);
    await tx
      .updateTable("schedules")
      .set({ remind_at: nextReminder(series, change.now) })
      .where("room_id", "=", row.room_id)
      .execute();
    const startsAt = new Date(Date.parse(row.remind_at ?? "") + REMINDER_MS).toISOString();
    // After an outage, a reminder of a date that has begun helps nobody.
    if (deleted_at !== null || startsAt <= change.now) continue;
    const owners = await tx
      .selectFrom("room_owners")
      .select("user_id")
      .where("room_id", "=", row.room_id)
      .execute();
    const recipients = new Map(
      [
        ...owners.map(({ user_id }) => ({ user_id, email: null, invitee: user_id })),
        ...(await inviteesOf(tx, row.room_id)),
      ].map((one) => [one.invitee, one]),
    );
    await queueNotices(change, row, name, "meeting-reminder", [...recipients.values()]);
  }
};

/** The mailbox of an address: a plus sign and the rest of the local part do not change it. */
const mailboxOf = (address: string): string =>
  (emailKey(address) ?? address).replace(/\+[^@]*(?=@)/, "");

/** The mailboxes to which emails about dates were written in the last hour, one for each email. */
const writtenTo = async ({ tx, organization }: Change): Promise<string[]> => {
  const letters = await tx
    .selectFrom("letters")
    .select("recipient")
    .where("organization_id", "=", organization.id)
    .where("created_at", ">", now(-HOUR_MS))
    .where("kind", "in", dateLetters)
    .limit(MOST_AN_HOUR)
    .execute();
  return letters.map(({ recipient }) => mailboxOf(recipient));
};

const dueOf = (tx: Queries, organizationId: string, most: number) =>
  tx
    .selectFrom("notices")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("due_at", "<=", now())
    .orderBy("due_at")
    .orderBy("id")
    .limit(most)
    .execute();

/** The date and time as an email shows it, with its time zone. */
export const shownDate = (
  { language, texts }: TextsOf<"emails">,
  event: CalendarEvent,
  at: string,
): string => {
  const { timeZone } = event;
  const days = new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone });
  const times = new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone });
  const [start, end] = [new Date(at), new Date(endOf(event, at))];
  return texts.when(days.format(start), times.format(start), times.format(end), timeZone);
};

/** How a series repeats, as an email shows it. */
export const shownRepetition = (
  { language, texts }: TextsOf<"emails">,
  { repetition }: Pick<CalendarEvent, "repetition">,
): string => {
  if (repetition === null) return texts.repeats.no;
  const { every, until, count } = repetition;
  const days = new Intl.ListFormat(language).format(
    repetition.days.map((day) => texts.onDays[day]),
  );
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const last = until && day.format(new Date(until));
  const ends = [last === null ? "count" : "until", last ?? "", count ?? 0] as const;
  return every === "week" || every === "twoWeeks"
    ? texts.repeats[every](days, ...ends)
    : texts.repeats[every](...ends);
};

/** The account that an email goes to, or the address. Undefined: nobody gets it any more. */
const recipientOf = async (
  tx: Queries,
  { user_id, email }: Pick<NoticesTable, "user_id" | "email">,
) => {
  if (user_id === null)
    return email === null
      ? undefined
      : { address: email, name: "", credentials: 0, language: null };
  const user = await tx
    .selectFrom("users")
    .select(["email", "name", "credentials", "language"])
    .where("id", "=", user_id)
    .where("gone_at", "is", null)
    .where("account_deleted", "=", false)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  const { email: address, ...known } = user;
  return { address, ...known };
};

type Recipient = NonNullable<Awaited<ReturnType<typeof recipientOf>>>;

const post = async (
  change: Change,
  seal: Seal,
  addresses: Addresses,
  notice: Selectable<NoticesTable>,
  to: Recipient,
): Promise<void> => {
  const { tx, organization } = change;
  const { roomId, ...event } = JSON.parse(notice.event) as CalendarEvent & {
    readonly roomId: string;
  };
  const room = await tx
    .selectFrom("rooms")
    .select(["id", "room", "name"])
    .where("id", "=", roomId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  const isCanceled = notice.kind === "meeting-cancellation";
  // A room that was deleted meanwhile has a cancellation of its own.
  if (room === undefined && !isCanceled) return;
  const link =
    room === undefined || isCanceled
      ? `${addresses.publicUrl}/`
      : await openLinkOf(change, addresses, room);
  const next = nextOf(event, change.now) ?? event.startsAt;
  const organizer = { ...addresses.mailFrom, name: organization.name };
  const language = letterLanguage(organization, to);
  const words = await textsIn(language, "emails");
  const letterId = await postLetter(change, seal, {
    organizationId: organization.id,
    userId: notice.user_id,
    kind: notice.kind,
    recipient: to.address,
    credentials: to.credentials,
    content: {
      language,
      name: to.name,
      loginUrl: link,
      meeting: event.name,
      when: shownDate(words, event, next),
      repeats: shownRepetition(words, event),
      organization: organization.name,
      ...(notice.topic === "calendar" && {
        calendar: calendarOf(event, { link, organizer, attendee: to.address, isCanceled }),
      }),
    },
  });
  if (notice.topic === "calendar") {
    await tx
      .updateTable("invitees")
      .set({ letter_id: letterId })
      .where("room_id", "=", roomId)
      .where("invitee", "=", notice.invitee)
      .execute();
  }
};

/** Writes the reminders and the emails that are due, as many as the organization may send now. */
const postDue = async (change: Change, seal: Seal, addresses: Addresses): Promise<void> => {
  const { tx, organization } = change;
  await remind(change);
  const written = await writtenTo(change);
  const may = Math.min(PIECE, MOST_AN_HOUR - written.length);
  if (may === 0) {
    await tx
      .updateTable("notices")
      .set({ due_at: now(LATER_MS) })
      .where("organization_id", "=", organization.id)
      .where("due_at", "<=", now())
      .execute();
    return;
  }
  for (const notice of await dueOf(tx, organization.id, may)) {
    const to = await recipientOf(tx, notice);
    const mailbox = mailboxOf(to?.address ?? "");
    const isFull = written.filter((one) => one === mailbox).length >= MOST_TO_ONE;
    if (to !== undefined && isFull && notice.topic !== "reminder") {
      await tx
        .updateTable("notices")
        .set({ due_at: now(LATER_MS) })
        .where("id", "=", notice.id)
        .execute();
      continue;
    }
    await tx.deleteFrom("notices").where("id", "=", notice.id).execute();
    if (to === undefined || isFull) continue;
    written.push(mailbox);
    await post(change, seal, addresses, notice, to);
  }
};

/** Work in the background: reminders and emails about dates. */
export const dateChore = (seal: Seal, addresses: Addresses): Chore => ({
  organizations: async (read) => {
    const rows = await read
      .selectFrom("notices")
      .select("organization_id")
      .where("due_at", "<=", now())
      .union(read.selectFrom("schedules").select("organization_id").where("remind_at", "<=", now()))
      .execute();
    return rows.map(({ organization_id }) => organization_id);
  },
  piece: ({ change }) => change((one) => postDue(one, seal, addresses)),
});
