import { Panel } from "../../ui/panel.tsx";
export default function P() {
  return (
    <Panel title="models" lead="x">
      x
    </Panel>
  );
}
