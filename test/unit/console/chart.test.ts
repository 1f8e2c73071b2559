/** The usage chart's ticks stand at the starts of UTC windows, in any time zone. */

import type uPlot from "uplot";
import { expect, test, vi } from "vitest";

let drawn: uPlot.Options;

vi.mock("uplot", async (original) => {
  const { default: actual } = (await original()) as { default: typeof uPlot };
  return {
    default: class {
      static paths = actual.paths;
      static tzDate = actual.tzDate;
      constructor(options: uPlot.Options) {
        drawn = options;
      }
    },
  };
});

test.each(["Asia/Kolkata", "America/St_Johns", "UTC"])("in %s", async (timeZone) => {
  const zone = process.env.TZ;
  process.env.TZ = timeZone;
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe(): void {}
    },
  );
  try {
    const { drawChart } = await import("../../../demo/panels/usage/draw-chart.ts");
    const look = { colors: ["red"], text: "", grid: "", formatValue: String, formatTime: String };
    const midnight = Date.UTC(2026, 10, 3) / 1000;
    drawChart({ clientWidth: 300 } as HTMLElement, { times: [midnight], series: [], total: 0 }, look);
    const date = drawn.tzDate!(midnight);
    expect([date.getDate(), date.getHours(), date.getMinutes()]).toEqual([3, 0, 0]);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    vi.unstubAllGlobals();
  }
});
