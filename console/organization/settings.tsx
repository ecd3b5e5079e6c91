import {
  Button,
  ColorInput,
  NativeSelect,
  NumberInput,
  Skeleton,
  Switch,
  TextInput,
} from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import {
  factorFor,
  firstPasswords,
  type OrganizationSettings,
  type OwnersMay,
  organizationSettings,
} from "../../contract/kit/organization-settings.ts";
import { parley, serviceVersion } from "../kit/client.ts";
import css from "../kit/form.module.css";
import { useForm } from "../kit/form.ts";
import { EditForm, FormGroup } from "../kit/form-parts.tsx";
import { offeredLanguages } from "../kit/language.ts";
import { languageChoices } from "../kit/language-select.tsx";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { useOrganization } from "../kit/queries.ts";
import { useFileSave } from "../kit/save-file.ts";
import { choiceWords, rangeOf } from "../kit/schema.ts";
import { dayOf } from "../kit/show.ts";
import { speechChoices } from "../kit/speech-choices.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { LogoField } from "./logo-field.tsx";

const texts = t.settings;

interface RatingGroupProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Returns whether people are asked after a meeting how good the connection was. */
const RatingGroup = ({ isOn, onChange }: RatingGroupProps) => (
  <FormGroup id="meetings" title={texts.meetings}>
    <Switch
      name="rateMeetings"
      label={texts.labels.rateMeetings}
      description={texts.rateMeetingsHelp}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </FormGroup>
);

/** The settings for retention. */
const keptDays = ["recordingDays", "meetingDays", "letterDays", "historyDays"] as const;
/** Suggested colors that are readable in both schemes. */
const swatches = [
  "#3b5bb5",
  "#1c7a6b",
  "#2f6f4f",
  "#7a5a00",
  "#a6431f",
  "#a3264f",
  "#7a3b9e",
  "#445066",
];
type Days = (typeof keptDays)[number] | "binDays";

/** The page's fields: the settings, and the name. */
type Edited = OrganizationSettings & { readonly name: string };

const labels: Readonly<Record<keyof Edited, string>> = { ...texts.labels, name: texts.name };

