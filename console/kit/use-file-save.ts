import { useState } from "react";
import { sayFailure } from "./client.ts";
import { notify } from "./notices.tsx";
import { saveFile } from "./save-file.ts";

/** Saves a file that the service returns; shows a notice if it cannot. */
export const useFileSave = () => {
  const [busy, setBusy] = useState(false);
  /** @returns whether the file was saved */
  const save = async (name: string, ask: () => Promise<Blob>): Promise<boolean> => {
    setBusy(true);
    try {
      saveFile(name, await ask());
      return true;
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, save };
};
