import { Button, Skeleton } from "@mantine/core";
import { IconDoor, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { addressOfRoom, RoomStatusTag } from "../columns/room-columns.tsx";
import { useRooms } from "../kit/queries.ts";
import { showMoment } from "../kit/show.ts";
import { Blank, Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import css from "./overview.module.css";
import { OverviewPanel } from "./panel.tsx";

const MOST = 5;

/** The most recently changed rooms. */
export const RecentRooms = () => {
  const rooms = useRooms({
    page: 1,
    limit: 10,
    sortBy: "updatedAt",
    sortOrder: "DESC",
    search: "",
    userFilter: "",
    withoutOwner: false,
  });
  const shown = rooms.data?.roomSettings.slice(0, MOST);
  return (
    <OverviewPanel title={t.overview.recent} more={{ to: "/rooms", label: t.overview.allRooms }}>
      {rooms.isError ? (
        <Failed failure={rooms.error} retry={() => void rooms.refetch()} />
      ) : shown === undefined ? (
        <Skeleton height={180} />
      ) : shown.length === 0 ? (
        <Blank
          icon={IconDoor}
          title={t.overview.noRooms}
          action={
            <Button component={Link} to="/rooms/new" leftSection={<IconPlus size={16} />}>
              {t.rooms.create}
            </Button>
          }
        >
          {t.overview.noRoomsHelp}
        </Blank>
      ) : (
        <ul className={css.lines}>
          {shown.map(({ room, name, roomStatus, updatedAt }) => (
            <li key={room}>
              <Link to={addressOfRoom(room)} className={css.name}>
                <bdi>{name}</bdi>
              </Link>
              <RoomStatusTag status={roomStatus} />
              <time className="dimmed small" dateTime={updatedAt}>
                {showMoment(updatedAt)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </OverviewPanel>
  );
};
