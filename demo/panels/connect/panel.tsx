import { Panel } from "../../ui/panel.tsx";
export default function P() {
  return (
    <Panel title="connect" lead="x">
      x
    </Panel>
  );
}
