import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isAutomatic,
  planOf,
  problemOf,
  sizesOf,
} from "../../server/meetings/captures/recording-plan.ts";
import { aRoom, everyOf, flags } from "./people.ts";

const on = { enableRecording: true, recordModerator: true, recordParticipant: true } as const;

test("a room records if recording is on and somebody is recorded, and by itself only if its strategy says so", () => {
  const cases = everyOf({
    enableRecording: flags,
    recordModerator: flags,
    recordParticipant: flags,
    recordingStrategy: ["AmergedAV", "mergedAV", "mergedA", null],
  });
  for (const one of cases) {
    const room = aRoom(one as Partial<ReturnType<typeof aRoom>>);
    const isNobody = !one.recordModerator && !one.recordParticipant;
    const problem = !one.enableRecording ? "recording_off" : isNobody ? "nothing_to_record" : null;
    assert.equal(problemOf(room), problem);
    assert.equal(isAutomatic(room), problem === null && one.recordingStrategy === "AmergedAV");
    if (problem !== null) assert.throws(() => planOf(room), { code: problem });
  }
});

test("the sizes of a recording are the requested ones, else the room's, else 1080p, largest first; sound has none", () => {
  for (const [room, asked, type, resolutions] of [
    [{}, {}, "av", ["1080p"]],
    [{ recordingResolutions: null }, {}, "av", ["1080p"]],
    [{ recordingResolutions: [] }, {}, "av", ["1080p"]],
    [{ recordingResolutions: ["480p", "2160p"] }, {}, "av", ["2160p", "480p"]],
    [{ recordingResolutions: ["720p"] }, {}, "av", ["1080p"]],
    [
      { recordingResolutions: ["480p"] },
      { resolutions: ["1080p", "480p"] },
      "av",
      ["1080p", "480p"],
    ],
    [{ recordingResolutions: ["480p"] }, { recordingType: "a" }, "a", []],
    [{ recordingStrategy: "mergedA" }, {}, "a", []],
    [{ recordingStrategy: "mergedA" }, { recordingType: "a" }, "a", []],
  ] as const) {
    const plan = planOf(aRoom({ ...on, ...room } as never), asked as never);
    assert.deepEqual(
      [plan.type, plan.resolutions],
      [type, resolutions],
      JSON.stringify([room, asked]),
    );
    assert.deepEqual(
      sizesOf({ type: plan.type, resolutions: JSON.stringify(plan.resolutions) }),
      resolutions,
    );
  }
  const sound = aRoom({ ...on, recordingStrategy: "mergedA" });
  assert.throws(() => planOf(sound, { recordingType: "av" } as never), {
    code: "not_in_this_room",
  });
});
