import { Button } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { useMay } from "../kit/queries.ts";
import { createStore } from "../kit/store.ts";
import { t } from "../texts/index.ts";

const store = createStore({ open: false });

/** Opens the dialog that schedules a meeting in a new room. */
export const openScheduling = (): void => store.set({ open: true });

/** Loaded when it is first opened. */
const NewScheduleDialog = lazy(async () => ({
  default: (await import("./schedule-dialog.tsx")).NewScheduleDialog,
}));

/** Where the dialog appears, on whatever page it is opened. */
export const Scheduling = () => {
  const { open } = useSyncExternalStore(store.subscribe, store.get);
  if (!open) return null;
  return (
    <Suspense>
      <NewScheduleDialog onClose={() => store.set({ open: false })} />
    </Suspense>
  );
};

/** For people who may create rooms. */
export const ScheduleButton = () =>
  useMay()?.createRooms && (
    <Button
      variant="default"
      leftSection={<IconCalendarPlus size={16} />}
      aria-label={t.schedule.action}
      onClick={openScheduling}
    >
      {t.schedule.button}
    </Button>
  );
