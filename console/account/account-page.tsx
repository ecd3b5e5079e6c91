import { NativeSelect, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ColorScheme, colorSchemes } from "../../contract/kit/plain.ts";
import type { Account } from "../../contract/people/account.ts";
import { applyAccount } from "../kit/account.ts";
import { parley } from "../kit/client.ts";
import { useForm } from "../kit/form.ts";
import { EditForm, FormGroup } from "../kit/form-parts.tsx";
import {
  browserLanguage,
  chooseLanguage,
  nameOfLanguage,
  offeredLanguages,
} from "../kit/language.ts";
import { languageChoices } from "../kit/language-select.tsx";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { renamed } from "../kit/session.ts";
import { zoneChoices } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { Passkeys } from "./passkeys.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";

const texts = t.account;

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

type Own = Pick<Account, "name" | "timeZone" | "language" | "colorScheme">;

const ownOf = ({ name, timeZone, language, colorScheme }: Account): Own => ({
  name,
  timeZone,
  language,
  colorScheme,
});

const Editing = ({ account }: { readonly account: Account }) => {
  const form = useForm<Own>(ownOf(account), texts.labels);
  const edit = useChange(parley.editAccount);
  const guard = useLeaveGuard(form.dirty);
  const save = useOnce(async () => {
    if (!form.dirty) return;
    try {
      const saved = await edit.mutateAsync(form.changes);
      form.accept(ownOf(saved.account), form.values);
      renamed(saved.account.name);
      applyAccount(saved.account);
      notify({ text: texts.saved });
      if ("language" in form.changes) {
        chooseLanguage(saved.account.language, { isOfAccount: true });
      }
    } catch (failure) {
      form.fail(failure);
    }
  });
  return (
    <EditForm
      form={form}
      save={texts.save}
      cancelTo="/"
      isNew={false}
      busy={edit.isPending}
      onSubmit={() => void save()}
    >
      <FormGroup id="about" title={texts.about} help={texts.aboutHelp}>
        <TextInput
          name="name"
          label={texts.labels.name}
          description={texts.nameHelp}
          autoComplete="name"
          value={form.values.name}
          error={form.errors.name}
          onChange={(event) => form.set("name", event.currentTarget.value)}
        />
        <NativeSelect
          name="timeZone"
          label={texts.labels.timeZone}
          description={texts.timeZoneHelp}
          data={[
            { value: "", label: texts.browserZone(browserZone) },
            ...zoneChoices(form.values.timeZone),
          ]}
          value={form.values.timeZone ?? ""}
          error={form.errors.timeZone}
          onChange={(event) => form.set("timeZone", event.currentTarget.value || null)}
        />
        {offeredLanguages.length > 1 && (
          <NativeSelect
            name="language"
            label={texts.labels.language}
            description={texts.languageHelp}
            data={[
              { value: "", label: texts.browserLanguage(nameOfLanguage(browserLanguage())) },
              ...languageChoices,
            ]}
            value={form.values.language ?? ""}
            error={form.errors.language}
            onChange={(event) =>
              form.set("language", (event.currentTarget.value || null) as Own["language"])
            }
          />
        )}
        <NativeSelect
          name="colorScheme"
          label={texts.labels.colorScheme}
          data={colorSchemes.map((value) => ({ value, label: texts.colorSchemes[value] }))}
          value={form.values.colorScheme}
          error={form.errors.colorScheme}
          onChange={(event) => form.set("colorScheme", event.currentTarget.value as ColorScheme)}
        />
      </FormGroup>
      <Passkeys />
      <SecondFactor />
      <Sessions />
      {guard.question}
    </EditForm>
  );
};

/** A person's own settings, and the places where they are signed in. */
export const AccountPage = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["account"],
    queryFn: async ({ signal }) => (await parley.fetchAccount({}, { signal })).account,
  });
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      {data ? (
        <Editing account={data} />
      ) : error ? (
        <div className="card">
          <Failed failure={error} retry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton height={240} radius="md" />
      )}
    </>
  );
};
