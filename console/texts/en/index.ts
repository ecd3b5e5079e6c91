import { access } from "./access.ts";
import { bin } from "./bin.ts";
import { common } from "./common.ts";
import { palette, roomBulk } from "./find.ts";
import { history } from "./history.ts";
import { choosing, imports } from "./imports.ts";
import { meetings } from "./meetings.ts";
import { handOver, people } from "./people.ts";
import { recordings, settings } from "./recordings.ts";
import { rooms } from "./rooms.ts";
import { schedule } from "./schedule.ts";
import { transcripts } from "./transcripts.ts";
import { usage } from "./usage.ts";
import { webhooks } from "./webhooks.ts";

export const en = {
  ...common,
  ...access,
  history,
  rooms,
  people,
  meetings,
  bin,
  choosing,
  handOver,
  imports,
  palette,
  recordings,
  roomBulk,
  schedule,
  settings,
  transcripts,
  usage,
  webhooks,
};
