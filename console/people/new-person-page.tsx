import { TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Reply } from "../../contract/kit/operation.ts";
import { createUser } from "../../contract/people/users.ts";
import { base } from "../kit/base.ts";
import { parley } from "../kit/client.ts";
import css from "../kit/form.module.css";
import { asTyped, useForm } from "../kit/form.ts";
import { EditForm, FormGroup } from "../kit/form-parts.tsx";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { useMailLeaves } from "../kit/mail-notice.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { longest } from "../kit/schema.ts";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { CredentialsDialog } from "./credentials-dialog.tsx";
import { PersonFields } from "./person-fields.tsx";
import { emailTaken, newPerson } from "./person-values.ts";

const LENGTH = longest(createUser.input.shape.loginUrl);
const { labels } = t.people;

/** A new account; its username and password are shown once. */
export const NewPersonPage = () => {
  const navigate = useNavigate();
  const form = useForm({ ...newPerson, loginUrl: `${location.origin}${base}/` }, labels);
  const guard = useLeaveGuard(form.dirty);
  const create = useChange(parley.createUser);
  const leaves = useMailLeaves();
  const [made, setMade] = useState<Reply<typeof createUser>>();

  const submit = useOnce(async () => {
    // The answer may arrive between two clicks.
    if (made !== undefined) return;
    try {
      const values = asTyped(form.values);
      const tags = [...values.tags];
      // Without a mail server, the administrator hands the password over.
      const answer = await create.mutateAsync({
        ...values,
        tags,
        passwordByLink: leaves === true,
        // Off, as the organization has chosen.
        mustChoosePassword: values.mustChoosePassword || undefined,
      });
      guard.release();
      if (answer.password === "") {
        notify({ text: t.people.credentials.link(answer.user.email) });
        void navigate("/people");
      } else setMade(answer);
    } catch (failure) {
      form.fail(failure, emailTaken(failure));
    }
  });

  return (
    <>
      <PageHeader title={t.people.newTitle} />
      <EditForm
        form={form}
        save={t.people.saveNew}
        cancelTo="/people"
        isNew
        busy={create.isPending}
        onSubmit={() => void submit()}
      >
        <PersonFields
          form={form as unknown as Parameters<typeof PersonFields>[0]["form"]}
          byLink={leaves === true}
        />
        <FormGroup id="welcome" title={t.people.welcome}>
          <div className={css.wide}>
            <TextInput
              label={labels.loginUrl}
              description={t.people.help.loginUrl}
              withAsterisk
              type="url"
              {...(LENGTH === undefined ? {} : { maxLength: LENGTH })}
              value={form.values.loginUrl}
              onChange={(event) => form.set("loginUrl", event.currentTarget.value)}
              error={form.errors.loginUrl}
            />
          </div>
        </FormGroup>
      </EditForm>
      {guard.question}
      {made && (
        <CredentialsDialog
          title={t.people.credentials.created(made.user.name)}
          email={made.user.email}
          username={made.user.username}
          password={made.password}
          onClose={() => void navigate("/people")}
        />
      )}
    </>
  );
};
