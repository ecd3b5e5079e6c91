import { Alert } from "@mantine/core";
import type { ReactNode } from "react";
import { sayFailure } from "./client.ts";
import { said } from "./said.tsx";

interface FailureNoteProps {
  /** A failure, or a text that says why; undefined or null where nothing has failed. */
  readonly failure: unknown;
  /** The words for a failure. */
  readonly explain?: ((failure: unknown) => ReactNode) | undefined;
  readonly className?: string | undefined;
}

/** Why something failed, in a form or a dialog; nothing where nothing has failed. */
export const FailureNote = ({ failure, explain = sayFailure, className = "" }: FailureNoteProps) =>
  failure === undefined || failure === null ? null : (
    <Alert color="red" variant="light" role="alert" className={className}>
      {typeof failure === "string" ? said(failure) : explain(failure)}
    </Alert>
  );
