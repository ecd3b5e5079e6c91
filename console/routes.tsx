import { createBrowserRouter, type RouteObject, redirect } from "react-router";
import type { Person } from "../contract/people/access.ts";
import { baseHere } from "./kit/base.ts";
import { FaultPage, NotFound } from "./kit/not-found.tsx";
import { PageFrame } from "./shell/layout.tsx";

/** A page in a separate file, which is loaded when it is first opened. */
const page = <K extends string>(load: () => Promise<Record<K, React.ComponentType>>, name: K) => ({
  lazy: async () => ({ Component: (await load())[name] }),
  ErrorBoundary: FaultPage,
});

const meetings: RouteObject[] = [
  {
    path: "rooms/:id/meetings",
    ...page(() => import("./meetings/meetings-page.tsx"), "RoomMeetingsPage"),
  },
  { path: "meetings", ...page(() => import("./meetings/meetings-page.tsx"), "MeetingsPage") },
];

const account: RouteObject[] = [
  { path: "account", ...page(() => import("./account/account-page.tsx"), "AccountPage") },
];

const recordings: RouteObject[] = [
  {
    path: "recordings",
    ...page(() => import("./recordings/recordings-page.tsx"), "RecordingsPage"),
  },
  {
    path: "recordings/:id",
    ...page(() => import("./recordings/recording-page.tsx"), "RecordingPage"),
  },
  { path: "transcripts", ...page(() => import("./transcripts/found-page.tsx"), "FoundPage") },
];

const webhooks: RouteObject[] = [
  { path: "webhooks", ...page(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage") },
  { path: "webhooks/new", ...page(() => import("./webhooks/edit-page.tsx"), "NewWebhookPage") },
  { path: "webhooks/:id", ...page(() => import("./webhooks/webhook-page.tsx"), "WebhookPage") },
  {
    path: "webhooks/:id/edit",
    ...page(() => import("./webhooks/edit-page.tsx"), "EditWebhookPage"),
  },
];

const providers: RouteObject[] = [
  { path: "sign-in", ...page(() => import("./providers/providers-page.tsx"), "ProvidersPage") },
  {
    path: "sign-in/new",
    ...page(() => import("./providers/provider-page.tsx"), "NewProviderPage"),
  },
  { path: "sign-in/:id", ...page(() => import("./providers/provider-page.tsx"), "ProviderPage") },
];

const administration: RouteObject[] = [
  { index: true, ...page(() => import("./overview/overview.tsx"), "OverviewPage") },
  { path: "rooms", ...page(() => import("./rooms/rooms-page.tsx"), "RoomsPage") },
  { path: "rooms/new", ...page(() => import("./rooms/new-room-page.tsx"), "NewRoomPage") },
  { path: "rooms/:id", ...page(() => import("./rooms/edit-room-page.tsx"), "EditRoomPage") },
  ...meetings,
  ...recordings,
  { path: "usage", ...page(() => import("./usage/usage-page.tsx"), "UsagePage") },
  { path: "people", ...page(() => import("./people/people-page.tsx"), "ActivePeoplePage") },
  {
    path: "people/revoked",
    ...page(() => import("./people/people-page.tsx"), "RevokedPeoplePage"),
  },
  { path: "people/new", ...page(() => import("./people/new-person-page.tsx"), "NewPersonPage") },
  { path: "people/:id", ...page(() => import("./people/person-page.tsx"), "PersonPage") },
  { path: "import", ...page(() => import("./imports/import-page.tsx"), "ImportPage") },
  { path: "access-keys", ...page(() => import("./access/access-keys.tsx"), "AccessKeysPage") },
  { path: "history", ...page(() => import("./history/history-page.tsx"), "HistoryPage") },
  { path: "emails", ...page(() => import("./organization/emails.tsx"), "EmailsPage") },
  { path: "bin", ...page(() => import("./bin/bin-page.tsx"), "BinPage") },
  ...webhooks,
  ...providers,
  ...account,
  { path: "settings", ...page(() => import("./organization/settings.tsx"), "SettingsPage") },
  // The former address of the list.
  { path: "letters", loader: ({ request }) => redirect(`/emails${new URL(request.url).search}`) },
];

const ownRooms: RouteObject[] = [
  { index: true, ...page(() => import("./rooms/rooms-page.tsx"), "RoomsPage") },
  { path: "rooms", ...page(() => import("./rooms/rooms-page.tsx"), "RoomsPage") },
  { path: "rooms/new", ...page(() => import("./rooms/own-room-page.tsx"), "NewOwnRoomPage") },
  { path: "rooms/:id", ...page(() => import("./rooms/own-room-page.tsx"), "OwnRoomPage") },
  ...meetings,
  ...recordings,
  ...account,
];

type Router = ReturnType<typeof createBrowserRouter>;
let made: { readonly id: string; readonly admin: boolean; readonly router: Router } | undefined;

/** The pages for this person; without `admin`, only their own rooms. */
export const routesFor = ({ id, admin }: Person): Router => {
  if (made?.id !== id || made.admin !== admin) {
    made?.router.dispose();
    const children = [...(admin ? administration : ownRooms), { path: "*", Component: NotFound }];
    const router = createBrowserRouter(
      [{ Component: PageFrame, ErrorBoundary: FaultPage, HydrateFallback: () => null, children }],
      { basename: baseHere() || "/" },
    );
    made = { id, admin, router };
  }
  return made.router;
};
