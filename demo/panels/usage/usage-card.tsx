import { bind } from "../../ui/bind.ts";
import { Card } from "../../ui/panel.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Empty, WhenReady } from "../../ui/states.tsx";
import { Table } from "../../ui/table.tsx";
import { Chart, formatMeasure, formatWindow } from "./chart.tsx";
import { type ChartData, toChartData } from "./series.ts";
import {
  breakdowns,
  type Grouping,
  grouping,
  type Measure,
  measure,
  type WindowSize,
  windowSize,
} from "./store.ts";

const SIZES = [
  ["hour", "24 hours"],
  ["day", "30 days"],
] as const satisfies readonly (readonly [WindowSize, string])[];
const MEASURES = [
  ["tokens", "Tokens"],
  ["cost", "Cost"],
] as const satisfies readonly (readonly [Measure, string])[];
const GROUPINGS = [
  ["model", "By model"],
  ["tier", "By tier"],
  ["product", "By kind"],
] as const satisfies readonly (readonly [Grouping, string])[];

/** Usage over time. */
export function UsageCard() {
  return (
    <Card
      title="Usage"
      aside={
        <div class="row">
          <Segmented
            label="Time"
            value={windowSize.value}
            options={SIZES}
            onChange={(size) => {
              windowSize.value = size;
              void breakdowns.refresh();
            }}
          />
          <Segmented label="Measure" options={MEASURES} {...bind(measure)} />
          <Segmented label="Grouping" options={GROUPINGS} {...bind(grouping)} />
        </div>
      }
    >
      <WhenReady of={breakdowns} what="the usage">
        {({ period, items }) => {
          const data = toChartData(period, items, grouping.value, measure.value);
          if (data.total === 0 && items.every((item) => item.line_items.length === 0)) return <Unused />;
          return (
            <>
              <Chart data={data} measure={measure.value} size={windowSize.value} />
              <ChartTable data={data} />
            </>
          );
        }}
      </WhenReady>
    </Card>
  );
}

function Unused() {
  return (
    <Empty icon="chart" title="No usage in this period">
      <p>Every request of this page is metered. Send a chat message, then look again.</p>
    </Empty>
  );
}

/** Accessible table of the chart's data. */
function ChartTable({ data }: { data: ChartData }) {
  const used = data.times
    .map((_, at) => at)
    .filter((at) => data.series.some(({ values }) => values[at]! > 0));
  return (
    <details class="fold">
      <summary>As a table</summary>
      <Table
        label="Usage as a table"
        columns={[
          windowSize.value === "hour" ? "Hour (UTC)" : "Day (UTC)",
          ...data.series.map(({ name }) => ({ number: name })),
        ]}
      >
        {used.map((at) => (
          <tr key={at}>
            <td>{formatWindow(windowSize.value, data.times[at]!)}</td>
            {data.series.map(({ name, values }) => (
              <td key={name} class="number">
                {formatMeasure(measure.value, values[at]!)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  );
}
