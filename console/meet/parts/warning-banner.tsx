import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { m } from "../../texts/meet.ts";
import { useMeeting } from "../connection.ts";
import css from "../styles/room.module.css";

interface SeenButtonProps {
  /** The text that is confirmed. */
  readonly text: string;
  readonly onClick: () => void;
}

/** Confirms what a banner says, which then goes away. */
export const SeenButton = ({ text, onClick }: SeenButtonProps) => (
  <Button size="compact-sm" variant="default" aria-label={m.seen.label(text)} onClick={onClick}>
    {m.seen.button}
  </Button>
);

interface WarningBannerProps {
  readonly text: string;
  readonly onSeen: () => void;
}

/** Something does not work; shown until this person has dismissed it. */
export const WarningBanner = ({ text, onSeen }: WarningBannerProps) => (
  <div className={css.banner} role="status">
    <IconAlertTriangle size={18} aria-hidden />
    <span>{text}</span>
    <SeenButton text={text} onClick={onSeen} />
  </div>
);

/** The problem of this person's own connection, and what helps; until they have read it. */
export const OwnQualityBanner = () => {
  const { ownQuality } = useMeeting();
  const [seen, setSeen] = useState<string>();
  const why = ownQuality?.why;
  if (ownQuality?.level !== "poor" || why === undefined || why === seen) return null;
  return <WarningBanner text={m.controls.own[why]} onSeen={() => setSeen(why)} />;
};
