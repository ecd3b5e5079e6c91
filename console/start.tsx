import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { followAccount } from "./kit/account.ts";
import { resume } from "./kit/session.ts";

followAccount();
resume();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(<App />);
