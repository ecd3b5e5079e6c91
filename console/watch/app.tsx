import { Button, Title } from "@mantine/core";
import { useCallback, useEffect, useState } from "react";
import { createClient } from "../../contract/client.ts";
import type { Reply } from "../../contract/kit/operation.ts";
import { isolated } from "../../contract/kit/plain.ts";
import type { Brand } from "../../contract/organization/brand.ts";
import type { openRecordingLink } from "../../contract/recordings/links.ts";
import css from "../columns/recordings.module.css";
import { datedName, downloadFile, type Resolution } from "../data/recordings.ts";
import { base, pathHere } from "../kit/base.ts";
import { GuestLinks, Mark, useAccent } from "../kit/brand.tsx";
import { ParleyError, sayFailure } from "../kit/client.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import message from "../kit/message.module.css";
import { showDuration, showMoment } from "../kit/show.ts";
import { Themed } from "../kit/themed.tsx";
import { DownloadButton } from "../recordings/download-button.tsx";
import { Player } from "../recordings/player.tsx";
import { t } from "../texts/index.ts";

const texts = t.recordings.watch;

type Opened = Reply<typeof openRecordingLink>;
type Shared = Opened["recording"];

const parley = createClient({ retries: 0, baseUrl: base });

/** The code in the address `/r/CODE`. */
const codeHere = (): string => pathHere().slice("/r/".length);

/** The stream that the link plays; reopened when its cookie has expired. */
const useShared = () => {
  const [shared, setShared] = useState<Shared>();
  const [brand, setBrand] = useState<Brand>();
  const [failure, setFailure] = useState<unknown>();
  useAccent(brand?.accentColor);
  const open = useCallback(async (): Promise<void> => {
    try {
      const { recording, brand } = await parley.openRecordingLink({ code: codeHere() });
      setShared(recording);
      setBrand(brand);
      setFailure(undefined);
    } catch (failed) {
      setFailure(failed);
    }
  }, []);
  useEffect(() => void open(), [open]);
  useEffect(() => {
    document.title = `${isolated(shared?.name ?? texts.title)} · ${t.product}`;
  }, [shared]);
  return { shared, brand, failure, open };
};

/** Downloads what the link plays. */
const Download = ({ resolutions }: Pick<Shared, "resolutions">) => {
  const [isPreparing, setPreparing] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const download = async (resolution?: Resolution): Promise<void> => {
    setPreparing(true);
    setFailure(undefined);
    const ask = () => parley.downloadRecordingLink({ code: codeHere(), resolution });
    await downloadFile(ask).catch(setFailure);
    setPreparing(false);
  };
  return (
    <div>
      <DownloadButton
        resolutions={resolutions}
        isPreparing={isPreparing}
        onDownload={(resolution) => void download(resolution)}
      />
      <FailureNote failure={failure} />
    </div>
  );
};

/** The texts for a link that opens nothing; undefined if another try may help. */
const textsFor = (failure: unknown) => {
  switch (failure instanceof ParleyError ? failure.code : undefined) {
    case "link_ended":
      return { title: texts.ended, help: texts.endedHelp };
    case "recording_link_not_found":
    case "invalid_input":
      return { title: texts.unknown, help: texts.unknownHelp };
    default:
      return undefined;
  }
};

const FailedPage = ({
  failure,
  retry,
}: {
  readonly failure: unknown;
  readonly retry: () => void;
}) => {
  const known = textsFor(failure);
  return (
    <main className={message.page}>
      <div className={message.box}>
        <img src={`${base}/icon.svg`} alt="" className={message.mark} />
        <Title order={1} size="h3">
          {known?.title ?? t.states.failed}
        </Title>
        <p className="dimmed" role="alert">
          {known?.help ?? sayFailure(failure)}
        </p>
        {known === undefined && <Button onClick={retry}>{t.actions.tryAgain}</Button>}
      </div>
    </main>
  );
};

const Page = () => {
  const { shared, brand, failure, open } = useShared();
  if (failure !== undefined) {
    return (
      <>
        <FailedPage failure={failure} retry={() => void open()} />
        <GuestLinks brand={brand} />
      </>
    );
  }
  if (shared === undefined) return <div role="status" aria-label={t.states.loading} />;
  const { name, startedAt, seconds, type, resolutions, allows, captions, media } = shared;
  return (
    <>
      <main className={css.watch}>
        <span className={css.brand}>
          <Mark logo={brand?.logo} />
          {!brand?.logo && t.product}
        </span>
        <div className={css.head}>
          <div>
            <Title order={1} size="h3" className={css.name ?? ""}>
              <bdi>{datedName(shared)}</bdi>
            </Title>
            <span className="dimmed small">
              {startedAt !== null && <time dateTime={startedAt}>{showMoment(startedAt)}</time>}
              {seconds !== null && ` · ${showDuration(seconds)}`}
            </span>
          </div>
          {allows === "download" && <Download resolutions={resolutions} />}
        </div>
        <div className="card">
          <Player
            name={name}
            type={type}
            media={media}
            reopen={open}
            {...(captions && { captions })}
          />
        </div>
      </main>
      <GuestLinks brand={brand} />
    </>
  );
};

/** Plays what a link shares, without signing in. */
export const WatchApp = () => (
  <Themed>
    <Page />
  </Themed>
);
