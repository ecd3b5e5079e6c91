import { Button } from "@mantine/core";

interface AnswerButtonProps {
  readonly text: string;
  /** The label, for people who do not see beside what the button stands. */
  readonly label?: string;
  readonly variant?: "filled" | "default";
  readonly onAnswer: () => unknown;
}

/**
 * Answers people who wait. As soon as they are answered, the button for the next ones is at its place: the
 * second click of a double click, and a key that is held down, would answer those.
 */
export const AnswerButton = ({ text, label, variant = "filled", onAnswer }: AnswerButtonProps) => (
  <Button
    size="compact-sm"
    variant={variant}
    aria-label={label}
    onKeyDown={(event) => {
      if (event.repeat) event.preventDefault();
    }}
    onClick={({ detail }) => {
      if (detail <= 1) onAnswer();
    }}
  >
    {text}
  </Button>
);
