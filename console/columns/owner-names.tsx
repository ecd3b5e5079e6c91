import { Skeleton } from "@mantine/core";
import { Link } from "react-router";
import { splitOwners } from "../data/room-values.ts";
import type { Named } from "../kit/queries.ts";
import { useUser } from "../kit/session.ts";
import { t } from "../texts/index.ts";
import css from "./rooms.module.css";

/** The name of the first owner, and how many others there are. */
export const OwnerNames = ({
  joined,
  named,
}: {
  readonly joined: string;
  readonly named: Named;
}) => {
  const user = useUser();
  const owners = splitOwners(joined);
  const [first] = owners;
  if (first === undefined) return <span className="dimmed">{t.rooms.noOwner}</span>;
  const others = owners.length > 1 && (
    <span className="dimmed"> {t.rooms.moreOwners(owners.length - 1)}</span>
  );
  if (!user.admin) {
    const mine = owners.includes(user.id);
    return (
      <span>
        {mine ? t.rooms.you : t.rooms.unknownOwner}
        {others}
      </span>
    );
  }
  if (named === undefined) return <Skeleton height={12} width="7rem" />;
  const person = named.get(first);
  return (
    <span className={css.owner}>
      {person === undefined ? (
        <span className="dimmed">{t.rooms.unknownOwner}</span>
      ) : (
        <Link to={`/people/${encodeURIComponent(person.id)}`} className={css.quiet}>
          <bdi>{person.name}</bdi>
        </Link>
      )}
      {person?.accountDeleted && <span className="dimmed"> ({t.rooms.revokedOwner})</span>}
      {others}
    </span>
  );
};
