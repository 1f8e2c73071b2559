/** Stacked columns with uPlot, loaded with the first chart. */

import uPlot from "uplot";
import type { ChartData } from "./series.ts";
import "uplot/dist/uPlot.min.css";

interface ChartLook {
  /** One per series; resolved, because a canvas does not support CSS variables. */
  colors: readonly string[];
  text: string;
  grid: string;
  formatValue: (value: number) => string;
  formatTime: (seconds: number) => string;
}

const HEIGHT_PX = 260;

/** Draws into `place`; returns a function that removes the chart. */
export function drawChart(place: HTMLElement, data: ChartData, look: ChartLook): () => void {
  const columns = uPlot.paths.bars!({ size: [0.7, 40], radius: 0.18 });
  const stacked = stack(data);
  const axis = { stroke: look.text, grid: { stroke: look.grid, width: 1 }, ticks: { show: false } };
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height: HEIGHT_PX,
      legend: { show: false },
      cursor: { show: false },
      // Ticks at the starts of windows, which are in UTC.
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      padding: [12, 12, 0, 0],
      scales: {
        x: { time: true, range: (_, low, high) => [low - stepOf(data) / 2, high + stepOf(data) / 2] },
        y: { range: (_, __, high) => [0, high > 0 ? high * 1.1 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 64,
          size: 34,
          values: (_, splits) => splits.map(look.formatTime),
        },
        {
          ...axis,
          size: (_, labels) => widthOf(labels),
          values: (_, splits) => splits.map(look.formatValue),
        },
      ],
      series: [
        {},
        ...stacked.map((_, at) => ({
          fill: look.colors[at % look.colors.length]!,
          width: 0,
          paths: columns,
          points: { show: false },
        })),
      ],
    },
    [data.times, ...stacked],
    place,
  );
  const fit = new ResizeObserver(() => chart.setSize({ width: place.clientWidth, height: HEIGHT_PX }));
  fit.observe(place);
  return () => {
    fit.disconnect();
    chart.destroy();
  };
}

/** Stacks the series: each adds all later ones, which are drawn over it. */
function stack({ times, series }: ChartData): number[][] {
  return series.map((_, from) =>
    times.map((__, at) => series.slice(from).reduce((sum, { values }) => sum + values[at]!, 0)),
  );
}

/** Width of the longest label, at about one digit per character. */
function widthOf(labels: readonly string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return 16 + longest * 7.5;
}

function stepOf({ times }: ChartData): number {
  return (times[1] ?? 3600) - (times[0] ?? 0);
}
