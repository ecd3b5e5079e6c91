// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { pageLanguages } from "../../contract/kit/languages.ts";
import { letterKinds } from "../../contract/kit/plain.ts";
import { hasAll } from "../../languages/read.ts";
import { textsIn } from "../../server/lib/texts.ts";
import type { LetterContent } from "../../server/mail/letters.ts";
import { writeLetter } from "../../server/mail/letters.ts";
import type { CalendarEvent } from "../../server/records/calendar.ts";
import { shownDate, shownRepetition } from "../../server/schedule/letters.ts";

const shared = { name: "Ann Lee", loginUrl: "https://meet.example.org/" };
const credentials = { ...shared, username: "ann_lee_4821", password: "kT7w9mQpR4xZsHd3vBnYcF2j" };
const ofMeeting = { ...shared, meeting: "Board", when: "w", repeats: "r", organization: "Acme" };

const contentOf = (kind: (typeof letterKinds)[number]): LetterContent => {
  if (kind.startsWith("meeting-")) return ofMeeting;
  if (kind === "webhook-off")
    return { ...shared, webhook: "https://hook.example", lastError: "410" };
  if (kind === "sign-in-changed") {
    const changedAt = "2026-01-31T09:30:00.000Z";
    return { ...shared, changed: "appAdded", changedAt, from: "192.0.2.1", browser: "Firefox" };
  }
  if (kind === "new-sign-in") {
    const signedInAt = "2026-01-31T09:30:00.000Z";
    return { ...shared, signedInAt, timeZone: "Asia/Tokyo", from: "192.0.2.1", browser: "Firefox" };
  }
  return credentials;
};

// The email that the interface describes: each letter of it stays.
test("the email with credentials is in English letter for letter what it was", async () => {
  for (const content of [credentials, { ...credentials, language: "en" } as const]) {
    const { subject, text, html } = await writeLetter("welcome", content);
    assert.equal(subject, "Your Parley account");
    assert.equal(
      text,
      `Hello Ann Lee,

An account was created for you on Parley, where you meet by video. Sign in with the username and password below.

Sign in: https://meet.example.org/

Username: ann_lee_4821
Password: kT7w9mQpR4xZsHd3vBnYcF2j

Keep this email to yourself: anyone with the password can sign in as you. If you did not expect an account, you can ignore it.
`,
    );
    assert.match(html, /^<!doctype html>\n<html lang="en" dir="ltr">/);
    assert.ok(html.includes('<p style="margin:0 0 16px">Hello <bdi>Ann Lee</bdi>,</p>'));
  }
  const reset = await writeLetter("password-reset", credentials);
  assert.equal(reset.subject, "Your new Parley password");
  assert.match(reset.text, /An administrator gave your Parley account a new password\./);
});

test("every email is in each language, with its direction, and no sentence of English is left", async () => {
  const { texts: english } = await textsIn("en", "emails");
  for (const language of pageLanguages.filter((one) => one !== "en" && hasAll(one, "emails"))) {
    for (const kind of letterKinds) {
      const { subject, text, html } = await writeLetter(kind, { ...contentOf(kind), language });
      const direction = language === "ar" ? "rtl" : "ltr";
      assert.ok(html.includes(`<html lang="${language}" dir="${direction}">`));
      for (const sentence of [english[kind].opening, english[kind].closing]) {
        assert.ok(!text.includes(sentence) && !html.includes(sentence), `${language} ${kind}`);
      }
      assert.ok(!/undefined|\{\w+\}/.test(subject + text + html), `${language} ${kind}`);
    }
  }
});

test("why a webhook was switched off is in the recipient's language; letters of earlier versions have the text", async () => {
  const lastError = "It was answered 410.";
  const lastReason = { code: "webhook_answered", status: 410 } as const;
  const written = async (language: "de" | "en", more: object) => {
    const content = { ...shared, webhook: "https://hook.example", lastError, language, ...more };
    const { text, html } = await writeLetter("webhook-off", content);
    assert.ok(html.includes("410"));
    return text;
  };
  assert.match(await written("de", { lastReason }), /: Die Antwort war 410\.$/m);
  assert.match(await written("de", {}), /: It was answered 410\.$/m);
  assert.match(await written("en", { lastReason }), /: It was answered 410\.$/m);
});

test("dates and repetitions are written as the recipient's language writes them, in the room's time zone", async () => {
  const event: CalendarEvent = {
    uid: "u",
    sequence: 0,
    name: "Board",
    minutes: 90,
    timeZone: "Europe/Berlin",
    startsAt: "2026-06-01T07:00:00.000Z",
    repetition: { every: "week", days: ["monday", "thursday"], count: null, until: "2026-07-30" },
  };
  const [english, german, japanese] = await Promise.all(
    ["en", "de", "ja"].map((language) => textsIn(language, "emails")),
  );
  assert.ok(english && german && japanese);
  assert.equal(
    shownDate(english, event, event.startsAt).replaceAll("\u202f", " "),
    "Monday, June 1, 2026, 9:00 AM–10:30 AM (Europe/Berlin)",
  );
  assert.equal(
    shownRepetition(english, event),
    "Every week on Monday and Thursday, until Jul 30, 2026",
  );
  assert.equal(
    shownDate(german, event, event.startsAt),
    "Montag, 1. Juni 2026, 09:00–10:30 (Europe/Berlin)",
  );
  assert.equal(
    shownRepetition(german, event),
    "Jede Woche am Montag und Donnerstag bis 30.07.2026",
  );
  assert.match(shownDate(japanese, event, event.startsAt), /2026年6月1日/);
  const repetition: CalendarEvent["repetition"] = {
    ...({ every: "weekday", until: null, count: 1 } as const),
    days: [],
  };
  assert.equal(shownRepetition(english, { repetition }), "Monday to Friday, 1 time");
  assert.equal(shownRepetition(german, { repetition: null }), "Nein");
});
