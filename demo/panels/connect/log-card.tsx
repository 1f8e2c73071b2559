import { type Signal, signal } from "@preact/signals";
import type { UsageEvent } from "infetch/billing";
import { useEffect } from "preact/hooks";
import { formatDuration } from "../../format/format.ts";
import { clearRequests, type LoggedRequest, requests } from "../../store/requests.ts";
import { runtime } from "../../store/runtime.ts";
import { Card } from "../../ui/panel.tsx";
import { Empty } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";

/** Usage by request id. Empty without a ledger. */
const usage: Signal<ReadonlyMap<string, UsageEvent>> = signal(new Map());

async function readUsage(): Promise<void> {
  const events = await runtime()
    .usage.list({ limit: 200 })
    .catch(() => []);
  usage.value = new Map(events.map((event) => [event.requestId, event]));
}

/** Log of completed requests: status, time and usage, never contents. */
export function LogCard() {
  useEffect(() => {
    void readUsage();
    return runtime().on("ledger", () => void readUsage());
  }, []);
  return (
    <Card
      title="Requests"
      aside={
        <button
          type="button"
          class="button small"
          disabled={requests.value.length === 0}
          onClick={clearRequests}
        >
          Clear
        </button>
      }
    >
      <p class="soft small-text">
        Requests since this page was opened, with status, time and usage. Contents are never logged.
      </p>
      {requests.value.length === 0 ? (
        <Empty icon="plug" title="No request yet">
          <p>Run the code, or use another panel: each request appears here as it ends.</p>
        </Empty>
      ) : (
        <Table
          label="List of requests"
          columns={[
            "Time",
            "Request",
            "Status",
            "Model",
            { number: "Took" },
            { number: "Read" },
            { number: "Written" },
          ]}
        >
          {requests.value.map((request) => (
            <LogRow key={request.requestId} request={request} />
          ))}
        </Table>
      )}
    </Card>
  );
}

function LogRow({ request }: { request: LoggedRequest }) {
  const metered = usage.value.get(request.requestId);
  const tone = request.status < 400 ? "good" : "bad";
  return (
    <tr title={request.requestId}>
      <td class="number log-time">{new Date(request.endedAtMs).toLocaleTimeString("en-GB")}</td>
      <td class="mono log-path">
        {request.method} {request.path}
      </td>
      <td>
        <span class={`tag ${tone}`}>{request.status}</span>
      </td>
      <td class="breakable">{metered?.model ?? ""}</td>
      <td class="number">{formatDuration(request.durationMs)}</td>
      <td class="number">{metered ? metered.inputTokens.toLocaleString("en") : ""}</td>
      <td class="number">{metered ? metered.outputTokens.toLocaleString("en") : ""}</td>
    </tr>
  );
}
