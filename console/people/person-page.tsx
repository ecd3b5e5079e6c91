import { Skeleton } from "@mantine/core";
import { useMemo, useRef, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { PersonState } from "../columns/person-columns.tsx";
import { parley } from "../kit/client.ts";
import { CopyIcon } from "../kit/copy.tsx";
import facts from "../kit/facts.module.css";
import { asTyped } from "../kit/form.ts";
import { EditForm } from "../kit/form-parts.tsx";
import { historyOfPerson } from "../kit/history.ts";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { NotFound } from "../kit/not-found.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { type EditablePerson, type Loaded, loadPerson, usePerson } from "../kit/queries.ts";
import { around } from "../kit/said.tsx";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { useChange } from "../kit/use-change.ts";
import { useEditing, type Version } from "../kit/use-editing.ts";
import { t } from "../texts/index.ts";
import { AccountActions } from "./account-actions.tsx";
import { OwnedRooms } from "./owned-rooms.tsx";
import { usePersonActions } from "./person-actions.tsx";
import { PersonConflict } from "./person-conflict.tsx";
import { PersonFields } from "./person-fields.tsx";
import { emailTaken, type PersonValues, personValuesOf } from "./person-values.ts";
import { PromoteConfirm } from "./promote-confirm.tsx";
import { Ways } from "./ways.tsx";

const FactsLine = ({ person }: { readonly person: EditablePerson }) => (
  <div className={facts.line}>
    <PersonState person={person} />
    {person.mustChoosePassword && <Tag tone="warn">{t.people.labels.mustChoosePassword}</Tag>}
    <span className={facts.pair}>
      <span className="mono">{person.username}</span>
      <CopyIcon text={person.username} what={`${t.people.username} ${person.username}`} />
    </span>
    <Link to={historyOfPerson(person.id)}>{t.history.title}</Link>
    <span>
      {around(
        (id) => t.rooms.setTo(t.people.profileId, id),
        <span className="mono">{person.profileId}</span>,
      )}
    </span>
    <span>
      {around(
        (moment) => t.rooms.setTo(t.people.since, moment),
        <time dateTime={person.createdAt}>{showMoment(person.createdAt)}</time>,
      )}
    </span>
  </div>
);

interface Edit {
  readonly id: string;
  /** The values of the form: the answer to an edit has neither the language nor the demand of a new password. */
  readonly values: PersonValues;
  readonly changes: Partial<PersonValues>;
  readonly etag: string;
}

const savePerson = async ({ id, values, changes, etag }: Edit): Promise<Version<PersonValues>> => {
  let saved = etag;
  const { user } = await parley.editUser(
    { userId: id, ...(asTyped(changes) as Record<string, never>) },
    { ifMatch: etag, onETag: (tag) => (saved = tag) },
  );
  notify({ text: t.people.saved(user.name) });
  const { language, mustChoosePassword } = values;
  return { values: personValuesOf({ ...user, language, mustChoosePassword }), etag: saved };
};

const load = async (id: string): Promise<Version<PersonValues>> => {
  const loaded = await loadPerson(id);
  if (loaded === null) throw new Error("The person was deleted");
  return { values: personValuesOf(loaded.thing), etag: loaded.etag };
};

const Editing = ({ loaded }: { readonly loaded: Loaded<EditablePerson> }) => {
  const { thing: person, etag } = loaded;
  const navigate = useNavigate();
  const edit = useChange(savePerson);
  const endsWays = useRef(false);
  const [asksToPromote, setAsksToPromote] = useState(false);
  const version = useMemo(() => ({ values: personValuesOf(person), etag }), [person, etag]);
  const { form, busy, submit, conflict, resolve, dismiss } = useEditing({
    loaded: version,
    labels: t.people.labels,
    load: () => load(person.id),
    save: async (values, changed, tag) => {
      const changes = Object.fromEntries(changed.map((name) => [name, values[name]]));
      const saved = await edit.mutateAsync({ id: person.id, values, changes, etag: tag });
      // Afterwards: only then access keys with a narrower scope cannot add another way.
      if (endsWays.current && changed.includes("admin"))
        await actions.endWays({ ...person, ...changes });
      endsWays.current = false;
      return saved;
    },
    atField: emailTaken,
  });
  const guard = useLeaveGuard(form.dirty);
  const actions = usePersonActions({
    onDeleted: () => {
      guard.release();
      return navigate("/people/revoked");
    },
  });

  return (
    <>
      <PageHeader title={person.name} description={<FactsLine person={person} />} />
      <EditForm
        form={form}
        save={t.people.save}
        cancelTo={person.accountDeleted ? "/people/revoked" : "/people"}
        isNew={false}
        busy={busy}
        onSubmit={() => {
          if (form.values.admin && !form.base.admin) setAsksToPromote(true);
          else void submit();
        }}
      >
        <PersonFields form={form} />
        <OwnedRooms owner={person} former={person.accountDeleted} />
        <Ways id={person.id} />
        <AccountActions person={person} actions={actions} />
      </EditForm>
      {guard.question}
      {asksToPromote && (
        <PromoteConfirm
          person={{ ...person, ...asTyped(form.values) }}
          onConfirm={(ends) => {
            endsWays.current = ends;
            // After the question has closed: the form shows what fails.
            setTimeout(() => void submit());
          }}
          onClose={() => setAsksToPromote(false)}
        />
      )}
      {conflict && (
        <PersonConflict
          name={person.name}
          base={form.base}
          mine={form.values}
          current={conflict.values}
          onSave={(values) => void resolve(values)}
          onClose={dismiss}
        />
      )}
      {actions.dialogs}
    </>
  );
};

/** One person: details, rooms, and the actions for the account. */
export const PersonPage = () => {
  const { id } = useParams();
  const person = usePerson(id);
  if (person.data) return <Editing key={person.data.thing.id} loaded={person.data} />;
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
