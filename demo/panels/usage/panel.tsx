import { Panel } from "../../ui/panel.tsx";
export default function P() {
  return (
    <Panel title="usage" lead="x">
      x
    </Panel>
  );
}
