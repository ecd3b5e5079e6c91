import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../parts/dialog.tsx";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { m } from "../../texts/meet.ts";

/** For somebody who may have an account. The page then asks again what its link opens. */
export const SignIn = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <p className="dimmed small">
      {m.before.signInFirst}{" "}
      <Button variant="subtle" size="compact-sm" onClick={() => setOpen(true)}>
        {m.before.signIn}
      </Button>
      {isOpen && (
        <Dialog title={m.before.signInTitle} onClose={() => setOpen(false)}>
          <SignInForm />
        </Dialog>
      )}
    </p>
  );
};
