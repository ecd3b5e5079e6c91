import { Skeleton } from "@mantine/core";
import { Link } from "react-router";
import { sayFailure } from "../data/client.ts";
import { useRooms } from "../data/queries.ts";
import { FormGroup } from "../parts/form-parts.tsx";
import { addressOfRoom, RoomStatus } from "../rooms/room-columns.tsx";
import css from "../styles/people.module.css";
import { t } from "../texts/index.ts";

interface OwnedRoomsProps {
  readonly owner: string;
  /** Whether the account is revoked. */
  readonly former: boolean;
}

/** The first rooms that a person owns, and the way to all of them. */
export const OwnedRooms = ({ owner, former }: OwnedRoomsProps) => {
  const rooms = useRooms({
    page: 1,
    limit: 10,
    sortBy: "name",
    sortOrder: "ASC",
    search: "",
    userFilter: owner,
    withoutOwner: false,
  });
  const { roomSettings = [], pagination } = rooms.data ?? {};
  return (
    <FormGroup id="owned-rooms" title={former ? t.people.formerRooms : t.people.ownedRooms}>
      <ul className={css.rooms}>
        {rooms.isPending && <Skeleton height={14} width="60%" />}
        {rooms.isError && <li className="dimmed">{sayFailure(rooms.error)}</li>}
        {pagination?.total === 0 && <li className="dimmed">{t.people.noRooms}</li>}
        {roomSettings.map(({ room, name, roomStatus }) => (
          <li key={room}>
            <Link to={addressOfRoom(room)}>{name}</Link>
            <RoomStatus status={roomStatus} />
          </li>
        ))}
        {pagination && pagination.total > roomSettings.length && (
          <li>
            <Link to={`/rooms?userFilter=${encodeURIComponent(owner)}`}>
              {t.people.allTheirRooms} ({t.people.roomCount(pagination.total)})
            </Link>
          </li>
        )}
      </ul>
    </FormGroup>
  );
};
