import { Button, Group } from "@mantine/core";
import { useEffect, useState } from "react";
import { m } from "../../texts/meet.ts";
import type { Ending } from "../call/state.ts";
import { useMeeting } from "../connection.ts";

/** The endings of people who are done here, by their own choice or as the meeting is over. */
const done: ReadonlySet<Ending> = new Set(["left", "closed"]);

/** The endings of people who are about to come back. */
const unfinished: ReadonlySet<Ending> = new Set(["lost", "blocked", "lobby_full", "moved"]);

/** How long the page waits before it goes on by itself, in milliseconds. */
const PAUSE = 5_000;

/** A page in a frame leaves it to the page around it where people go on. */
const isFramed = window.self !== window.top;

/**
 * Where an invited person goes on after the meeting. The address comes from the stored invitation, never
 * from that of the page, and is followed only where nothing else is left to do here.
 */
export const GoOn = ({ reason }: { readonly reason: Ending }) => {
  const { invitation, lastTicket } = useMeeting();
  const [stays, setStays] = useState(false);
  const address = invitation?.returnUrl;
  const isRated = invitation?.rating === true && lastTicket !== undefined;
  const goes = address !== undefined && !stays && !isFramed && !isRated && done.has(reason);
  useEffect(() => {
    if (!goes) return;
    const timer = setTimeout(() => location.assign(address), PAUSE);
    return () => clearTimeout(timer);
  }, [goes, address]);
  if (address === undefined || unfinished.has(reason)) return null;
  const { host } = new URL(address);
  return (
    <>
      {goes && <p role="status">{m.leave.goesOn(host)}</p>}
      <Group gap="sm" justify="center">
        <Button component="a" href={address} target={isFramed ? "_top" : "_self"}>
          {m.leave.goOn(host)}
        </Button>
        {goes && (
          <Button variant="default" onClick={() => setStays(true)}>
            {m.leave.stay}
          </Button>
        )}
      </Group>
    </>
  );
};
