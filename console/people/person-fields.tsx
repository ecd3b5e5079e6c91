import { Autocomplete, Switch, TagsInput, TextInput } from "@mantine/core";
import { createUser } from "../../contract/users.ts";
import type { useForm } from "../data/form.ts";
import { useOrganization } from "../data/queries.ts";
import { defaultOf, helpOf, longest } from "../data/schema.ts";
import { FormGroup } from "../parts/form-parts.tsx";
import css from "../styles/form.module.css";
import { t } from "../texts/index.ts";

const { shape } = createUser.input;
type FieldName = keyof typeof shape;

/** A person as the forms hold it. */
export interface PersonValues {
  readonly email: string;
  readonly name: string;
  readonly location: string | null;
  readonly role: string;
  readonly tags: readonly string[];
  readonly admin: boolean;
  readonly meetNowEnabled: boolean;
  readonly displayRating: boolean;
}

export const newPerson: PersonValues = {
  email: "",
  name: "",
  ...(Object.fromEntries(
    (["location", "role", "tags", "admin", "meetNowEnabled", "displayRating"] as const).map(
      (name) => [name, defaultOf(shape[name])],
    ),
  ) as Omit<PersonValues, "email" | "name">),
};

const sayDefault = (value: unknown): string =>
  value === true
    ? t.form.on
    : value === false
      ? t.form.off
      : value === null || value === "" || (Array.isArray(value) && value.length === 0)
        ? t.form.none
        : String(value);

/** The contract's sentence of help and default. */
const describe = (name: FieldName): string =>
  `${helpOf(shape[name]) ?? ""} ${t.form.default(sayDefault(defaultOf(shape[name])))}`;

const limited = (name: FieldName) => {
  const length = longest(shape[name]);
  return length === undefined ? {} : { maxLength: length };
};

type Flag = "admin" | "meetNowEnabled" | "displayRating";

export const PersonFields = ({
  form,
}: {
  readonly form: ReturnType<typeof useForm<PersonValues>>;
}) => {
  const roles = useOrganization().data?.roles ?? [];
  const { values, errors, set } = form;
  const flag = (name: Flag) => (
    <Switch
      label={t.people.labels[name]}
      aria-label={t.people.labels[name]}
      description={describe(name)}
      className={css.switch ?? ""}
      checked={values[name]}
      onChange={(event) => set(name, event.currentTarget.checked)}
      error={errors[name]}
    />
  );
  return (
    <>
      <FormGroup id="details" title={t.people.details}>
        <TextInput
          label={t.people.labels.name}
          description={t.people.nameHelp}
          withAsterisk
          autoComplete="off"
          {...limited("name")}
          value={values.name}
          onChange={(event) => set("name", event.currentTarget.value)}
          error={errors.name}
        />
        <TextInput
          label={t.people.labels.email}
          description={t.people.emailHelp}
          withAsterisk
          type="email"
          autoComplete="off"
          {...limited("email")}
          value={values.email}
          onChange={(event) => set("email", event.currentTarget.value)}
          error={errors.email}
        />
        <Autocomplete
          label={t.people.labels.role}
          description={describe("role")}
          data={roles}
          {...limited("role")}
          value={values.role}
          onChange={(role) => set("role", role)}
          error={errors.role}
        />
        <TextInput
          label={t.people.labels.location}
          description={describe("location")}
          autoComplete="off"
          {...limited("location")}
          value={values.location ?? ""}
          onChange={(event) => set("location", event.currentTarget.value || null)}
          error={errors.location}
        />
        <div className={css.wide}>{flag("admin")}</div>
      </FormGroup>
      <FormGroup id="meetings" title={t.people.meetings}>
        {flag("meetNowEnabled")}
        {flag("displayRating")}
        <div className={css.wide}>
          <TagsInput
            label={t.people.labels.tags}
            description={describe("tags")}
            placeholder={t.people.tagsPlaceholder}
            value={[...values.tags]}
            onChange={(tags) => set("tags", tags)}
            error={errors.tags}
          />
        </div>
      </FormGroup>
    </>
  );
};
