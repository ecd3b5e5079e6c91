import { Skeleton } from "@mantine/core";
import { useNavigate, useParams } from "react-router";
import { ParleyError, parley } from "../data/client.ts";
import { useForm } from "../data/form.ts";
import { type User, usePerson } from "../data/queries.ts";
import { showMoment } from "../data/show.ts";
import { useChange } from "../data/use-change.ts";
import { NotFound } from "../pages/not-found.tsx";
import { CopyIcon } from "../parts/copy.tsx";
import { SaveBar } from "../parts/form-parts.tsx";
import { useLeaveGuard } from "../parts/leave-guard.tsx";
import { notify } from "../parts/notices.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Failed } from "../parts/states.tsx";
import facts from "../styles/facts.module.css";
import css from "../styles/form.module.css";
import { t } from "../texts/index.ts";
import { AccountActions } from "./account-actions.tsx";
import { OwnedRooms } from "./owned-rooms.tsx";
import { usePersonActions } from "./person-actions.tsx";
import { PersonState } from "./person-columns.tsx";
import { PersonFields, type PersonValues } from "./person-fields.tsx";

type Person = Omit<User, "rooms" | "roomIds">;

const valuesOf = (person: Omit<Person, "profileId">): PersonValues => ({
  email: person.email,
  name: person.name,
  location: person.location,
  role: person.role,
  tags: person.tags,
  admin: person.admin,
  meetNowEnabled: person.meetNowEnabled,
  displayRating: person.displayRating,
});

const FactsLine = ({ person }: { readonly person: Person }) => (
  <div className={facts.line}>
    <PersonState person={person} />
    <span className={facts.pair}>
      <span className="mono">{person.username}</span>
      <CopyIcon text={person.username} what={`${t.people.username} ${person.username}`} />
    </span>
    <span>
      {t.people.profileId} <span className="mono">{person.profileId}</span>
    </span>
    <span>
      {t.people.since} <time dateTime={person.createdAt}>{showMoment(person.createdAt)}</time>
    </span>
  </div>
);

const Editing = ({ person }: { readonly person: Person }) => {
  const navigate = useNavigate();
  const form = useForm(valuesOf(person));
  const guard = useLeaveGuard(form.dirty);
  const edit = useChange(parley.editUser);
  const actions = usePersonActions({
    onDeleted: () => {
      guard.release();
      return navigate("/people/revoked");
    },
  });

  const submit = async (): Promise<void> => {
    const changes = Object.fromEntries(form.changed.map((name) => [name, form.values[name]]));
    try {
      const { user } = await edit.mutateAsync({ userId: person.id, ...changes });
      form.accept(valuesOf(user));
      notify({ text: t.people.saved(user.name) });
    } catch (failure) {
      const taken = failure instanceof ParleyError && failure.code === "email_taken";
      form.fail(failure, taken ? { email: failure.message } : {});
    }
  };

  return (
    <>
      <PageHeader title={person.name} description={<FactsLine person={person} />} />
      <form
        ref={form.element}
        className={css.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <PersonFields form={form} />
        <OwnedRooms owner={person.id} former={person.accountDeleted} />
        <AccountActions person={person} actions={actions} />
        <SaveBar
          save={t.people.save}
          cancelTo={person.accountDeleted ? "/people/revoked" : "/people"}
          dirty={form.dirty}
          busy={edit.isPending}
          errors={Object.keys(form.errors).length}
          failure={form.failure}
        />
      </form>
      {guard.question}
      {actions.dialogs}
    </>
  );
};

/** One person: details, rooms, and what can be done with the account. */
export const PersonPage = () => {
  const { id } = useParams();
  const person = usePerson(id);
  if (person.data) return <Editing key={person.data.id} person={person.data} />;
  if (person.data === null) return <NotFound />;
  return (
    <>
      <PageHeader title={t.people.title} />
      {person.isError ? (
        <div className="card">
          <Failed failure={person.error} retry={() => void person.refetch()} />
        </div>
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </>
  );
};
