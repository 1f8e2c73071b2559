import { Panel } from "../../ui/panel.tsx";
export default function P() {
  return (
    <Panel title="batches" lead="x">
      x
    </Panel>
  );
}
