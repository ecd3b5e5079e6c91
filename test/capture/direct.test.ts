// Runs: sqlite, complete, pictures
// Needs: browser, ffmpeg

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { leaveAll, startMeetings } from "../meetings/people.ts";
import { until } from "../world/process.ts";
import { LOUD, QUIET, recordingIn, WHOLE } from "./look.ts";
import { ada, ben, comeIn } from "./people.ts";

const meetings = await startMeetings();
const { service, room } = meetings;
const { client, captures } = service;
const folder = await mkdtemp(join(tmpdir(), "parley-captured-"));
after(() => rm(folder, { recursive: true, force: true }));

const organizationId = (await client.getOrganization()).organization.id;
const SIZE = { width: 426, height: 240 };

/** The centers of two tiles side by side. */
const LEFT = [0.1, 0.3, 0.3, 0.3] as const;
const RIGHT = [0.6, 0.3, 0.3, 0.3] as const;

test("a recorder gets sound and pictures of recorded roles only, and takes no seat in a room for two", async () => {
  const { path, room: roomId } = await room({
    enableRecording: true,
    recordModerator: true,
    recordParticipant: false,
    roomType: "p2p",
    participantPrivacy: true,
    noOfModerators: 1,
    noOfParticipants: 1,
    noOfViewers: 0,
  });
  const one = await comeIn(meetings, path, ada, true);
  const other = await comeIn(meetings, path, ben);
  const before = (await client.getMeeting({ roomId })).meeting;
  assert.deepEqual([before.peers.length, before.roomStatus], [2, "occupied"]);

  const capture = await captures.start({
    organizationId,
    meetingId: before.meetingId ?? "",
    purpose: "record",
    picture: SIZE,
    folder,
  });
  const recording = recordingIn(folder);
  await recording.lasts(4);
  const { meeting } = await client.getMeeting({ roomId });
  assert.deepEqual(meeting.seats, before.seats, "it has nobody's seat");
  assert.deepEqual(meeting.peers.length, 2);
  for (const { page } of [one, other]) {
    assert.equal(
      await page
        .getByRole("list", { name: /People and shared/ })
        .locator("li")
        .count(),
      2,
    );
  }
  const changedAt = recording.seconds();
  await client.editRoom({ room: roomId, roomOwnerId: service.adminId, recordParticipant: true });
  await recording.lasts(changedAt + 8);
  await client.editRoom({ room: roomId, roomOwnerId: service.adminId, recordModerator: false });
  await until("the moderator is neither heard nor seen any more", async () => {
    const second = recording.seconds() - 3;
    return (
      (await recording.volume(ada.tone, second, 2)) < QUIET &&
      (await recording.isColor(second, WHOLE, ben.color))
    );
  });
  const goneAt = recording.seconds();
  await recording.lasts(goneAt + 2);

  // The seats end with the last person, and so does the recorder.
  await leaveAll(one, other);
  assert.deepEqual(await capture.ended, { how: "over" });
  assert.ok(recording.isComplete());
  assert.deepEqual(await recording.streams(), ["aac", "h264,426,240"]);

  await recording.shows("the moderator alone is seen", 1, WHOLE, ada.color);
  assert.ok((await recording.volume(ada.tone, 0, 3)) > LOUD);
  assert.ok((await recording.volume(ben.tone, 0, 3)) < QUIET, "the participant is not heard");
  await recording.shows("the moderator is seen beside", changedAt + 7, LEFT, ada.color);
  await recording.shows("the participant is seen now", changedAt + 7, RIGHT, ben.color);
  assert.ok((await recording.volume(ben.tone, changedAt + 6, 2)) > LOUD);
  await recording.shows("the participant alone is seen", goneAt + 1, WHOLE, ben.color);
  assert.ok((await recording.volume(ben.tone, goneAt, 2)) > LOUD);
  assert.ok((await recording.volume(ada.tone, goneAt, 2)) < QUIET, "the moderator is not heard");

  await until("the meeting has ended", async () => {
    const { roomStatus } = (await client.getMeeting({ roomId })).meeting;
    return roomStatus === "free";
  });
  const { attendance } = await client.getAttendance({ meetingId: before.meetingId ?? "" });
  assert.deepEqual(attendance.map(({ peerName }) => peerName).toSorted(), [ada.name, ben.name]);
});
