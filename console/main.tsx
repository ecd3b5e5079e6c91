import "./styles/mantine.ts";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { z } from "zod";
import { App } from "./app.tsx";
import { resume } from "./data/session.ts";

// Zod compiles its checks with `new Function` where it may; the Content-Security-Policy forbids
// it, and only trying would be reported.
z.config({ jitless: true });

resume();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(<App />);
