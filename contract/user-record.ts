import { z } from "zod";

/** Every key of a user that an answer may carry (interface.md, User). */
const user = {
  id: z.string(),
  email: z.string(),
  name: z.string(),
  createdAt: z.string(),
  location: z.string().nullable(),
  username: z.string(),
  role: z.string(),
  accountSuspended: z.boolean(),
  accountDeleted: z.boolean(),
  profileId: z.string(),
  meetNowEnabled: z.boolean(),
  displayRating: z.boolean(),
  tags: z.array(z.string()),
  admin: z.boolean(),
  /** Names of owned rooms. */
  rooms: z.array(z.string()),
  /** IDs of owned rooms, in the order of their names. */
  roomIds: z.array(z.string()),
};
export const anyUser = z.strictObject(user);

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
