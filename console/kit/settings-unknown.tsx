import { Skeleton } from "@mantine/core";
import { Dialog } from "./dialog.tsx";
import { useOrganization } from "./queries.ts";
import { Failed } from "./states.tsx";

interface SettingsUnknownProps {
  readonly title: string;
  readonly onClose: () => void;
}

/** Replaces a question that depends on the organization's settings until these are loaded. */
export const SettingsUnknown = ({ title, onClose }: SettingsUnknownProps) => {
  const { error, refetch } = useOrganization();
  return (
    <Dialog title={title} onClose={onClose}>
      {error === null ? (
        <Skeleton height={14} width="60%" />
      ) : (
        <Failed failure={error} retry={() => void refetch()} />
      )}
    </Dialog>
  );
};
