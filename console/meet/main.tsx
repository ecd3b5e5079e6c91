import "../styles/mantine.ts";
import "../styles/base.css";
import { createRoot } from "react-dom/client";
import { resume } from "../data/session.ts";
import { MeetApp } from "./app.tsx";

resume();

const root = document.getElementById("root");
if (root === null) throw new Error("meet.html has no #root");
createRoot(root).render(<MeetApp />);
