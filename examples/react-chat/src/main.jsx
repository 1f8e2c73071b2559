import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat.jsx";

createRoot(document.querySelector("#app")).render(
  <StrictMode>
    <Chat model="infetch-tiny" />
  </StrictMode>,
);
