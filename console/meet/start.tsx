import { createRoot } from "react-dom/client";
import { followAccount } from "../kit/account.ts";
import { onSession, resume } from "../kit/session.ts";
import { MeetApp } from "./app.tsx";
import { meeting } from "./connection.ts";

followAccount();
resume();

// The room of the link is requested before anything is drawn, and again after somebody has signed in.
let before = "starting";
onSession((session) => {
  const now = session.state === "signed in" ? session.user.id : session.state;
  // Where it is not known whether somebody is signed in, they would come as a guest.
  if (now !== before && now !== "unreachable") void meeting.load();
  before = now;
});

// A page that is not in a frame hears no other page.
if (window.parent !== window) {
  void import("./embed/bridge.ts").then(({ connectEmbedder }) => connectEmbedder());
}

// Another invitation in the same tab changes only the hash, with which the browser does not reload the page.
addEventListener("hashchange", () => {
  meeting.leave();
  location.reload();
});

const root = document.getElementById("root");
if (root === null) throw new Error("meet.html has no #root");
createRoot(root).render(<MeetApp />);
