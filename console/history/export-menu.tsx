import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import type { exportHistory, historyFormats } from "../../contract/history.ts";
import type { Input } from "../../contract/operation.ts";
import { parley, sayFailure } from "../data/client.ts";
import { saveFile } from "../data/export.ts";
import { notify } from "../parts/notices.tsx";
import { t } from "../texts/index.ts";

const texts = t.history;

/** Exports every entry that the filters leave. */
export const ExportMenu = ({ asked }: { readonly asked: Input<typeof exportHistory> }) => {
  const [busy, setBusy] = useState(false);
  const run = async (format: (typeof historyFormats)[number]): Promise<void> => {
    setBusy(true);
    try {
      const file = await parley.exportHistory({ ...asked, format });
      saveFile(`history-${new Date().toISOString().slice(0, 10)}.${format}`, file);
      notify({ text: texts.exported });
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={busy}>
          {texts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run("csv")}>{texts.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => void run("jsonl")}>{texts.exportJsonl}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
