import { Button, Skeleton } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import css from "../columns/people.module.css";
import { addressOfRoom, RoomStatusTag } from "../columns/room-columns.tsx";
import { sayFailure } from "../kit/client.ts";
import { FormGroup } from "../kit/form-parts.tsx";
import { useRooms } from "../kit/queries.ts";
import { t } from "../texts/index.ts";
import { HandOverDialog } from "./hand-over-dialog.tsx";

interface OwnedRoomsProps {
  readonly owner: { readonly id: string; readonly name: string };
  /** True if the account is revoked. */
  readonly former: boolean;
}

/** The first rooms that a person owns, and a link to all of them. */
export const OwnedRooms = ({ owner, former }: OwnedRoomsProps) => {
  const [handsOver, setHandsOver] = useState(false);
  const rooms = useRooms({
    page: 1,
    limit: 10,
    sortBy: "naturalName",
    sortOrder: "ASC",
    search: "",
    userFilter: owner.id,
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
            <Link to={addressOfRoom(room)}>
              <bdi>{name}</bdi>
            </Link>
            <RoomStatusTag status={roomStatus} />
          </li>
        ))}
        {pagination && pagination.total > roomSettings.length && (
          <li>
            <Link to={`/rooms?userFilter=${encodeURIComponent(owner.id)}`}>
              {t.people.allTheirRooms} ({t.people.roomCount(pagination.total)})
            </Link>
          </li>
        )}
      </ul>
      {pagination && pagination.total > 0 && (
        <div>
          <Button variant="default" onClick={() => setHandsOver(true)}>
            {t.handOver.action}
          </Button>
        </div>
      )}
      {handsOver && <HandOverDialog person={owner} onClose={() => setHandsOver(false)} />}
    </FormGroup>
  );
};
