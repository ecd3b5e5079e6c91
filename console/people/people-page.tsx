import { Button, MultiSelect, NativeSelect } from "@mantine/core";
import { IconPlus, IconUserOff, IconUsers } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link, NavLink } from "react-router";
import { LARGEST_PAGE } from "../../contract/kit/plain.ts";
import { listUsers, userSortFields } from "../../contract/people/lists.ts";
import css from "../columns/people.module.css";
import { personColumns } from "../columns/person-columns.tsx";
import { parley } from "../kit/client.ts";
import { DataTable } from "../kit/data-table.tsx";
import { ExportButton } from "../kit/export-button.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import {
  languagesOfPeople,
  peopleInput,
  type User,
  useOrganization,
  usePeople,
} from "../kit/queries.ts";
import { SearchBox } from "../kit/search-box.tsx";
import { useUser } from "../kit/session.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { SortSelect, Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { BulkButtons } from "./bulk-buttons.tsx";
import { usePersonActions } from "./person-actions.tsx";
import { PersonMenu } from "./person-menu.tsx";

const exported = [...Object.keys(listUsers.reply.shape.users.element.shape), "language"];
const STATES = ["active", "suspended"] as const;
const sorts = userSortFields.map((sort) => ({ sort, label: t.people.columns[sort] }));

const CreateButton = () => (
  <Button component={Link} to="/people/new" leftSection={<IconPlus size={16} />}>
    {t.people.create}
  </Button>
);

const PeoplePage = ({ revoked }: { readonly revoked: boolean }) => {
  const me = useUser();
  const { state, change, params } = useTableState(userSortFields);
  const organization = useOrganization();
  const roles = organization.data?.roles ?? [];
  const chosen = (params.get("role") ?? "").split(",").filter(Boolean);
  const only = STATES.find((one) => one === params.get("state"));
  const adminsOnly = params.get("admin") === "true";
  const query = {
    ...state,
    role: chosen.length > 0 ? chosen.join(",") : roles.join(","),
    state: only,
    adminsOnly,
  };
  const people = usePeople(revoked, query);
  const shown = people.data?.users;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  // The selected people may be on another page now.
  const seen = useRef(new Map<string, User>());
  for (const user of shown ?? []) seen.current.set(user.id, user);
  const clear = () => setSelected(new Set());
  const actions = usePersonActions({
    onDone: (people) => {
      const done = new Set(people.map(({ id }) => id));
      setSelected((before) => new Set([...before].filter((id) => !done.has(id))));
    },
  });
  const everyone = [...selected].flatMap((id) => seen.current.get(id) ?? []);
  const onSort = (sortBy: string, sortOrder: string) => change({ sortBy, sortOrder });
  const filtered = state.search !== "" || chosen.length > 0 || only !== undefined || adminsOnly;
  const pagination = people.data?.pagination;
  const failure = organization.error ?? people.error;

  const pages = pagination?.totalPages ?? 0;
  useEffect(() => {
    if (pages > 0 && state.page > pages && !people.isPlaceholderData)
      change({ page: pages }, { replace: true });
  });

  return (
    <>
      <PageHeader
        title={t.people.title}
        description={t.people.description}
        actions={
          <>
            {(["csv", "json"] as const).map((format) => (
              <ExportButton
                key={format}
                format={format}
                short
                name={revoked ? "people-revoked" : "people"}
                columns={exported}
                idOf={({ id }) => id}
                ask={async (page, signal) => {
                  const input = {
                    ...peopleInput({ ...query, page }),
                    limit: LARGEST_PAGE,
                  } as const;
                  const answer = await (revoked ? parley.listRevokedUsers : parley.listUsers)(
                    input,
                    {
                      signal,
                    },
                  );
                  const ids = answer.users.map(({ id }) => id);
                  const languages = await languagesOfPeople(ids, signal);
                  const rows = answer.users.map((user) => ({
                    ...user,
                    language: languages.get(user.id) ?? null,
                  }));
                  return { rows, total: answer.pagination.total };
                }}
              />
            ))}
            <CreateButton />
          </>
        }
      />
      <div className="card">
        <nav className={css.tabs} aria-label={t.people.tabs}>
          <NavLink to="/people" end>
            {t.people.active}
          </NavLink>
          <NavLink to="/people/revoked">{t.people.revoked}</NavLink>
        </nav>
        <Toolbar
          search={
            <SearchBox
              label={t.people.searchLabel}
              placeholder={t.people.searchHint}
              value={state.search}
              onSearch={(search) => change({ search }, { replace: true })}
            />
          }
        >
          <div className={css.filter}>
            <MultiSelect
              aria-label={t.people.roleFilter}
              placeholder={chosen.length === 0 ? t.people.allRoles : ""}
              data={[...new Set([...roles, ...chosen])]}
              value={chosen}
              onChange={(next) => change({ role: next.join(",") })}
              clearable
              clearButtonProps={{
                "aria-label": t.rooms.setTo(t.actions.clear, t.people.roleFilter),
              }}
            />
          </div>
          {!revoked && (
            <NativeSelect
              aria-label={t.people.stateFilter}
              value={only ?? ""}
              onChange={(event) => change({ state: event.currentTarget.value })}
              data={[
                { value: "", label: t.people.anyState },
                ...STATES.map((one) => ({ value: one, label: t.people.states[one] })),
              ]}
            />
          )}
          <NativeSelect
            aria-label={t.people.adminFilter}
            value={String(adminsOnly)}
            onChange={(event) =>
              change({ admin: event.currentTarget.value === "true" ? "true" : "" })
            }
            data={[
              { value: "false", label: t.people.everyone },
              { value: "true", label: t.people.adminsOnly },
            ]}
          />
          <SortSelect sorts={sorts} by={state.sortBy} order={state.sortOrder} onSort={onSort} />
        </Toolbar>
        {everyone.length > 0 && (
          <div className={css.bulk}>
            <span role="status">{t.table.selected(everyone.length)}</span>
            <Button variant="subtle" size="compact-sm" onClick={clear}>
              {t.table.clearSelection}
            </Button>
            <BulkButtons revoked={revoked} people={everyone} actions={actions} />
          </div>
        )}
        {failure && !shown ? (
          <Failed
            failure={failure}
            retry={() => void (organization.isError ? organization : people).refetch()}
          />
        ) : shown?.length === 0 ? (
          filtered ? (
            <NoMatch
              title={t.people.noMatch}
              help={t.people.noMatchHelp}
              clear={() => change({ search: "", role: "", state: "", admin: "" })}
            />
          ) : revoked ? (
            <Blank icon={IconUserOff} title={t.people.noRevoked}>
              {t.people.noRevokedHelp}
            </Blank>
          ) : (
            <Blank icon={IconUsers} title={t.people.empty} action={<CreateButton />}>
              {t.people.emptyHelp}
            </Blank>
          )
        ) : (
          <DataTable
            label={revoked ? t.people.revoked : t.people.active}
            columns={personColumns(me.id)}
            rows={shown}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            stale={people.isPlaceholderData}
            sorting={{ by: state.sortBy, order: state.sortOrder, onSort }}
            selection={{ selected, onSelect: setSelected, isFixed: (id) => id === me.id }}
            menu={(person) => (
              <PersonMenu person={person} actions={actions} isMe={person.id === me.id} />
            )}
          />
        )}
        {pagination && pagination.total > 0 && (
          <Pager
            pagination={pagination}
            what={t.people.what}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
      {actions.dialogs}
    </>
  );
};

export const ActivePeoplePage = () => <PeoplePage key="active" revoked={false} />;
export const RevokedPeoplePage = () => <PeoplePage key="revoked" revoked />;
