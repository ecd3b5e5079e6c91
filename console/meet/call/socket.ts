import {
  connectMeeting,
  type MeetingConnection,
  type MeetingOptions,
} from "../../../contract/meeting-client.ts";
import { onAwake } from "./again.ts";

/** Opens the meeting socket of a ticket, which also tries again when the page wakes up. */
export const openSocket = (options: MeetingOptions): MeetingConnection => {
  const connection = connectMeeting(options);
  void connection.ended.then(onAwake(connection.wake));
  return connection;
};
