import assert from "node:assert/strict";
import ICAL from "ical.js";
import { create } from "../users/people.ts";
import type { Sink } from "../world/sink.ts";
import type { World } from "../world/world.ts";

/* Rooms with dates, and the emails about them as calendar programs get them. */

export const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString();
export const weekly = { every: "week", count: 5 };

/** The part of the environment that sends emails into a sink. */
export const mailInto = ({ url }: Pick<Sink, "url">) => ({
  SMTP_URL: url,
  MAIL_RETRY_SECONDS: "0.2",
});

/** A room with an owner, in an organization of its own. */
export const newRoom = async (here: Pick<World, "organization">, name: string) => {
  const { ask } = await here.organization(name);
  const owner = await create(ask);
  const made = await ask("createRoom", { name: "Lesson", room: "lesson", roomOwnerId: owner.id });
  assert.equal(made.status, 201);
  const schedule = async (more: object) => {
    const { status, body } = await ask("editSchedule", {
      roomId: "lesson",
      startsAt: inDays(3),
      timeZone: "Europe/Berlin",
      ...more,
    });
    assert.equal(status, 200, JSON.stringify(body));
    return body.schedule;
  };
  return { ask, owner, schedule };
};

/** The email to this address whose calendar part has this method, once it has come. */
export const emailIn = async (
  sink: Pick<Sink, "waitFor">,
  email: string,
  method: string,
  more = (_: string) => true,
) => {
  let calendar = "";
  const [letter] = await sink.waitFor(({ to, parsed }) => {
    if (!to.includes(email)) return false;
    const part = parsed.attachments.find(({ mimeType }) => mimeType === "text/calendar");
    const bytes = part?.content;
    if (bytes === undefined) return false;
    const text = typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
    if (!text.includes(`METHOD:${method}\n`) || !more(text)) return false;
    calendar = text;
    return true;
  });
  const event = new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent("vevent");
  assert.ok(event);
  const value = (name: string) => event.getFirstPropertyValue(name);
  return { letter, uid: value("uid"), sequence: Number(value("sequence")), calendar };
};