const Editing = ({ settings }: { readonly settings: Edited }) => {
  const form = useForm(settings, labels);
  const edit = useChange(parley.editOrganization);
  const guard = useLeaveGuard(form.dirty);
  // Newer settings arrived in the background: a form without changes shows them.
  const latest = useRef(form);
  latest.current = form;
  useEffect(() => {
    const { dirty, base, accept } = latest.current;
    if (!dirty) accept(settings, base);
  }, [settings]);
  const save = useOnce(async () => {
    if (!form.dirty) return;
    try {
      const saved = await edit.mutateAsync(form.changes);
      form.accept({ ...saved.settings, name: saved.name }, form.values);
      notify({ text: texts.saved });
    } catch (failure) {
      form.fail(failure);
    }
  });
  const { edit: rights } = organizationSettings.ownersMay;
  const days = (name: Days) => (
    <NumberInput
      key={name}
      name={name}
      label={texts.labels[name]}
      description={texts.daysHelp[name]}
      {...rangeOf(organizationSettings[name].edit)}
      clampBehavior="none"
      allowDecimal={false}
      placeholder={texts.noDays[name === "binDays" ? "bin" : "kept"]}
      value={form.values[name] ?? ""}
      error={form.errors[name]}
      onChange={(value) => form.set(name, value === "" ? null : (value as number))}
    />
  );
  return (
    <EditForm
      form={form}
      save={texts.save}
      cancelTo="/"
      isNew={false}
      busy={edit.isPending}
      onSubmit={() => void save()}
    >
      <FormGroup id="look" title={texts.look} help={texts.lookHelp}>
        <TextInput
          className={css.wide ?? ""}
          name="name"
          label={texts.name}
          value={form.values.name}
          error={form.errors.name}
          onChange={(event) => form.set("name", event.currentTarget.value)}
        />
        <LogoField />
        <ColorInput
          name="accentColor"
          label={texts.labels.accentColor}
          description={texts.accentHelp}
          format="hex"
          withPreview={Boolean(form.values.accentColor)}
          withPicker={false}
          withEyeDropper={false}
          swatches={swatches}
          swatchesPerRow={8}
          placeholder="#3b5bb5"
          value={form.values.accentColor ?? ""}
          error={form.errors.accentColor}
          onChange={(value) => form.set("accentColor", value || null)}
        />
        {(["privacyLink", "imprintLink"] as const).map((name) => (
          <TextInput
            key={name}
            name={name}
            type="url"
            label={texts.labels[name]}
            description={texts.linkHelp[name]}
            value={form.values[name] ?? ""}
            error={form.errors[name]}
            onChange={(event) => form.set(name, event.currentTarget.value || null)}
          />
        ))}
      </FormGroup>
      <FormGroup id="languages" title={t.account.labels.language}>
        {offeredLanguages.length > 1 && (
          <NativeSelect
            name="language"
            label={texts.labels.language}
            description={texts.languageHelp}
            data={languageChoices}
            value={form.values.language}
            error={form.errors.language}
            onChange={(event) =>
              form.set("language", event.currentTarget.value as OrganizationSettings["language"])
            }
          />
        )}
        <NativeSelect
          name="speechLanguage"
          label={texts.labels.speechLanguage}
          description={texts.speechLanguageHelp}
          data={[{ value: "", label: texts.speechDetected }, ...speechChoices]}
          value={form.values.speechLanguage ?? ""}
          error={form.errors.speechLanguage}
          onChange={(event) =>
            form.set(
              "speechLanguage",
              (event.currentTarget.value || null) as OrganizationSettings["speechLanguage"],
            )
          }
        />
      </FormGroup>
      <FormGroup id="kept" title={texts.kept} help={texts.keptHelp}>
        {keptDays.map(days)}
      </FormGroup>
      <FormGroup id="bin" title={t.bin.settings.title} help={t.bin.settings.help}>
        {days("binDays")}
        <NativeSelect
          name="binFor"
          label={texts.labels.binFor}
          value={form.values.binFor}
          error={form.errors.binFor}
          onChange={(event) =>
            form.set("binFor", event.currentTarget.value as OrganizationSettings["binFor"])
          }
          data={(["console", "everything"] as const).map((value) => ({
            value,
            label: t.bin.settings.choices[value],
          }))}
        />
      </FormGroup>
      <FormGroup id="rights" title={texts.rights} help={texts.rightsHelp}>
        <NativeSelect
          name="ownersMay"
          label={texts.labels.ownersMay}
          description={texts.ownersMayHelp}
          data={choiceWords(rights).map((word) => ({
            value: word,
            label: texts.ownersMay[word as OwnersMay],
          }))}
          value={form.values.ownersMay}
          error={form.errors.ownersMay}
          onChange={(event) => form.set("ownersMay", event.currentTarget.value as OwnersMay)}
        />
      </FormGroup>
      <FormGroup id="sign-in" title={texts.signIn} help={texts.signInHelp}>
        <NativeSelect
          name="firstPasswords"
          label={texts.labels.firstPasswords}
          description={texts.firstPasswordsHelp}
          data={firstPasswords.map((value) => ({ value, label: texts.firstPasswords[value] }))}
          value={form.values.firstPasswords}
          error={form.errors.firstPasswords}
          onChange={(event) =>
            form.set(
              "firstPasswords",
              event.currentTarget.value as OrganizationSettings["firstPasswords"],
            )
          }
        />
        <Switch
          name="mustChoosePassword"
          label={texts.labels.mustChoosePassword}
          checked={form.values.mustChoosePassword}
          onChange={(event) => form.set("mustChoosePassword", event.currentTarget.checked)}
        />
        <NativeSelect
          name="secondFactorFor"
          label={texts.labels.secondFactorFor}
          data={factorFor.map((value) => ({ value, label: texts.secondFactorFor[value] }))}
          value={form.values.secondFactorFor}
          error={form.errors.secondFactorFor}
          onChange={(event) =>
            form.set(
              "secondFactorFor",
              event.currentTarget.value as OrganizationSettings["secondFactorFor"],
            )
          }
        />
      </FormGroup>
      <RatingGroup
        isOn={form.values.rateMeetings}
        onChange={(isOn) => form.set("rateMeetings", isOn)}
      />
      {guard.question}
    </EditForm>
  );
};

/** Downloads everything in the organization, as one archive. */
const TakeOut = () => {
  const { busy, save } = useFileSave();
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={busy}
      onClick={() => void save(`organization-${dayOf()}.zip`, () => parley.exportOrganization())}
    >
      {texts.takeOut}
    </Button>
  );
};

/** The version of this Parley. */
const Version = () => {
  const { data } = useQuery({
    queryKey: ["version"],
    queryFn: ({ signal }) => serviceVersion(signal),
  });
  return data && <p className="dimmed small">{texts.version(data)}</p>;
};

/** The settings of the organization, for its administrators. */
export const SettingsPage = () => {
  const { data, error, refetch } = useOrganization();
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} actions={<TakeOut />} />
      {data ? (
        <Editing settings={{ ...data.settings, name: data.name }} />
      ) : error ? (
        <div className="card">
          <Failed failure={error} retry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton height={240} radius="md" />
      )}
      <Version />
    </>
  );
};
