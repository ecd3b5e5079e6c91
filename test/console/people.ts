import type { ConsoleService } from "./service.ts";

const loginUrl = "https://meet.example.org/";
let count = 0;

/** Creates a person through the interface. */
export const createPerson = async (
  { client }: ConsoleService,
  name: string,
  more: { readonly role?: string; readonly admin?: boolean; readonly language?: "it" } = {},
) => {
  count += 1;
  const { user, password } = await client.createUser({
    name,
    email: `person.${count}@example.org`,
    loginUrl,
    ...more,
  });
  return { ...user, password };
};
