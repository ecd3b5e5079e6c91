import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "../texts/index.ts";
import { notify } from "./notices.tsx";

/** @returns false if the browser refuses: without HTTPS it offers no clipboard */
export const tryCopy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

/** Copies a text that the page shows; if the browser refuses, a notice says so. */
export const copyText = async (text: string): Promise<boolean> => {
  const copied = await tryCopy(text);
  if (!copied) notify({ text: t.states.copyFailed, kind: "failed" });
  return copied;
};

const SHOWN = 1_600;

const useCopy = (text: string) => {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN);
  };
  return { copied, copy };
};

/** A small button that copies; `what` names it. */
export const CopyIcon = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const { copied, copy } = useCopy(text);
  const label = copied ? t.actions.copied : t.actions.copyWhat(what);
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={copy}>
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  );
};

export const CopyButton = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const { copied, copy } = useCopy(text);
  return (
    <Button
      variant="default"
      leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      onClick={copy}
    >
      {copied ? t.actions.copied : label}
    </Button>
  );
};
