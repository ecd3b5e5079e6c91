import { Button } from "@mantine/core";
import { IconBrandGoogle, IconBrandOffice, IconCalendarDown } from "@tabler/icons-react";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { parley } from "../kit/client.ts";
import { useFileSave } from "../kit/save-file.ts";
import { t } from "../texts/index.ts";
import css from "./schedule.module.css";

const texts = t.schedule.calendar;

/** A file name that every system takes. */
const fileOf = (name: string): string => `${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.ics`;

/** Puts the dates of a room into the person's own calendar. */
export const CalendarLinks = ({ schedule }: { readonly schedule: Schedule }) => {
  const { roomId, roomName, googleLink, outlookLink } = schedule;
  const { busy, save } = useFileSave();
  const look = { variant: "default", size: "compact-sm" } as const;
  const away = { component: "a", target: "_blank", rel: "noreferrer" } as const;
  return (
    <fieldset className={css.calendars}>
      <legend className="dimmed small">{texts.title}</legend>
      <Button
        {...look}
        {...away}
        href={googleLink}
        leftSection={<IconBrandGoogle size={15} />}
        aria-label={`${texts.google} (${t.nav.newTab})`}
      >
        {texts.google}
      </Button>
      <Button
        {...look}
        {...away}
        href={outlookLink}
        leftSection={<IconBrandOffice size={15} />}
        aria-label={`${texts.outlook} (${t.nav.newTab})`}
      >
        {texts.outlook}
      </Button>
      <Button
        {...look}
        loading={busy}
        leftSection={<IconCalendarDown size={15} />}
        onClick={() => void save(fileOf(roomName), () => parley.downloadSchedule({ id: roomId }))}
      >
        {texts.file}
      </Button>
    </fieldset>
  );
};
