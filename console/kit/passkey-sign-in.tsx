import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { t } from "../texts/index.ts";
import { askPasskey, canOfferPasskeys, canUsePasskeys } from "./passkeys.ts";
import { passkeyOptions, startByPasskey } from "./session.ts";
import { useOnce } from "./use-once.ts";

/** Before what is to be signed ends, it is asked for again. */
const RENEW_MS = 4 * 60_000;

interface Props {
  /** Of a first step by the password: the passkey is the second one. */
  readonly ticket?: string;
  readonly onStart: () => void;
  readonly onDone: (() => void) | undefined;
  readonly onFailure: (failure: unknown) => void;
}

/** A button that signs in by a passkey; beside it, the browser may offer one where a name is typed. */
export const PasskeySignIn = ({ ticket, onStart, onDone, onFailure }: Props) => {
  const offering = useRef<AbortController>(undefined);
  const [isOffered, setOffered] = useState(0);
  const [busy, setBusy] = useState(false);
  // A second step is for accounts that may have none.
  const [options, setOptions] = useState<Record<string, unknown>>();

  useEffect(() => {
    if (!canUsePasskeys()) return;
    const stop = new AbortController();
    offering.current = stop;
    const offer = async () => {
      if (ticket !== undefined) return setOptions(await passkeyOptions(ticket));
      if (!(await canOfferPasskeys()) || stop.signal.aborted) return;
      const chosen = await askPasskey(await passkeyOptions(), {
        offered: true,
        signal: stop.signal,
      });
      if (chosen === undefined) return;
      try {
        await startByPasskey(chosen);
        onDone?.();
      } catch (failure) {
        onFailure(failure);
        setOffered((times) => times + 1);
      }
    };
    // Without passkeys or without the service, the page is as it is without them.
    offer().catch(() => {});
    const timer = setTimeout(() => setOffered((times) => times + 1), RENEW_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ticket, isOffered]);

  const submit = useOnce(async () => {
    offering.current?.abort();
    onStart();
    setBusy(true);
    try {
      const chosen = await askPasskey(options ?? (await passkeyOptions()));
      if (chosen !== undefined) {
        await startByPasskey(chosen, ticket);
        onDone?.();
      }
    } catch (failure) {
      onFailure(failure);
    } finally {
      setBusy(false);
      setOffered((times) => times + 1);
    }
  });
  if (!canUsePasskeys() || (ticket !== undefined && options === undefined)) return null;
  return (
    <Button variant="default" fullWidth loading={busy} onClick={() => void submit()}>
      {ticket === undefined ? t.passkeys.signIn : t.passkeys.use}
    </Button>
  );
};
