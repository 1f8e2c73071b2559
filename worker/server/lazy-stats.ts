import { systemTimers } from "../clock.ts";
import type { EngineStats } from "../engines/scheduling/engine-stats.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import { loadPart } from "../lazy/part.ts";
import type { Pages } from "./pages.ts";

/** Reports what models do to the pages that listen. Loaded when the first one does; if that fails, with the next. */
export function openStats(engines: EngineSupervisor, pages: Pages): void {
  let stats: EngineStats | undefined;
  pages.onWatch = async () => {
    try {
      const { EngineStats } = await loadPart(() => import("../engines/scheduling/engine-stats.ts"));
      stats ??= new EngineStats(engines, {
        isWatched: () => pages.isWatched,
        emit: pages.broadcastStats,
        timers: systemTimers,
      });
      stats.begin();
    } catch {}
  };
}
