import { useState } from "react";
import { m } from "../../texts/meet.ts";
import { useMeeting } from "../connection.ts";
import { WarningBanner } from "./warning-banner.tsx";

/** What is wrong with this person's own connection, and what helps; until they have read it. */
export const OwnQualityBanner = () => {
  const { ownQuality } = useMeeting();
  const [seen, setSeen] = useState<string>();
  const why = ownQuality?.why;
  if (ownQuality?.level !== "poor" || why === undefined || why === seen) return null;
  return <WarningBanner text={m.controls.own[why]} onSeen={() => setSeen(why)} />;
};
