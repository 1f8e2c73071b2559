const TICK_MS = 5_000;
/** How many ticks a ping may take: a server never blocks for longer. */
const SILENT_TICKS = 5;

/**
 * Watches a server whose page may be suspended without a word, as in the background on phones: it holds its Web Lock, and
 * answers nothing. Pings it while something waits for it. Ticks, since this page may be suspended, too.
 *
 * @param signal ends the watch
 */
export function watchSilence(
  isAwaited: () => boolean,
  ping: () => Promise<unknown>,
  onSilent: () => void,
  signal: AbortSignal,
): void {
  /** Ticks since an unanswered ping was sent. */
  let ticks: number | undefined;
  const onAnswer = (): void => {
    ticks = undefined;
  };
  const timer = setInterval(() => {
    if (ticks !== undefined && ++ticks > SILENT_TICKS) onSilent();
    else if (ticks === undefined && isAwaited()) {
      ticks = 0;
      ping().then(onAnswer, onAnswer);
    }
  }, TICK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
}
