import { operations as o } from "../../contract/index.ts";
import { choosePassword } from "../users/first-password.ts";
import { signInWithNewPassword } from "../users/new-password.ts";
import { sendPasswordLink } from "../users/password-link.ts";
import { open, type Route, type Service } from "./route.ts";

const ok = { success: true } as const;

/** Passwords that people choose by the link of an email. */
export const passwordRoutes = ({
  config: { publicUrl },
  database,
  seal,
  onError,
}: Pick<Service, "config" | "database" | "seal" | "onError">): readonly Route[] => [
  open(o.sendPasswordLink, async ({ input, address }) => {
    await sendPasswordLink({ database, seal, publicUrl, onError }, { ...input, address });
    return ok;
  }),
  open(o.signInWithNewPassword, async ({ input, address, userAgent, cookies }) => {
    const { renewal, device, ...session } = await signInWithNewPassword(
      { database, seal, publicUrl, onError },
      { ...input, address, userAgent, devices: cookies.device.values() },
    );
    cookies.renewal.set(renewal);
    cookies.device.set(device);
    return { ...ok, ...session };
  }),
  open(o.choosePassword, async ({ input, address, userAgent }) => {
    const chosen = await choosePassword({ database, seal }, { ...input, address, userAgent });
    return { ...ok, ...chosen };
  }),
];
