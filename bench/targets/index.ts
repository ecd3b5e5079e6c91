import type { Target } from "../target.ts";
import { fetchOnSqlite } from "./01-fetch-on-sqlite.ts";
import { fetchOnPostgresql } from "./02-fetch-on-postgresql.ts";
import { list25 } from "./03-list-25.ts";
import { growth } from "./04-growth.ts";
import { anyPageInAnyOrder } from "./05-any-page.ts";
import { search } from "./06-search.ts";
import { durableCreate } from "./07-durable-create.ts";
import { createUser } from "./08-create-user.ts";
import { userLists } from "./09-user-lists.ts";
import { wholeLists } from "./10-whole-lists.ts";
import { start } from "./11-start.ts";
import { twoProcesses } from "./12-two-processes.ts";
import { joins } from "./13-joins.ts";
import { relayedPeople } from "./14-relayed-people.ts";
import { publishers } from "./15-publishers.ts";
import { firstPicture } from "./16-first-picture.ts";
import { backAfterKills } from "./17-back-after-kills.ts";
import { recordingPlays } from "./18-recording-plays.ts";
import { captures } from "./19-captures.ts";
import { ownerOfManyRooms } from "./20-owner-of-many-rooms.ts";
import { live } from "./21-live.ts";
import { gate } from "./22-through-the-gate.ts";
import { crowd } from "./23-crowd.ts";

/** Every target: only targets in this list are measured. */
export const targets: readonly Target[] = [
  fetchOnSqlite,
  fetchOnPostgresql,
  list25,
  growth,
  anyPageInAnyOrder,
  search,
  durableCreate,
  createUser,
  userLists,
  wholeLists,
  start,
  twoProcesses,
  joins,
  relayedPeople,
  publishers,
  firstPicture,
  backAfterKills,
  recordingPlays,
  captures,
  live,
  gate,
  ownerOfManyRooms,
  crowd,
];
