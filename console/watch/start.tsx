import { createRoot } from "react-dom/client";
import { WatchApp } from "./app.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("watch.html has no #root");
createRoot(root).render(<WatchApp />);
