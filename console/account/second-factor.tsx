import { Button, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, type ReactNode, useState } from "react";
import { encode } from "uqr";
import { parley, sayFailure } from "../kit/client.ts";
import { CopyButton } from "../kit/copy.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import form from "../kit/form.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { notify } from "../kit/notices.tsx";
import { Secret } from "../kit/secrets.tsx";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useSubmit } from "../kit/use-submit.ts";
import { t } from "../texts/index.ts";
import css from "./second-factor.module.css";

const texts = t.secondFactor;

/** The question of a dialog, and what it does with the answer. */
interface AskForProps {
  readonly title: string;
  readonly help: string;
  readonly label: string;
  readonly submit: string;
  /** The first value of the field; without it, the field is for a code. */
  readonly initial?: string;
  readonly onSubmit: (value: string) => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A dialog with one field; after a failure it stays open and shows the reason. */
export const AskFor = (props: AskForProps) => {
  const { title, help, label, submit, initial, onSubmit, onClose, children } = props;
  const [value, setValue] = useState(initial ?? "");
  const asking = useSubmit(
    () => onSubmit(value),
    () => value.trim() !== "",
  );
  const field = {
    label,
    value,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setValue(event.currentTarget.value),
    "data-autofocus": true,
  };
  return (
    <Dialog title={title} onClose={onClose} firm="outside">
      <form noValidate onSubmit={asking.onSubmit}>
        <Stack gap="md">
          <Text size="sm">{help}</Text>
          {children}
          <TextInput
            {...field}
            autoComplete={initial === undefined ? "one-time-code" : "off"}
            spellCheck={false}
          />
          <FailureNote failure={asking.failure} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={asking.busy}>
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};

/** The address of an app's secret as a picture, made in the page. */
const QrCode = ({ text }: { readonly text: string }) => {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg viewBox={`0 0 ${size} ${size}`} className={css.qr} role="img" aria-label={texts.qr}>
      <path d={path} />
    </svg>
  );
};

type Step =
  | { readonly kind: "app"; readonly secret: string; readonly uri: string }
  | { readonly kind: "codes"; readonly codes: readonly string[] };

/** Shows new recovery codes. */
export const CodesDialog = ({
  codes,
  onClose,
}: {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}) => (
  <Dialog title={texts.codesTitle} onClose={onClose} firm>
    <Stack gap="md">
      <Text size="sm">{texts.codesHelp}</Text>
      <ul className={css.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" gap="sm">
        <CopyButton text={codes.join("\n")} label={texts.copyCodes} />
        <Button onClick={onClose} data-autofocus>
          {t.actions.done}
        </Button>
      </Group>
    </Stack>
  </Dialog>
);

/** The second factor of the signed-in person. */
export const SecondFactor = ({ onSetUp }: { readonly onSetUp?: () => void }) => {
  const [step, setStep] = useState<Step>();
  const { data, error, refetch } = useQuery({
    queryKey: ["factors"],
    queryFn: ({ signal }) => parley.fetchFactors({}, { signal }),
  });
  const begin = useChange(parley.beginAuthenticator);
  const confirm = useChange(parley.confirmAuthenticator);
  const remove = useChange(parley.removeAuthenticator);
  const renew = useChange(parley.makeRecoveryCodes);
  const hasApp = (data?.authenticatorSince ?? null) !== null;
  const close = () => setStep(undefined);

  /** Makes a change; says why if it is refused. */
  const run = async (change: () => Promise<void>): Promise<void> => {
    try {
      await change();
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  };
  const setUp = async () => setStep({ kind: "app", ...(await begin.mutateAsync({})) });
  const makeCodes = async () =>
    setStep({ kind: "codes", codes: (await renew.mutateAsync({})).recoveryCodes });
  const removeApp = async () => {
    await remove.mutateAsync({});
    close();
    notify({ text: texts.removed });
  };

  return (
    <FormGroup id="security" title={texts.title} help={texts.help}>
      {data ? (
        <div className={`${css.state} ${form.wide}`}>
          {hasApp ? (
            <>
              <p>{texts.since(showMoment(data.authenticatorSince ?? ""))}</p>
              <p className="dimmed small">{texts.left(data.recoveryCodes)}</p>
              <Group gap="sm">
                <Button variant="default" onClick={() => void run(makeCodes)}>
                  {texts.newCodes}
                </Button>
                <Button variant="default" onClick={() => void run(removeApp)}>
                  {texts.remove}
                </Button>
              </Group>
            </>
          ) : (
            <Button variant="default" onClick={() => void run(setUp)}>
              {texts.setUp}
            </Button>
          )}
        </div>
      ) : error ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={60} radius="md" />
      )}
      {step?.kind === "app" && (
        <AskFor
          title={texts.setUp}
          help={texts.scan}
          label={texts.code}
          submit={texts.confirm}
          onSubmit={async (code) => {
            const { recoveryCodes } = await confirm.mutateAsync({ code });
            setStep({ kind: "codes", codes: recoveryCodes });
          }}
          onClose={close}
        >
          <QrCode text={step.uri} />
          <Secret label={texts.secret} value={step.secret} />
        </AskFor>
      )}
      {step?.kind === "codes" && (
        <CodesDialog
          codes={step.codes}
          onClose={() => {
            close();
            onSetUp?.();
          }}
        />
      )}
    </FormGroup>
  );
};
