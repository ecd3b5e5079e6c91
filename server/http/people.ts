import type { operations } from "../../contract/index.ts";
import type { Checked, Operation, Reply } from "../../contract/operation.ts";
import { paginate } from "../../contract/pages.ts";
import type { Organization } from "../organization.ts";
import { pageOfUsers } from "../users/lists.ts";
import { presentPaged, type ShownRow } from "../users/present.ts";
import { type JsonStream, type JsonText, listAnswer } from "./answer.ts";

type ListUsers = (typeof operations)["listUsers"];

/** A page of accounts, each with the rooms that it owns. */
export const usersPage = async (
  organization: Organization,
  asked: Checked<ListUsers>,
  revoked: boolean,
): Promise<Reply<ListUsers>> => {
  const { total, rows } = await pageOfUsers(organization, asked, revoked);
  const users = rows.map(({ row, owned }) => presentPaged(row, owned));
  return { success: true, users, pagination: paginate(asked, total) };
};

/** A list of accounts without pages, sent in pieces. */
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
