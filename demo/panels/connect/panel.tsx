import { useEffect } from "preact/hooks";
import { models } from "../../store/models.ts";
import { Panel } from "../../ui/panel.tsx";
import { AddressCard } from "./address-card.tsx";
import { CodeCard } from "./code-card.tsx";
import { LogCard } from "./log-card.tsx";
import "./connect.css";

export default function ConnectPanel() {
  useEffect(() => void models.refresh(), []);
  return (
    <Panel
      title="Connect"
      lead="The client that your app has already, on models that run in its own page. Copy the code; it is what this console does."
    >
      <AddressCard />
      <CodeCard />
      <LogCard />
    </Panel>
  );
}
