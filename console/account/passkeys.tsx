import { Button, Group, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Bowser from "bowser";
import { useState } from "react";
import type { Passkey } from "../../contract/people/passkeys.ts";
import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import form from "../kit/form.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { notify } from "../kit/notices.tsx";
import { canUsePasskeys, makePasskey } from "../kit/passkeys.ts";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import { AskFor, CodesDialog } from "./second-factor.tsx";
import css from "./sessions.module.css";

const texts = t.passkeys;

type Step =
  | { readonly kind: "add" }
  | { readonly kind: "rename" | "remove"; readonly passkey: Passkey }
  | { readonly kind: "codes"; readonly codes: readonly string[] };

/** The name that a new passkey gets first. */
const nameHere = (): string => {
  const { browser, os } = Bowser.parse(navigator.userAgent);
  return browser.name && os.name ? t.account.browser(browser.name, os.name) : texts.one;
};

const Row = ({
  passkey,
  onStep,
}: {
  readonly passkey: Passkey;
  readonly onStep: (step: Step) => void;
}) => {
  const { name, createdAt, usedAt } = passkey;
  const since = showMoment(createdAt);
  return (
    <li className={css.session}>
      <div>
        <bdi className={css.browser}>{name}</bdi>
        <span className={`dimmed small ${css.since}`}>
          {usedAt === null ? texts.added(since) : texts.used(since, showMoment(usedAt))}
        </span>
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onStep({ kind: "rename", passkey })}
          aria-label={texts.renameNamed(name)}
        >
          {texts.rename}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => onStep({ kind: "remove", passkey })}
          aria-label={texts.removeNamed(name)}
        >
          {texts.remove}
        </Button>
      </Group>
    </li>
  );
};

/** The passkeys of the signed-in person. */
export const Passkeys = ({ onSetUp }: { readonly onSetUp?: () => void }) => {
  const [step, setStep] = useState<Step>();
  const { data, error, refetch } = useQuery({
    queryKey: ["passkeys"],
    queryFn: async ({ signal }) => (await parley.listPasskeys({}, { signal })).passkeys,
  });
  const add = useChange(parley.addPasskey);
  const rename = useChange(parley.renamePasskey);
  const remove = useChange(parley.removePasskey);
  const close = () => setStep(undefined);
  const done = () => {
    close();
    onSetUp?.();
  };
  const addNamed = async (name: string): Promise<void> => {
    const passkey = await makePasskey((await parley.beginPasskey({})).options);
    if (passkey === undefined) return;
    const { recoveryCodes } = await add.mutateAsync({ name, passkey });
    notify({ text: texts.isAdded });
    if (recoveryCodes.length > 0) setStep({ kind: "codes", codes: recoveryCodes });
    else done();
  };

  return (
    <FormGroup id="passkeys" title={texts.title} help={texts.help}>
      {data ? (
        <ul className={`${css.sessions} ${form.wide}`}>
          {data.map((passkey) => (
            <Row key={passkey.id} passkey={passkey} onStep={setStep} />
          ))}
        </ul>
      ) : error ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={60} radius="md" />
      )}
      {canUsePasskeys() ? (
        <Button
          variant="default"
          onClick={() => setStep({ kind: "add" })}
          className={css.others ?? ""}
        >
          {texts.add}
        </Button>
      ) : (
        <p className="dimmed small">{texts.notHere}</p>
      )}
      {step?.kind === "add" && (
        <AskFor
          title={texts.add}
          help={texts.nameHelp}
          label={texts.name}
          submit={t.secondFactor.continue}
          initial={nameHere()}
          onSubmit={addNamed}
          onClose={close}
        />
      )}
      {step?.kind === "rename" && (
        <AskFor
          title={texts.renameNamed(step.passkey.name)}
          help={texts.nameHelp}
          label={texts.name}
          submit={t.actions.save}
          initial={step.passkey.name}
          onSubmit={async (name) => {
            await rename.mutateAsync({ id: step.passkey.id, name });
            close();
          }}
          onClose={close}
        />
      )}
      {step?.kind === "remove" && (
        <Confirm
          title={texts.removeTitle(step.passkey.name)}
          confirm={texts.remove}
          danger
          onConfirm={async () => {
            await remove.mutateAsync({ id: step.passkey.id });
            notify({ text: texts.isRemoved });
          }}
          onClose={close}
        >
          {texts.removeHelp}
        </Confirm>
      )}
      {step?.kind === "codes" && <CodesDialog codes={step.codes} onClose={done} />}
    </FormGroup>
  );
};
