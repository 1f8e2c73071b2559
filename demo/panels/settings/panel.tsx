import { Panel } from "../../ui/panel.tsx";
export default function P() {
  return (
    <Panel title="settings" lead="x">
      x
    </Panel>
  );
}
