import { Skeleton } from "@mantine/core";
import { useParams } from "react-router";
import { roomValuesOf, type SettingName } from "../data/room-values.ts";
import { ParleyError } from "../kit/client.ts";
import css from "../kit/facts.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { NotFound } from "../kit/not-found.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { useRoom } from "../kit/queries.ts";
import { said } from "../kit/said.tsx";
import { sayValue } from "../kit/schema-field.tsx";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { CopyLinkButton, EnterButton } from "../meetings/enter-room.tsx";
import { InsideNow } from "../meetings/inside-now.tsx";
import { RoomSchedule } from "../schedule/room-schedule.tsx";
import { t } from "../texts/index.ts";
import { RoomFactsLine } from "./room-facts-line.tsx";
import { settingGroups } from "./setting-groups.ts";

const show = (name: SettingName, value: unknown): string =>
  name === "scheduledDateTime" && typeof value === "string" ? showMoment(value) : sayValue(value);

/** A room, read-only, for its owner. */
export const RoomFactsPage = () => {
  const { id } = useParams();
  const room = useRoom(id);
  if (room.error instanceof ParleyError && room.error.status === 404) return <NotFound />;
  if (!room.data) {
    return (
      <>
        <PageHeader title={t.rooms.myTitle} />
        {room.isError ? (
          <div className="card">
            <Failed failure={room.error} retry={() => void room.refetch()} />
          </div>
        ) : (
          <Skeleton height={480} radius="md" />
        )}
      </>
    );
  }
  const values = roomValuesOf(room.data);
  return (
    <>
      <PageHeader
        title={room.data.name}
        description={<RoomFactsLine room={room.data} />}
        actions={
          <>
            <CopyLinkButton room={room.data} />
            <EnterButton room={room.data} />
          </>
        }
      />
      <InsideNow roomId={room.data.room} />
      <RoomSchedule room={room.data} mayEdit={false} />
      {settingGroups.map(({ group, settings }) => (
        <div key={group} className={css.gap}>
          <FormGroup id={group} {...t.rooms.groups[group]}>
            <dl className={css.facts}>
              {settings.map((name) => (
                <FactPair
                  key={name}
                  label={t.rooms.labels[name]}
                  value={show(name, values[name])}
                />
              ))}
            </dl>
          </FormGroup>
        </div>
      ))}
    </>
  );
};

const FactPair = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <>
    <dt>{label}</dt>
    <dd>{said(value)}</dd>
  </>
);
