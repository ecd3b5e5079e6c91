import { operations as o } from "../../contract/index.ts";
import { choosePassword } from "../users/first-password.ts";
import { sendPasswordLink } from "../users/password-link.ts";
import { open, type Route, type Service } from "./route.ts";

const ok = { success: true } as const;

/** Passwords that people choose by the link of an email. */
export const passwordRoutes = ({
  config: { publicUrl },
  database,
  postman,
  seal,
  onError,
}: Pick<Service, "config" | "database" | "postman" | "seal" | "onError">): readonly Route[] => [
  open(o.sendPasswordLink, async ({ input, address }) => {
    await sendPasswordLink({ database, seal, postman, publicUrl, onError }, { ...input, address });
    return ok;
  }),
  open(o.choosePassword, async ({ input, address }) => ({
    ...ok,
    ...(await choosePassword({ database, seal }, { ...input, address })),
  })),
];
