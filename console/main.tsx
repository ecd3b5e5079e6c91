import "./styles/font.css";
import "./styles/mantine.ts";
import "./styles/base.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { followAccount } from "./data/account.ts";
import { resume } from "./data/session.ts";

followAccount();
resume();

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(<App />);
