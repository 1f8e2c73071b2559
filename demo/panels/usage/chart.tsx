import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount, formatMoney } from "../../format/format.ts";
import { theme } from "../../store/theme.ts";
import type { ChartData } from "./series.ts";
import type { Measure, WindowSize } from "./store.ts";

interface ChartProps {
  data: ChartData;
  measure: Measure;
  size: WindowSize;
}

const COLORS = 5;

export function formatMeasure(measure: Measure, value: number): string {
  return measure === "cost" ? formatMoney(value) : formatCount(value);
}

/** Windows are in UTC, like the ledger's. */
export function formatWindow(size: WindowSize, seconds: number): string {
  const options: Intl.DateTimeFormatOptions =
    size === "hour" ? { hour: "2-digit", minute: "2-digit" } : { day: "numeric", month: "short" };
  return new Date(seconds * 1000).toLocaleString("en-GB", { ...options, timeZone: "UTC" });
}

/** Column chart with a legend; the table below has the same data. */
export function Chart({ data, measure, size }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const failed = useSignal(false);
  const chosenTheme = theme.value;
  const repaint = useSignal(0);
  useEffect(() => {
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const again = (): void => {
      repaint.value += 1;
    };
    scheme.addEventListener("change", again);
    return () => scheme.removeEventListener("change", again);
  }, []);
  useEffect(() => {
    let isGone = false;
    let remove = (): void => {};
    import("./draw-chart.ts").then(
      ({ drawChart }) => {
        if (isGone || !place.current) return;
        remove = drawChart(place.current, data, {
          ...colorsOf(place.current),
          formatValue: (value) => formatMeasure(measure, value),
          formatTime: (seconds) => formatWindow(size, seconds),
        });
      },
      () => {
        failed.value = true;
      },
    );
    return () => {
      isGone = true;
      remove();
    };
  }, [data, measure, size, chosenTheme, repaint.value]);
  return (
    <figure class="chart" aria-label={`Chart of ${measure} for each ${size}`}>
      <div ref={place} class="chart-canvas" aria-hidden="true" />
      {failed.value ? (
        <p class="hint">The chart could not be loaded. The table below has the same data.</p>
      ) : null}
      <figcaption class="legend-row">
        <span>{size === "hour" ? "Hours" : "Days"} in UTC</span>
        {data.series.map(({ name }, at) => (
          <span key={name} class="legend-item">
            <i class={`swatch series-${(at % COLORS) + 1}`} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** The variables are registered as colors (`usage.css`), so their computed values are resolved. */
function colorsOf(element: HTMLElement): { colors: string[]; text: string; grid: string } {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    colors: Array.from({ length: COLORS }, (_, at) => read(`--series-${at + 1}`)),
    text: read("--chart-text"),
    grid: read("--chart-grid"),
  };
}
