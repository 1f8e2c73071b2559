import { useEffect } from "preact/hooks";
import { checkGraphics, graphics } from "../../store/graphics.ts";
import { Card } from "../../ui/panel.tsx";

/** What this device brings. */
export function DeviceCard() {
  useEffect(() => void checkGraphics(), []);
  const state = graphics.value;
  const rows = [
    [
      "WebGPU",
      state.state === "present" ? state.name : state.state === "missing" ? state.reason : "Looking …",
    ],
    ["Processor cores", String(navigator.hardwareConcurrency)],
    ["Threads for WASM", crossOriginIsolated ? "Yes" : "One: the page is not cross-origin isolated"],
  ] as const;
  return (
    <Card title="This device">
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
