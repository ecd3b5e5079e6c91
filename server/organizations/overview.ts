import type { Reply } from "../../contract/kit/operation.ts";
import { settingsOf } from "../../contract/kit/organization-settings.ts";
import type { getOrganization } from "../../contract/organization/organization.ts";
import type { Organization } from "../change/organization.ts";
import type { Config } from "../config/config.ts";
import { mailProblem, outboxState } from "../mail/outbox.ts";
import { hasRecorder, isRecordingOn } from "../meetings/captures/recording-rules.ts";
import { countRecordings } from "../meetings/captures/recordings.ts";
import { countInside, countInUse } from "../meetings/seats/places.ts";
import type { Media } from "../meetings/state/media.ts";
import { countsByRole } from "../records/user-counters.ts";

/** The state of an organization for its administrator. */
export const overviewOf = async (
  { id, read }: Organization,
  { smtp, s3 }: Pick<Config, "smtp" | "s3">,
  media: Pick<Media, "kind">,
): Promise<Reply<typeof getOrganization>["organization"]> => {
  const row = await read
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { busy, occupied } = await countInUse(read, id);
  const { waiting, refused } = await outboxState(read, id);
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    limits: { rooms: row.max_rooms, users: row.max_users },
    used: { rooms: row.used_rooms, users: row.used_users },
    rooms: { free: row.used_rooms - busy - occupied, busy, occupied },
    meetings: await countInside(read, id),
    letters: { waiting, refused },
    mail: smtp === undefined ? "folder" : "smtp",
    mailProblem: smtp === undefined ? undefined : await mailProblem(read, id),
    recorder: (await hasRecorder(read)) ? "ready" : (await isRecordingOn(read)) ? "missing" : "off",
    media: media.kind,
    roles: countsByRole(row).map(({ role }) => role),
    recordings: await countRecordings(read, id, s3 !== undefined),
    settings: settingsOf(row),
  };
};
