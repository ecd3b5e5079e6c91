import { Skeleton, Text } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../texts/index.ts";
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

/** Mentions the recycle bin, which can be switched on, before a permanent deletion. */
export const BinHint = () => (
  <Text size="sm" mt="xs" className="dimmed">
    {t.bin.hint}{" "}
    <Link to="/settings" target="_blank" rel="noreferrer">
      {t.bin.toSettings}
    </Link>
  </Text>
);
