import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../kit/dialog.tsx";
import { said } from "../../kit/said.tsx";
import { useSession } from "../../kit/session.ts";
import { SignInForm } from "../../kit/sign-in-form.tsx";
import { m } from "../../texts/meet.ts";
import { roomHere } from "../address.ts";

/**
 * For a person who may have an account in the room's organization. The page then asks again what
 * its link opens.
 */
export const SignIn = () => {
  const session = useSession();
  const isSignedIn = session.state === "signed in";
  const [isOpen, setOpen] = useState(false);
  return (
    <p className="dimmed small">
      {isSignedIn ? said(m.before.signedInAs(session.user.name)) : m.before.signInFirst}{" "}
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {isSignedIn ? m.before.otherAccount : m.before.signIn}
      </Button>
      {isOpen && (
        <Dialog title={m.before.signInTitle} onClose={() => setOpen(false)}>
          <SignInForm room={roomHere()} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </p>
  );
};
