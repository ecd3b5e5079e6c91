import { useState } from "react";
import { passwordLength } from "../../contract/kit/plain.ts";
import { t } from "../texts/index.ts";
import { errorAt } from "./form.ts";
import { PasswordField } from "./password-field.tsx";
import { useSubmit } from "./use-submit.ts";

/**
 * A form for a new password, typed twice.
 *
 * @param change sends it; called only if both entries match, and one call at a time
 */
export const useNewPassword = (change: (next: string) => Promise<void>) => {
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const [differs, setDiffers] = useState(false);
  const { busy, failure, onSubmit } = useSubmit(
    () => change(next),
    () => {
      setDiffers(next !== again);
      return next === again;
    },
  );
  return { next, setNext, again, setAgain, differs, busy, failure, onSubmit };
};

/** The service's objection to the new password; undefined without one. */
export const newPasswordError = (failure: unknown): string | undefined =>
  errorAt(failure, "newPassword", t.password.next);

interface NewPasswordProps {
  readonly form: ReturnType<typeof useNewPassword>;
  /** The service's objection to the password. */
  readonly error: string | undefined;
  readonly autoFocus?: boolean;
}

/** The two fields of such a form. */
export const NewPassword = ({ form, error, autoFocus = false }: NewPasswordProps) => (
  <>
    <PasswordField
      label={t.password.next}
      description={t.password.length(passwordLength.min, passwordLength.max)}
      autoComplete="new-password"
      autoFocus={autoFocus}
      value={form.next}
      onChange={(event) => form.setNext(event.currentTarget.value)}
      error={error}
    />
    <PasswordField
      label={t.password.again}
      autoComplete="new-password"
      value={form.again}
      onChange={(event) => form.setAgain(event.currentTarget.value)}
      error={form.differs ? t.password.differs : undefined}
    />
  </>
);
