import { Text } from "@mantine/core";
import type { Person } from "../../contract/people/access.ts";
import { t } from "../texts/index.ts";
import { Dialog } from "./dialog.tsx";
import { SignInForm } from "./sign-in-form.tsx";

/** Appears over the open page, so that nothing typed there is lost. */
export const SessionEnded = ({ user }: { readonly user: Person }) => (
  <Dialog title={t.signIn.endedTitle} onClose={() => {}} firm>
    <Text size="sm" mb="md">
      {t.signIn.ended}
    </Text>
    <SignInForm login={user.email} />
  </Dialog>
);
