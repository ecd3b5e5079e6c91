import { operations as o } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { confirmImport, lookAtFile, prepareImport, removeImport } from "../imports/imports.ts";
import { listImports, listLines, presentImport } from "../imports/stored.ts";
import { continueImport, type ImportTools } from "../imports/work.ts";
import { inputCheck } from "./check.ts";
import { changing, type Route, type Service, scoped } from "./route.ts";

const ok = { success: true } as const;

/** A line is checked as the body of the equivalent request. */
const check: ImportTools["check"] = {
  createUser: inputCheck(o.createUser).check,
  editUser: inputCheck(o.editUser).check,
  createRoom: inputCheck(o.createRoom).check,
  editRoom: inputCheck(o.editRoom).check,
};

/** Imports of people and rooms. */
export const importRoutes = ({
  config,
  seal,
}: Pick<Service, "config" | "seal">): readonly Route[] => [
  scoped(o.readImport, async ({ input, organization }) => ({
    ...ok,
    ...(await lookAtFile(organization, input)),
  })),
  changing(o.createImport, async ({ input, organization }) => {
    const { rule } = await prepareImport(organization, input);
    return {
      rule: async (change) => presentImport(change.tx, await rule(change)),
      answer: (made) => ({ ...ok, import: made }),
    };
  }),
  scoped(o.continueImport, async ({ input, organization }) => {
    const row = await continueImport(organization, input.importId, {
      check,
      seal,
      publicUrl: config.publicUrl,
    });
    return { ...ok, import: await presentImport(organization.read, row) };
  }),
  changing(o.confirmImport, ({ input }) => ({
    rule: async (change) => presentImport(change.tx, await confirmImport(change, input)),
    answer: (confirmed) => ({ ...ok, import: confirmed }),
  })),
  scoped(o.listImports, async ({ organization }) => ({
    ...ok,
    imports: await listImports(organization),
  })),
  scoped(o.listImportLines, async ({ input, organization }) => {
    const { total, ...answer } = await listLines(organization, input);
    return { ...ok, ...answer, pagination: paginate(input, total) };
  }),
  changing(o.removeImport, ({ input }) => ({
    rule: (change) => removeImport(change, input.id),
    answer: () => ok,
  })),
];
