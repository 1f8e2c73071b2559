/** Prints load progress in a terminal. */

interface Progress {
  type: string;
  model: string;
  phase: string;
  loadedBytes: number;
  totalBytes: number;
  fraction: number;
  waitsUntil?: number;
}

const WORDS: Record<string, string> = { download: "reading", compile: "compiling" };

/** Handles runtime events; a terminal gets one updating line, a file one line per phase or wait. */
export function progressPrinter(output: NodeJS.WriteStream): (event: unknown) => void {
  let lastState = "";
  return (event) => {
    const progress = event as Progress;
    if (progress.type !== "progress") return;
    const state = `${progress.phase} ${progress.waitsUntil ?? ""}`;
    const isNew = state !== lastState;
    lastState = state;
    if (output.isTTY) output.write(`\r\u001b[K${progress.phase === "ready" ? "" : describe(progress)}`);
    else if (isNew) output.write(`${describe(progress)}\n`);
  };
}

function describe({ model, phase, loadedBytes, totalBytes, fraction, waitsUntil }: Progress): string {
  if (phase === "ready") return `${model}: ready`;
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
  const percent = Math.round(fraction * 100);
  const wait = waitsUntil
    ? `, waits for the server until ${new Date(waitsUntil).toLocaleTimeString("en-GB")}`
    : "";
  return `${model}: ${WORDS[phase] ?? phase} ${percent} % (${megabytes(loadedBytes)} of ${megabytes(totalBytes)} MB)${wait}`;
}
