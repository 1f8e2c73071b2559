import type { SupportReport } from "infetch/models";
import { support } from "../../store/support.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Card } from "../../ui/panel.tsx";
import { WhenReady } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";

const ENGINES = {
  webllm: "web-llm",
  llamacpp: "llama.cpp",
  transformers: "transformers.js",
  upstream: "upstream",
} as const;

/** Browser capabilities and the engine of each model. */
export function DeviceCard() {
  return (
    <Card title="This device">
      <WhenReady of={support} what="what this device can do">
        {(report) => (
          <>
            <Device report={report} />
            <Engines report={report} />
          </>
        )}
      </WhenReady>
    </Card>
  );
}

function Device({ report: { webgpu, wasm, storage } }: { report: SupportReport }) {
  const rows = [
    ["WebGPU", webgpu.available ? webgpu.adapter : `Not available: ${webgpu.reason}`],
    ["Processor cores", String(wasm.cores)],
    ["Threads for WASM", wasm.threads ? "Yes" : "One: the page is not cross-origin isolated"],
    ["64-bit memory", wasm.memory64 ? "Yes" : "No: llama.cpp runs in its compatible build"],
    ["Private file system", storage.privateFiles ? "Yes" : "No: files are read into memory"],
  ] as const;
  return <DescriptionList class="details" rows={rows} />;
}

function Engines({ report: { models } }: { report: SupportReport }) {
  return (
    <details class="fold">
      <summary>Engines of the models</summary>
      <Table label="Engines of the models" columns={["Model", "Engine", "Why"]}>
        {models.map(({ id, engine, reason }) => (
          <tr key={id}>
            <td class="breakable">{id}</td>
            <td>{engine ? ENGINES[engine] : "none"}</td>
            <td>{reason}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
