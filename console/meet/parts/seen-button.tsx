import { Button } from "@mantine/core";
import { m } from "../../texts/meet.ts";

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
