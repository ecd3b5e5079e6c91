import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Actor } from "../columns/actor.tsx";
import css from "../columns/people.module.css";
import { parley } from "../kit/client.ts";
import { FormGroup } from "../kit/form-parts.tsx";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";

const texts = t.people.ways;

const Way = ({ way, since }: { readonly way: ReactNode; readonly since?: ReactNode }) => (
  <li>
    {way} {since !== undefined && <span className="dimmed small">{since}</span>}
  </li>
);

/** The password of a person's account, with its last change. */
const PasswordWay = ({ id }: { readonly id: string }) => {
  const { data: entry } = useQuery({
    queryKey: ["ways", id, "password"],
    queryFn: async ({ signal }) => {
      const kind = "userCreated,passwordReset,passwordChanged";
      const asked = { subjectId: id, kind, limit: 1 };
      return (await parley.listHistory(asked, { signal })).entries[0] ?? null;
    },
  });
  return (
    <Way
      way={t.people.password}
      since={
        entry && (
          <>
            {[t.history.kinds[entry.kind], showMoment(entry.at), ""].join(" · ")}
            <Actor entry={entry} />
          </>
        )
      }
    />
  );
};

/** The ways into a person's account. */
export const WaysList = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useQuery({
    queryKey: ["ways", id],
    queryFn: async ({ signal }) => (await parley.fetchUserWays({ userId: id }, { signal })).ways,
  });
  if (error) return <Failed failure={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={60} radius="md" />;
  const { linkUntil, passkeys, authenticatorSince, providers, sessions } = data;
  return (
    <ul className={css.ways}>
      <PasswordWay id={id} />
      {linkUntil !== null && <Way way={texts.link(showMoment(linkUntil))} />}
      {authenticatorSince !== null && (
        <Way way={texts.app} since={t.passkeys.added(showMoment(authenticatorSince))} />
      )}
      {passkeys.map(({ id: passkey, name, createdAt, usedAt }) => (
        <Way
          key={passkey}
          way={
            <>
              {t.passkeys.one}: <bdi>{name}</bdi>
            </>
          }
          since={
            usedAt === null
              ? t.passkeys.added(showMoment(createdAt))
              : t.passkeys.used(showMoment(createdAt), showMoment(usedAt))
          }
        />
      ))}
      {providers.map(({ name, linkedAt }) => (
        <Way
          key={linkedAt}
          way={<bdi>{name}</bdi>}
          since={t.passkeys.added(showMoment(linkedAt))}
        />
      ))}
      {sessions > 0 && <Way way={texts.sessions(sessions)} />}
    </ul>
  );
};

/** The ways into a person's account, above the actions that end them. */
export const Ways = ({ id }: { readonly id: string }) => (
  <FormGroup id="ways" title={texts.title} help={texts.help}>
    <WaysList id={id} />
  </FormGroup>
);
