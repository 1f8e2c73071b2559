import { useEffect } from "preact/hooks";
import { Panel } from "../../ui/panel.tsx";
import { WhenSettled } from "../../ui/states.tsx";
import { DraftCard } from "./draft-card.tsx";
import { ExportCard } from "./export-card.tsx";
import { Figures } from "./figures.tsx";
import { InvoicesCard } from "./invoices-card.tsx";
import { breakdowns, draft, events, invoices, watchLedger } from "./store.ts";
import { UsageCard } from "./usage-card.tsx";
import "./usage.css";

export default function UsagePanel() {
  useEffect(watchLedger, []);
  return (
    <Panel
      title="Usage & invoices"
      lead="Every token is metered in this browser, and the data stays here. Nothing is charged: the prices show what an invoice would say."
    >
      <WhenSettled of={[breakdowns, draft, events, invoices]} what="the usage">
        <Figures />
        <UsageCard />
        <DraftCard />
        <InvoicesCard />
        <ExportCard />
      </WhenSettled>
    </Panel>
  );
}
