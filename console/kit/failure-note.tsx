import { Alert } from "@mantine/core";
import { sayFailure } from "./client.ts";

/** Why something failed, in a form or a dialog; nothing where nothing has failed. */
export const FailureNote = ({
  failure,
  className = "",
}: {
  readonly failure: unknown;
  readonly className?: string | undefined;
}) =>
  failure === undefined ? null : (
    <Alert color="red" variant="light" role="alert" className={className}>
      {sayFailure(failure)}
    </Alert>
  );
