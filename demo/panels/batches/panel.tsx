import { useEffect } from "preact/hooks";
import { Panel } from "../../ui/panel.tsx";
import { WhenSettled } from "../../ui/states.tsx";
import { BatchesCard } from "./batches-card.tsx";
import { FilesCard } from "./files-card.tsx";
import { NewBatchCard } from "./new-batch-card.tsx";
import { batches, files, watchBatches } from "./store.ts";
import "./batches.css";

export default function BatchesPanel() {
  useEffect(watchBatches, []);
  return (
    <Panel
      title="Batches"
      lead="Many requests in one file, run in the background at batch prices. They survive a reload, and other requests go first."
    >
      <WhenSettled of={[batches, files]} what="the batches">
        <NewBatchCard />
        <BatchesCard />
        <FilesCard />
      </WhenSettled>
    </Panel>
  );
}
