import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { peerTypes } from "../../contract/meetings/meetings.ts";
import { roomTypes } from "../../contract/rooms/settings.ts";
import {
  isHiddenFrom,
  keepsWords,
  mayPromote,
  oneTakesPart,
  onNow,
  permissionsOf,
  sees,
  seesVideo,
} from "../../server/meetings/seats/allowed.ts";
import { aRoom, aSeat, everyOf, flags, roles } from "./people.ts";

const persons: readonly string[] = peerTypes;
const isPerson = (role: string): boolean => persons.includes(role);

suite("rights inside a meeting", () => {
  const cases = everyOf({
    roomType: roomTypes,
    audioStatus: flags,
    videoStatus: flags,
    enableScreenSharing: flags,
    enablePresenters: flags,
    enableChatOption: flags,
    role: roles,
    presenter: ["seat", "other", null],
  });
  const may = ({ role, presenter, ...settings }: (typeof cases)[number]) =>
    permissionsOf(aRoom(settings), { presenter }, { id: "seat", role });

  test("microphones and cameras: people who do more than watch, where the room has them on", () => {
    for (const one of cases) {
      const watches = one.role === "viewer" && one.roomType !== "p2p";
      const sends = isPerson(one.role) && !watches;
      const { audio, video } = may(one);
      assert.deepEqual(
        { audio, video },
        { audio: sends && one.audioStatus, video: sends && one.videoStatus },
        JSON.stringify(one),
      );
    }
  });

  test("screens: those who send, where screens are shared; the presenter alone, where there is one", () => {
    for (const one of cases) {
      const { share, video } = may({ ...one, videoStatus: true });
      const isTurn = one.enablePresenters || one.presenter === "seat";
      assert.equal(share, video && one.enableScreenSharing && isTurn, JSON.stringify(one));
    }
  });

  test("chat: every person, where the room has it, and no capture", () => {
    for (const one of cases) {
      assert.equal(may(one).chat, one.enableChatOption && isPerson(one.role), JSON.stringify(one));
    }
  });

  test("a device that is on counts only while it is allowed", () => {
    for (const one of cases) {
      const { role, presenter, ...settings } = one;
      for (const on of everyOf({ audio: flags, video: flags, share: flags })) {
        const { chat: _, ...allowed } = may(one);
        const seat = { id: "seat", role, ...on };
        assert.deepEqual(onNow(aRoom(settings), { presenter }, seat), {
          audio: on.audio && allowed.audio,
          video: on.video && allowed.video,
          share: on.share && allowed.share,
        });
      }
    }
  });

  test("one viewer takes part at a time in an event with one presenter", () => {
    for (const one of everyOf({ roomType: roomTypes, enablePresenters: flags })) {
      assert.equal(oneTakesPart(one), one.roomType === "event" && !one.enablePresenters);
    }
  });

  test("owners who are not moderators may become one; guests and other people may not", () => {
    for (const role of peerTypes) {
      for (const [user_id, owns] of [
        ["owner", true],
        ["second", true],
        ["other", false],
        [null, false],
      ] as const) {
        const owners = ["owner", "second"];
        assert.equal(mayPromote({ owners }, { role, user_id }), owns && role !== "moderator");
      }
    }
  });
});

suite("visibility of people", () => {
  const rules = everyOf({
    roomType: roomTypes,
    participantPrivacy: flags,
    participantVideoPrivacy: flags,
    recordModerator: flags,
    recordParticipant: flags,
  });
  const pairs = everyOf({ who: roles, whom: roles });
  const each = (
    check: (
      room: (typeof rules)[number],
      who: (typeof pairs)[number]["who"],
      whom: (typeof pairs)[number]["who"],
      name: string,
    ) => void,
  ): void => {
    for (const room of rules) {
      for (const { who, whom } of pairs)
        check(room, who, whom, JSON.stringify({ room, who, whom }));
    }
  };
  const see = (room: (typeof rules)[number], who: (typeof roles)[number], whom: typeof who) =>
    sees(room, { id: "1", role: who }, { id: "2", role: whom });

  test("everybody sees themselves, and nobody sees a capture", () => {
    each((room, who, whom, name) => {
      assert.ok(sees(room, { id: "1", role: who }, { id: "1", role: who }), name);
      if (!isPerson(whom)) assert.equal(see(room, who, whom), false, name);
    });
  });

  test("people see each other or neither sees the other", () => {
    each((room, who, whom, name) => {
      if (isPerson(who) && isPerson(whom))
        assert.equal(see(room, who, whom), see(room, whom, who), name);
    });
  });

  test("moderators see everybody, and everybody sees moderators", () => {
    each((room, who, whom, name) => {
      if (who === "moderator" && isPerson(whom)) assert.ok(see(room, who, whom), name);
    });
  });

  test("others see each other unless participantPrivacy hides them, or both watch an event", () => {
    each((room, who, whom, name) => {
      if (![who, whom].every((role) => role === "participant" || role === "viewer")) return;
      const isPrivate = room.participantPrivacy && room.roomType !== "p2p";
      const bothWatch = room.roomType === "event" && who === "viewer" && whom === "viewer";
      assert.equal(see(room, who, whom), !isPrivate && !bothWatch, name);
      const hidden = isHiddenFrom(room, { id: "1", role: who }, { id: "2", role: whom });
      assert.equal(hidden, isPrivate, name);
    });
  });

  test("the messages of a person who left are hidden like their seat", () => {
    for (const room of rules) {
      const isPrivate = room.participantPrivacy && room.roomType !== "p2p";
      const written = isHiddenFrom(room, { id: "1", role: "participant" }, { id: "2", role: null });
      assert.equal(written, isPrivate);
    }
  });

  test("a recorder receives the roles that are recorded, a stream what a viewer may see, a transcription all who send", () => {
    each((room, who, whom, name) => {
      if (isPerson(who)) return;
      const sends = isPerson(whom) && (whom !== "viewer" || room.roomType === "p2p");
      const expected = {
        recorder: whom === "moderator" ? room.recordModerator : room.recordParticipant,
        streamer: whom === "moderator" || !room.participantPrivacy,
        transcriber: true,
      }[who as "recorder" | "streamer" | "transcriber"];
      assert.equal(see(room, who, whom), sends && expected, name);
    });
  });

  test("pictures: of moderators, by moderators, and of others only where participantVideoPrivacy is off", () => {
    each((room, who, whom, name) => {
      if (!isPerson(who)) return;
      const isPrivate = room.participantVideoPrivacy && room.roomType !== "p2p";
      const isModerated = who === "moderator" || whom === "moderator";
      const seen = seesVideo(room, aSeat({ role: who, video: true }), { role: whom });
      assert.equal(seen, !isPrivate || isModerated, name);
    });
  });

  test("a capture gets pictures only if it takes pictures; strangers get no picture that participants would not get", () => {
    each((room, who, whom, name) => {
      if (isPerson(who)) return;
      for (const video of flags) {
        const isSecret = who === "streamer" && room.participantVideoPrivacy && whom !== "moderator";
        assert.equal(
          seesVideo(room, { role: who, video }, { role: whom }),
          video && !isSecret,
          name,
        );
      }
    });
  });

  test("words of people are kept unless recording is on and leaves out their role", () => {
    for (const one of everyOf({
      recordModerator: flags,
      recordParticipant: flags,
      enableRecording: flags,
    })) {
      for (const role of peerTypes) {
        const isRecorded = role === "moderator" ? one.recordModerator : one.recordParticipant;
        assert.equal(keepsWords(one, { role }), !one.enableRecording || isRecorded);
      }
    }
  });
});
