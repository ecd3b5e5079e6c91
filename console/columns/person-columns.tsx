import { Link } from "react-router";
import { isolated } from "../../contract/kit/plain.ts";
import type { Column } from "../kit/data-table.tsx";
import { Day } from "../kit/moments.tsx";
import type { User } from "../kit/queries.ts";
import { Tag } from "../kit/tag.tsx";
import { t } from "../texts/index.ts";
import css from "./people.module.css";

export const addressOfPerson = (id: string): string => `/people/${encodeURIComponent(id)}`;

/** Active, suspended or revoked. */
export const PersonState = ({
  person,
}: {
  readonly person: Pick<User, "accountDeleted" | "accountSuspended">;
}) => {
  if (person.accountDeleted) return <Tag tone="calm">{t.people.states.revoked}</Tag>;
  return person.accountSuspended ? (
    <Tag tone="warn">{t.people.states.suspended}</Tag>
  ) : (
    <Tag tone="ok">{t.people.states.active}</Tag>
  );
};

export const personColumns = (me: string): readonly Column<User, "name" | "createdAt">[] => [
  {
    key: "name",
    label: t.people.columns.name,
    sort: "name",
    heading: true,
    render: (person) => (
      <>
        <Link to={addressOfPerson(person.id)} className={css.name}>
          <bdi>{person.name}</bdi>
        </Link>
        {person.id === me && <span className="dimmed small"> ({t.people.you})</span>}
        <span className={`dimmed small ${css.email}`}>
          <bdi>{person.email}</bdi>
        </span>
      </>
    ),
  },
  {
    key: "role",
    label: t.people.columns.role,
    render: ({ role, admin }) => (
      <span className={css.role}>
        <bdi>{role}</bdi>
        {admin && <Tag>{t.people.admin}</Tag>}
      </span>
    ),
  },
  {
    key: "state",
    label: t.people.columns.state,
    render: (person) => <PersonState person={person} />,
  },
  {
    key: "rooms",
    label: t.people.columns.rooms,
    render: ({ id, rooms }) =>
      rooms.length === 0 ? (
        <span className="dimmed">{t.time.never}</span>
      ) : (
        <Link
          className={css.count ?? ""}
          to={`/rooms?userFilter=${encodeURIComponent(id)}`}
          title={rooms.slice(0, 12).map(isolated).join("\n")}
        >
          {t.people.roomCount(rooms.length)}
        </Link>
      ),
  },
  {
    key: "createdAt",
    label: t.people.columns.createdAt,
    sort: "createdAt",
    minor: true,
    render: ({ createdAt }) => <Day at={createdAt} />,
  },
];
