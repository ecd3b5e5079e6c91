import type { ReactNode } from "react";
import { Link } from "react-router";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { t } from "../texts/index.ts";
import { addressOfPerson } from "./person-columns.tsx";

/** The actor of an entry of the history, with a link to a person. */
export const Actor = ({ entry: { actor } }: { readonly entry: HistoryEntry }): ReactNode => {
  if (actor.kind === "operator") return t.history.operator;
  if (actor.kind === "service") return t.history.service;
  // A guest who moderates has a name; a person who is refused at sign-in has none.
  if (actor.kind === "anyone") return <bdi>{actor.name || t.history.nobody}</bdi>;
  if (actor.kind === "accessKey") {
    return (
      <>
        {t.history.accessKey} <span className="mono small">{actor.id}</span>
      </>
    );
  }
  if (actor.name === null || actor.id === null) return t.history.deletedPerson;
  return (
    <Link to={addressOfPerson(actor.id)}>
      <bdi>{actor.name}</bdi>
    </Link>
  );
};
