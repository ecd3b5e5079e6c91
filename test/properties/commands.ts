import fc from "fast-check";
import { roomTypes } from "../../contract/rooms/settings.ts";
import type { OperationId } from "../world/ask.ts";
import { names, naughtyStrings } from "../world/corpora.ts";

/**
 * One request of a sequence. Its input refers to accounts and rooms as `§user:3§` and `§room:0§`: the one
 * with that number that the sequence created, whatever its ID is on either database.
 */
export interface Command {
  readonly id: OperationId;
  readonly input: unknown;
}

/** A usual value, and sometimes another. */
const mostly = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const reference = (what: "user" | "room") => fc.nat(11).map((number) => `§${what}:${number}§`);
const user = reference("user");
const room = fc.oneof({ weight: 8, arbitrary: reference("room") }, fc.constant("no-such-room"));

/** Texts, some of which are equal once they are folded: lists are searched for them too. */
const alike = ["Ännchen", "äNNCHEN", "A\u0308nn", "Straße", "STRASSE", "ΣΑΣ", "σας", "ÖL%", "öl_"];

/** Texts that the databases, and JavaScript, fold, order and compare differently. */
const troublesome = [
  ...["Ann", "ann", "ANN", "Änn", "A\u0308nn", "\u212Bnn", "\u212Aarl", "Karl", "İstanbul", "ıx"],
  ...[
    "straße",
    "STRASSE",
    "ﬁ",
    "fi",
    "%",
    "_",
    "\\",
    "a%b",
    "a_b",
    "'",
    '"',
    "ß",
    "ẞ",
    "Σας",
    "ΣΑΣ",
  ],
  ...["\u{1F600}", "\uFFFD", "\uFFFF", "\u{10FFFF}", "z", "Z", "-", "~", "ǅ", "\ta", "a b", "a  b"],
];
const corpora = [...naughtyStrings(), ...names()];
const words = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...alike) },
  { weight: 4, arbitrary: fc.constantFrom(...troublesome, ...corpora) },
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
);

/** Few addresses, so that some are taken; the domain belongs to this run. */
const email = fc
  .tuple(
    fc.constantFrom("ann", "Ann", "bob", "k", "x.y", "o'neil", "a+b", "carla", "d", "e", "f", "g"),
    fc.constantFrom("", "", "bücher.", "BÜCHER.", "xn--bcher-kva.", "bu\u0308cher."),
  )
  .map(([local, domain]) => `${local}@${domain}§domain§`);
const role = mostly("moderator", "admin", "viewer", "Moderator", "__proto__", "a b");
const roles = mostly(
  "moderator,admin,viewer,Moderator,__proto__,a b",
  "moderator,admin",
  "viewer",
  "",
  "x",
);
const url = mostly("https://meet.example.org/login", "https://x.org", "javascript:1", "");

const person = {
  email,
  name: words,
  location: fc.oneof(words, fc.constant(null)),
  admin: fc.boolean(),
  meetNowEnabled: fc.boolean(),
  tags: fc.array(words, { maxLength: 3 }),
  displayRating: fc.boolean(),
  role,
};
const setting = {
  name: words,
  roomType: mostly<string>("event", ...roomTypes, "meeting"),
  roomPassword: fc.oneof(words, fc.constant(null)),
  noOfViewers: mostly(20, 0, 1_000_000, -1, 1.5, 1e21, 1_000_001),
  audioStatus: mostly<unknown>(false, true, "true", "false", "yes"),
  enableRecording: fc.boolean(),
  recordingResolutions: mostly<unknown>(["2160p", "480p"], null, [], ["480p"], ["720p"]),
  liveStreamUrl: mostly(null, "", "rtmps://live.example.org/app", "no url"),
  roomAgenda: words,
  scheduledDateTime: fc.constantFrom(null, "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.5+05:45"),
  roomPermaLink: fc.boolean(),
  ipCamNames: fc.array(words, { maxLength: 2 }),
  nobodyKnows: fc.constant(1),
};

const some = <T extends Record<string, fc.Arbitrary<unknown>>, K extends keyof T & string>(
  fields: T,
  required: readonly K[],
) => fc.record(fields, { requiredKeys: [...required] as never });

const owners = fc.array(user, { minLength: 1, maxLength: 3 }).map((all) => all.join(","));
/** Without digits of any script: usernames end in random digits, which differ on each side. */
const search = fc.oneof(
  words.filter((text) => !/\d/.test(text.normalize("NFKC"))),
  fc.constantFrom("ä", "Ö", "σ", "SS", "ß", "L%", "_", "N", ""),
);
const page = {
  page: mostly(1, 2, 3, 0, 2 ** 53),
  sortBy: mostly("name", "createdAt", "updatedAt", "Name", "toString"),
  sortOrder: fc.oneof(fc.constantFrom("ASC", "DESC"), mostly("DESC", "asc")),
  search,
};
const userPage = some({ role: roles, limit: mostly(10, 25, 7), ...page }, ["role"]);
const roomPage = some(
  { ...page, limit: mostly(10, 1, 2, 25, 0), userFilter: user, withoutOwner: fc.boolean() },
  [],
);

const makes = (id: OperationId, input: fc.Arbitrary<unknown>) =>
  input.map((value): Command => ({ id, input: value }));

/** Any request; those that change something occur more often. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: makes(
      "createUser",
      some({ ...person, loginUrl: url }, ["email", "name", "loginUrl"]),
    ),
  },
  { weight: 6, arbitrary: makes("editUser", some({ userId: user, ...person }, ["userId"])) },
  {
    weight: 4,
    arbitrary: makes(
      "suspendRestoreUser",
      fc.record({ userId: user, action: fc.constantFrom("suspend", "restore") }),
    ),
  },
  {
    weight: 4,
    arbitrary: makes("revokeUsers", fc.array(fc.record({ userId: user }), { maxLength: 3 })),
  },
  {
    weight: 4,
    arbitrary: makes("reactivateUser", fc.oneof(fc.record({ userId: user }), fc.record({ email }))),
  },
  { weight: 3, arbitrary: makes("deleteUsers", fc.array(user, { maxLength: 2 })) },
  { weight: 1, arbitrary: makes("resetPassword", fc.record({ userId: user })) },
  {
    weight: 8,
    arbitrary: makes(
      "createRoom",
      some(
        {
          ...setting,
          roomOwnerId: owners,
          room: mostly<unknown>(undefined, "a", "A", "a.b", 7, "7", "paginated", "ä", ""),
        },
        ["name", "roomOwnerId"],
      ),
    ),
  },
  {
    weight: 6,
    arbitrary: makes(
      "editRoom",
      some({ ...setting, room, roomOwnerId: owners }, ["room", "roomOwnerId"]),
    ),
  },
  { weight: 3, arbitrary: makes("deleteRoom", fc.record({ id: room })) },
  { weight: 2, arbitrary: makes("fetchRoom", fc.record({ id: room })) },
  { weight: 5, arbitrary: makes("listRooms", roomPage) },
  { weight: 5, arbitrary: makes("listUsers", userPage) },
  { weight: 3, arbitrary: makes("listRevokedUsers", userPage) },
  { weight: 2, arbitrary: makes("fetchUsers", some({ role: roles }, [])) },
  { weight: 2, arbitrary: makes("fetchRevokedUsers", some({ role: roles }, [])) },
  {
    weight: 2,
    arbitrary: makes("findUsers", fc.record({ userIds: fc.array(user, { maxLength: 4 }) })),
  },
  { weight: 2, arbitrary: makes("getOrganization", fc.constant({})) },
);
