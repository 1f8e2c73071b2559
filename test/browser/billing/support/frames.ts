/** Frames that stand in for tabs of one origin: each has its own server worker and engine worker. */

import type { Runtime, RuntimeOptions } from "infetch";
import { onTestFinished } from "vitest";

interface FrameWindow extends Window {
  infetch: typeof import("infetch");
}

/** Creates a runtime in a new frame, and closes it with the test: a removed frame may hold its locks for long. */
export async function runtimeInFrame(options: RuntimeOptions): Promise<Runtime> {
  const frame = document.createElement("iframe");
  const loaded = new Promise((resolve) => addEventListener("infetch-frame", resolve, { once: true }));
  // WebKit does not resolve relative URLs in a `srcdoc` document.
  frame.srcdoc = `<script type="module">
    window.infetch = await import("${location.origin}/package/index.js");
    parent.dispatchEvent(new Event("infetch-frame"));
  </script>`;
  document.body.append(frame);
  await loaded;
  const { infetch } = frame.contentWindow as unknown as FrameWindow;
  const runtime = await infetch.createRuntime({
    baseURL: `${location.origin}/v1`,
    shared: false,
    ...options,
  });
  onTestFinished(() => runtime.close());
  return runtime;
}

/** A storage name that no other test uses. */
export function freshLedgerName(): string {
  return `test-${crypto.randomUUID()}`;
}
