import { NotFound } from "../kit/not-found.tsx";
import { useMay } from "../kit/queries.ts";
import { EditRoomPage } from "./edit-room-page.tsx";
import { NewRoomPage } from "./new-room-page.tsx";
import { RoomFactsPage } from "./room-facts-page.tsx";

/** A room of a person without `admin`: a form if the organization lets owners edit, otherwise read-only. */
export const OwnRoomPage = () => {
  const may = useMay();
  if (may === undefined) return null;
  return may.editRooms ? <EditRoomPage /> : <RoomFactsPage />;
};

/** A new room of a person without `admin`, if the organization lets owners create rooms. */
export const NewOwnRoomPage = () => {
  const may = useMay();
  if (may === undefined) return null;
  return may.createRooms ? <NewRoomPage /> : <NotFound />;
};
