import { wholeNumber } from "../../contract/kit/accepted.ts";
import { CommandError, cliCommand } from "./command.ts";
import { withOrganization } from "./database.ts";
import { showProgress } from "./progress.ts";
import { pairs } from "./table.ts";

export const seedCommand = cliCommand({
  name: "seed",
  arguments: [],
  options: {
    org: {
      type: "string",
      value: "ORG",
      meaning: "The organization, by its ID or name.",
      required: true,
    },
    rooms: {
      type: "string",
      value: "N",
      meaning: "How many rooms to make.",
      accepts: wholeNumber({ from: 0, to: 10_000_000 }),
      required: true,
    },
    users: {
      type: "string",
      value: "N",
      meaning: "How many people to make.",
      accepts: wholeNumber({ from: 0, to: 1_000_000 }),
      required: true,
    },
    "owners-max": {
      type: "string",
      value: "N",
      meaning: "The most owners of one room.",
      accepts: wholeNumber({ from: 1, to: 100 }),
      default: "3",
    },
    seed: {
      type: "string",
      value: "NUMBER",
      meaning: "The same number makes the same people and rooms, except for their IDs.",
      accepts: wholeNumber({ from: 0, to: 2 ** 31 }),
      default: "1",
    },
  },
  summary:
    "Fill an organization with invented people and rooms, for demonstrations and measurements.",
  details:
    "People have names in several scripts, addresses that end in .example, and share one random\npassword that is not shown: to sign in as one of them, reset the password. No email is sent. Some\naccounts are suspended or revoked, some people own very many rooms. The limits of the plan hold.\nA service may run meanwhile. A million rooms take a minute or two.",
  examples: [
    "seed --org Acme --rooms 1000 --users 200",
    "seed --org Acme --rooms 1000000 --users 10000 --seed 7 --json",
  ],
  async run({ options, ...called }) {
    const { rooms, users, "owners-max": ownersMax, seed } = options;
    const wanted = { rooms, users, ownersMax, seed };
    const { NoOwner, seed: fill } = await import("./seeding/seed.ts");
    const progress = { people: showProgress("people"), rooms: showProgress("rooms") };
    const from = performance.now();
    try {
      const [made, { name }] = await withOrganization(
        called,
        options.org,
        async (organization, row) => [
          await fill(organization, wanted, (what, done, of) => progress[what](done, of)),
          row,
        ],
        { bulk: true },
      );
      const seconds = Math.round((performance.now() - from) / 100) / 10;
      const count = (value: number): string => value.toLocaleString("en");
      return {
        value: { organization: name, ...made, seed: wanted.seed, seconds },
        text: pairs({
          Organization: name,
          People: `${count(made.users)}, of whom ${count(made.revoked)} are revoked`,
          Rooms: `${count(made.rooms)} with ${count(made.owners)} owners`,
          Took: `${seconds} s`,
        }),
      };
    } catch (error) {
      if (error instanceof NoOwner) throw new CommandError(error.message);
      throw error;
    }
  },
});
