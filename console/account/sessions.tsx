import { Button, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Bowser from "bowser";
import type { OwnSession } from "../../contract/people/account.ts";
import { parley, sayFailure } from "../kit/client.ts";
import form from "../kit/form.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { notify } from "../kit/notices.tsx";
import { showMoment, showRow } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import css from "./sessions.module.css";

const texts = t.account;

/** The browser and the system of a session, as the browser described itself at the sign-in. */
const browserOf = ({ userAgent }: OwnSession): string => {
  if (userAgent === null) return texts.unknownBrowser;
  const { browser, os } = Bowser.parse(userAgent);
  return browser.name && os.name ? texts.browser(browser.name, os.name) : texts.unknownBrowser;
};

const Session = ({
  session,
  onEnd,
}: {
  readonly session: OwnSession;
  readonly onEnd: () => void;
}) => {
  const since = texts.since(showMoment(session.startedAt), showMoment(session.usedAt));
  return (
    <li className={css.session}>
      <div>
        <span className={css.browser}>{browserOf(session)}</span>{" "}
        {session.current && <Tag tone="ok">{texts.thisDevice}</Tag>}
        <span className={`dimmed small ${css.since}`}>{since}</span>
      </div>
      {!session.current && (
        <Button
          variant="default"
          size="compact-sm"
          onClick={onEnd}
          aria-label={texts.endNamed(showRow([browserOf(session), since]))}
        >
          {texts.endSession}
        </Button>
      )}
    </li>
  );
};

/** Where the person is signed in; each session but this one can be ended. */
export const Sessions = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) => (await parley.listSessions({}, { signal })).sessions,
  });
  const end = useChange(parley.endSessions);
  const endThose = async (sessionId?: string): Promise<void> => {
    try {
      const { ended } = await end.mutateAsync(sessionId === undefined ? {} : { sessionId });
      notify({ text: sessionId === undefined ? texts.othersEnded(ended) : texts.sessionEnded });
    } catch (failure) {
      notify({ text: sayFailure(failure) });
    }
  };
  return (
    <FormGroup id="sessions" title={texts.sessions} help={texts.sessionsHelp}>
      {data ? (
        <ul className={`${css.sessions} ${form.wide}`}>
          {data.map((session) => (
            <Session key={session.id} session={session} onEnd={() => void endThose(session.id)} />
          ))}
        </ul>
      ) : error ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={80} radius="md" />
      )}
      {data?.some(({ current }) => !current) && (
        <Button variant="default" onClick={() => void endThose()} className={css.others ?? ""}>
          {texts.endOthers}
        </Button>
      )}
    </FormGroup>
  );
};
