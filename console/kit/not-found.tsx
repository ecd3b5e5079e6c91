import { Button } from "@mantine/core";
import { IconBug, IconMapOff } from "@tabler/icons-react";
import { Link } from "react-router";
import { t } from "../texts/index.ts";
import { PageHeader } from "./page-header.tsx";
import { Blank } from "./states.tsx";

export const NotFound = () => (
  <>
    <PageHeader title={t.states.notFound} />
    <div className="card">
      <Blank
        icon={IconMapOff}
        title={t.states.notFound}
        action={
          <Button component={Link} to="/" variant="default">
            {t.states.toOverview}
          </Button>
        }
      >
        {t.states.notFoundHelp}
      </Blank>
    </div>
  </>
);

/** A fault of the console itself, or a page whose file could not be loaded. */
export const FaultPage = () => (
  <div role="alert">
    <Blank
      icon={IconBug}
      title={t.states.broken}
      action={
        <Button variant="default" onClick={() => location.reload()}>
          {t.states.reload}
        </Button>
      }
    />
  </div>
);
