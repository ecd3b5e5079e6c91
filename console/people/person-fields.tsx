import type { useForm } from "../kit/form.ts";
import { FormGroup } from "../kit/form-parts.tsx";
import { languageChoices } from "../kit/language-select.tsx";
import { useOrganization } from "../kit/queries.ts";
import { SchemaField } from "../kit/schema-field.tsx";
import { wordIn } from "../kit/words.ts";
import { t } from "../texts/index.ts";
import { initialOf, type PersonField, type PersonValues, personSchemas } from "./person-values.ts";

type GroupName = "details" | "meetings";

/** The group of each field, in the order of the form; a field without a group is a compile error. */
const groupOf: Record<PersonField, GroupName> = {
  name: "details",
  email: "details",
  role: "details",
  language: "details",
  location: "details",
  admin: "details",
  mustChoosePassword: "details",
  meetNowEnabled: "meetings",
  displayRating: "meetings",
  tags: "meetings",
};

const groups = (["details", "meetings"] as const).map((group) => ({
  group,
  fields: (Object.keys(groupOf) as PersonField[]).filter((name) => groupOf[name] === group),
}));

const languages = {
  "": t.people.ownLanguage,
  ...Object.fromEntries(languageChoices.map(({ value, label }) => [value, label])),
};

interface PersonFieldsProps {
  readonly form: Pick<ReturnType<typeof useForm<PersonValues>>, "values" | "errors" | "set">;
  /** True if the person chooses the first password by a link, so that no other one can be demanded. */
  readonly byLink?: boolean;
}

/** The fields of a person in their groups, made from the contract. */
export const PersonFields = ({
  form: { values, errors, set },
  byLink = false,
}: PersonFieldsProps) => {
  const isShown = (name: PersonField) => !(byLink && name === "mustChoosePassword");
  const roles = useOrganization().data?.roles ?? [];
  return groups.map(({ group, fields }) => (
    <FormGroup key={group} id={group} title={t.people.groups[group]}>
      {fields.filter(isShown).map((name) => (
        <SchemaField
          key={name}
          name={name}
          schema={personSchemas[name]}
          label={t.people.labels[name]}
          help={wordIn(t.people.help, name)}
          required={initialOf(name) === undefined}
          value={values[name]}
          error={errors[name]}
          onChange={(value) => set(name, value as never)}
          {...(name === "role" ? { suggestions: roles } : {})}
          {...(name === "language" ? { choices: languages } : {})}
        />
      ))}
    </FormGroup>
  ));
};
