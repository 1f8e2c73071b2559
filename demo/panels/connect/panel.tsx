import { useEffect } from "preact/hooks";
import { models } from "../../store/models.ts";
import { Panel } from "../../ui/panel.tsx";
import { WhenSettled } from "../../ui/states.tsx";
import { AddressCard } from "./address-card.tsx";
import { CodeCard } from "./code-card.tsx";
import { LogCard } from "./log-card.tsx";
import "./connect.css";

export default function ConnectPanel() {
  useEffect(() => void models.refresh(), []);
  return (
    <Panel
      title="Connect"
      lead="Use the client that your app already has, with models that run in the page. This console runs the same code."
    >
      <WhenSettled of={[models]} what="the models">
        <AddressCard />
        <CodeCard />
        <LogCard />
      </WhenSettled>
    </Panel>
  );
}
