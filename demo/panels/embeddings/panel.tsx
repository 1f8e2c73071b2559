import { Panel } from "../../ui/panel.tsx";
export default function P() {
  return (
    <Panel title="embeddings" lead="x">
      x
    </Panel>
  );
}
