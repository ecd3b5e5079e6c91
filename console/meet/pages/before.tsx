import { useEffect, useState } from "react";
import { Mark } from "../../kit/brand.tsx";
import { m } from "../../texts/meet.ts";
import { kept } from "../call/kept.ts";
import { closeDevices, turnOnThose } from "../call/own-media.ts";
import type { Invitation } from "../call/state.ts";
import { useMeeting } from "../connection.ts";
import { EntryForm } from "../parts/entry-form.tsx";
import { LockedNews } from "../parts/entry-news.tsx";
import { Heading } from "../parts/heading.tsx";
import { Agenda, PlannedDate } from "../parts/plan.tsx";
import { Preview } from "../parts/preview.tsx";
import { SignIn } from "../parts/sign-in.tsx";
import css from "../styles/before.module.css";

/** Viewers of an event are not seen, so they need no devices. */
const needsDevices = ({ peerTypes, roomType }: Invitation): boolean =>
  roomType === "p2p" || peerTypes.some((role) => role !== "viewer");

const Facts = ({ invitation }: { readonly invitation: Invitation }) => (
  <div className={css.facts}>
    <p className={`dimmed small ${css.organization}`}>
      {invitation.brand.logo && <Mark logo={invitation.brand.logo} />}
      <bdi>{invitation.organization}</bdi>
    </p>
    <Heading document={m.before.document(invitation.name)}>{invitation.name}</Heading>
    <PlannedDate room={invitation} withCalendar={!invitation.running} />
    <p className="dimmed small">
      {invitation.waitsForHost
        ? m.before.waitsForHost
        : invitation.running
          ? m.before.running
          : m.before.empty}
    </p>
    <LockedNews invitation={invitation} />
  </div>
);

/** Before entering: what it is, then name, devices, and what the room asks for. */
export const BeforePage = ({ invitation }: { readonly invitation: Invitation }) => {
  const withDevices = needsDevices(invitation);
  const { stage } = useMeeting();
  const [opensDevices] = useState(stage.name !== "before" || !stage.quiet);
  useEffect(() => {
    if (!withDevices) return closeDevices();
    if (opensDevices) void turnOnThose(kept());
  }, [withDevices, opensDevices]);
  return (
    <main className={css.page} data-devices={withDevices || undefined}>
      <Facts invitation={invitation} />
      {withDevices && <Preview />}
      <div className={`card ${css.card}`}>
        {!withDevices && <p className="dimmed small">{m.before.viewer}</p>}
        <EntryForm invitation={invitation} />
      </div>
      <div className={css.after}>
        <Agenda room={invitation} />
        {invitation.peerName === null && <SignIn />}
      </div>
    </main>
  );
};
