import type { operations } from "../../contract/index.ts";
import { aroundEntries, type Checked, type Operation } from "../../contract/kit/operation.ts";
import { paginate } from "../../contract/kit/pages.ts";
import type { Organization } from "../change/organization.ts";
import { presentPaged, type ShownRow } from "../records/present-user.ts";
import { pageOfUsers } from "../users/lists.ts";
import { type JsonStream, JsonText, listAnswer } from "./answer.ts";

type ListUsers = (typeof operations)["listUsers"];

/** Answers a page of accounts, each with its rooms. */
export const usersPage = async (
  operation: Operation,
  organization: Organization,
  input: Checked<ListUsers>,
  revoked: boolean,
): Promise<JsonText> => {
  const { total, rows } = await pageOfUsers(organization, input, revoked);
  const { head, tail } = aroundEntries(operation, { pagination: paginate(input, total) });
  return new JsonText(
    head + rows.map(({ row, owned }) => presentPaged(row, owned)).join(",") + tail,
  );
};

/** Answers a list of accounts without pages, in pieces. */
export const usersAnswer = (
  operation: Operation,
  rows: AsyncIterable<readonly ShownRow[]>,
  present: (row: ShownRow) => object,
): Promise<JsonText | JsonStream> =>
  listAnswer(
    operation,
    (async function* () {
      for await (const piece of rows) {
        yield piece.map((row) => JSON.stringify(present(row))).join(",");
      }
    })(),
    Number.POSITIVE_INFINITY,
  );
