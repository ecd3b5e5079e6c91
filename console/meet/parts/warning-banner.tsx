import { IconAlertTriangle } from "@tabler/icons-react";
import css from "../styles/room.module.css";
import { SeenButton } from "./seen-button.tsx";

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
