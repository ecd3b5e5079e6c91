import type { Row } from "../kit/csv.ts";
import type { ImportKind } from "./imports.ts";

/* Files to fill in. Their first line is an example, which the reader skips. */

const templates: Readonly<Record<ImportKind, Row>> = {
  users: {
    Name: "Example: Ann Lee",
    Email: "ann@example.org",
    Role: "moderator",
    Administrator: "no",
    Location: "Oslo",
    Tags: "north; sales",
    Language: "en",
  },
  rooms: {
    Name: "Example: Board meeting",
    Owners: "ann@example.org; ben@example.org",
    Type: "Conference",
    Moderators: 2,
    Participants: 10,
    "Guests wait to be let in": "yes",
    Recording: "no",
    Agenda: "",
  },
};

/** The columns of a template, and its example. */
export const templateOf = (
  kind: ImportKind,
): { readonly columns: readonly string[]; readonly rows: readonly Row[] } => ({
  columns: Object.keys(templates[kind]),
  rows: [templates[kind]],
});
