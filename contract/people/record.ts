import { z } from "zod";
import { shapeOf } from "../kit/setting.ts";
import { userSettings } from "./settings.ts";

/** Every key of a user that an answer may carry (interface.md, User). */
export const anyUser = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  createdAt: z.string(),
  username: z.string(),
  ...shapeOf(userSettings, "reply"),
  accountSuspended: z.boolean(),
  accountDeleted: z.boolean(),
  profileId: z.string(),
  rooms: z.array(z.string()),
  roomIds: z.array(z.string()),
});

/** Each answer has its own keys. */
export const createdUser = anyUser.omit({
  profileId: true,
  displayRating: true,
  rooms: true,
  roomIds: true,
});
export const editedUser = anyUser.omit({ profileId: true, rooms: true, roomIds: true });
export const listedUser = anyUser.omit({ rooms: true, roomIds: true });
export const pagedUser = anyUser;
export const revokedUser = anyUser.pick({
  id: true,
  email: true,
  name: true,
  createdAt: true,
  location: true,
  username: true,
  role: true,
  accountSuspended: true,
  profileId: true,
  meetNowEnabled: true,
});
