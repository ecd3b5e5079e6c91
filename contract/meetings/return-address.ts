import { webAddress } from "../kit/fields.ts";
import { says } from "../kit/reasons.ts";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Whether nobody on the way can read or change what is at an address. */
const isPrivate = (address: string): boolean => {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || LOOPBACK.test(hostname);
};

/** Where somebody goes on after a meeting. */
export const returnAddress = () =>
  webAddress().refine(isPrivate, {
    error: says("not_https_address"),
    when: ({ issues }) => issues.length === 0,
  });
