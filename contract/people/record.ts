import { z } from "zod";
import { instant } from "../kit/fields.ts";
import { shapeOf } from "../kit/setting.ts";
import { userSettings } from "./settings.ts";

/** Every key of a user that an answer may carry (interface.md, User). */
export const anyUser = z.strictObject({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  createdAt: instant(),
  username: z.string(),
  ...shapeOf(userSettings, "reply"),
  accountSuspended: z.boolean(),
  accountDeleted: z.boolean(),
  profileId: z.string(),
  rooms: z.array(z.string()),
  roomIds: z.array(z.string()),
});

/** Each answer has its own keys; documents have one record with all of them. */
const named = { title: "Person" } as const;
export const createdUser = anyUser
  .omit({ profileId: true, displayRating: true, rooms: true, roomIds: true })
  .meta(named);
export const editedUser = anyUser.omit({ profileId: true, rooms: true, roomIds: true }).meta(named);
export const listedUser = anyUser.omit({ rooms: true, roomIds: true }).meta(named);
export const pagedUser = anyUser.meta(named);
export const revokedUser = anyUser
  .pick({
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
  })
  .meta({ title: "RevokedPerson" });
