import { Alert, Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { asLine, isVisible, PEER_NAME, type PeerType } from "../../../contract/kit/plain.ts";
import { ParleyError, sayFailure } from "../../kit/client.ts";
import { PasswordField } from "../../kit/password-field.tsx";
import { useOnce } from "../../kit/use-once.ts";
import { t } from "../../texts/index.ts";
import { m } from "../../texts/meet.ts";
import { sessionToken } from "../address.ts";
import { keep, kept } from "../call/kept.ts";
import type { Invitation } from "../call/state.ts";
import { meeting, useMeeting } from "../connection.ts";
import { useEmbedding } from "../embed/embedding.ts";
import { Elsewhere } from "./elsewhere.tsx";
import { CapturedNews, isShutTo } from "./entry-news.tsx";
import { useAgain } from "./use-again.ts";

interface EntryFormProps {
  readonly invitation: Invitation;
}

const codeOf = (failure: unknown) => (failure instanceof ParleyError ? failure.code : undefined);

/** Returns whether a refusal for lack of a seat mentions free seats for this role. */
const isFree = (role: PeerType, failure: unknown): boolean =>
  failure instanceof ParleyError &&
  failure.code === "seats_full" &&
  failure.errors.some(({ field }) => field === `peerType.${role}`);

/** Name, password and role, as far as the room asks for them, and the button that enters. */
export const EntryForm = ({ invitation }: EntryFormProps) => {
  const { stage, failure } = useMeeting();
  const isJoining = stage.name === "joining";
  const [name, setName] = useState(invitation.peerName ?? kept().name);
  const [password, setPassword] = useState("");
  const [chosen, setChosen] = useState<PeerType>();
  const [tried, setTried] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  // An invitation by name determines the name and the role.
  const isNamed = sessionToken !== undefined;
  const asksPassword = invitation.passwordRequired;
  const code = codeOf(failure);
  // Where the room has a password only since the page was loaded, the field comes later.
  const isAtField = asksPassword && code === "wrong_room_password";

  const { peerName, peerTypes } = invitation;
  // The room's free roles may have changed since.
  const role = chosen !== undefined && peerTypes.includes(chosen) ? chosen : peerTypes[0];
  const { name: given } = useEmbedding();
  useEffect(() => {
    if (peerName !== null) setName(peerName);
    else if (given !== "") setName(given);
  }, [peerName, given]);
  useEffect(() => {
    if (isAtField) passwordField.current?.select();
  }, [isAtField]);

  const enter = async (as: PeerType | undefined, waitsForSeat = false): Promise<void> => {
    setTried(true);
    const isMissing = !isVisible(name) && !isNamed;
    if (isMissing) return nameField.current?.focus();
    if (asksPassword && password === "") return passwordField.current?.focus();
    if (invitation.peerName === null && !isNamed) keep({ name: asLine(name) });
    await meeting.join({
      peerName: isNamed ? "" : asLine(name),
      password: asksPassword ? password : "",
      peerType: as,
      waitsForSeat,
    });
  };
  const watch = (): Promise<void> =>
    meeting.watch({
      peerName: asLine(name),
      password: asksPassword ? password : "",
      peerType: role,
    });
  const isShut = isShutTo(invitation);
  useAgain(isShut, () => meeting.lookAgain());
  // Watching without a seat is refused to people who would have to be let in, and while it is locked.
  const mayWatch = invitation.stream && !invitation.lobby && !isShut;
  const submit = useOnce(() => enter(role));
  const isElsewhere = code === "already_inside";
  const isFull = code === "seats_full" || code === "media_engine_needed";
  const others = invitation.peerTypes.filter((one) => isFree(one, failure));

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="md">
        {failure !== undefined && !isAtField && (
          <Alert color={isElsewhere ? "blue" : "red"} variant="light" role="alert">
            {isElsewhere ? <Elsewhere invitation={invitation} /> : sayFailure(failure)}
            {isFull && (
              <>
                <p>{m.before.waitForSeatHelp}</p>
                <Button size="compact-sm" mt="xs" onClick={() => void enter(role, true)}>
                  {m.before.waitForSeat}
                </Button>
              </>
            )}
            {others.length > 0 && (
              <Group gap="xs" mt="sm">
                {m.before.otherRole}
                {others.map((other) => (
                  <Button
                    key={other}
                    size="compact-sm"
                    variant="default"
                    onClick={() => {
                      setChosen(other);
                      void enter(other);
                    }}
                  >
                    {m.before.joinAs(other)}
                  </Button>
                ))}
              </Group>
            )}
          </Alert>
        )}
        <CapturedNews invitation={invitation} />
        {!isNamed && (
          <TextInput
            label={m.before.name}
            description={m.before.nameHelp}
            name="name"
            autoComplete="name"
            ref={nameField}
            maxLength={PEER_NAME}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && !isVisible(name) ? m.before.nameMissing : undefined}
          />
        )}
        {asksPassword && (
          <PasswordField
            label={m.before.password}
            name="room-password"
            autoComplete="off"
            ref={passwordField}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={
              password === "" && (tried || isAtField)
                ? m.before.passwordMissing
                : isAtField
                  ? sayFailure(failure)
                  : undefined
            }
          />
        )}
        {!isNamed && invitation.peerTypes.length > 1 && (
          <Radio.Group
            label={m.before.as}
            value={role ?? null}
            onChange={(next) => setChosen(next as PeerType)}
          >
            <Group gap="md" mt="xs">
              {invitation.peerTypes.map((one) => (
                <Radio key={one} value={one} label={m.roles[one]} />
              ))}
            </Group>
          </Radio.Group>
        )}
        <Button
          type="submit"
          fullWidth
          size="md"
          variant={isFull || isElsewhere ? "default" : "filled"}
          loading={isJoining}
        >
          {isShut ? t.actions.tryAgain : invitation.lobby ? m.before.ask : m.before.join}
        </Button>
        {mayWatch && (
          <Button variant="default" fullWidth disabled={isJoining} onClick={() => void watch()}>
            {m.before.watch}
          </Button>
        )}
        {invitation.lobby && <p className="dimmed small">{m.before.lobby}</p>}
      </Stack>
    </form>
  );
};
