/** In each browser: the whole browser's memory while a large file is uploaded and read. */

import { expect, test } from "vitest";
import { browserNames } from "../../scripts/browsers/driven-browser.ts";
import { peakMemory } from "../support/process-memory.ts";
import { RoundBrowser } from "./support/round-browser.ts";
import { startRuntime, type TabWindow } from "./support/tabs.ts";

const FILE_MIB = 190;
/** The most that was measured beside the page's own file, garbage included. Another copy would add the file's size. */
const MEASURED_MIB = { chromium: 251, firefox: 325, webkit: 236 };

type Page = TabWindow & { file: Blob };

/** Makes the file and waits until the browser has put it where it keeps such blobs. */
async function makeFile(mebibytes: number): Promise<void> {
  const line = `${JSON.stringify({ padding: "x".repeat(1_048_576 - 15) })}\n`;
  let file = new Blob([]);
  for (let at = 0; at < mebibytes; at++) file = new Blob([file, line]);
  Object.assign(window, { file });
}

async function upload(): Promise<{ id: string; bytes: number }> {
  const { runtime, file } = window as unknown as Page;
  const body = new FormData();
  body.append("file", file, "large.jsonl");
  body.append("purpose", "batch");
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  return (await runtime.fetch("/v1/files", { method: "POST", headers, body })).json();
}

async function download(id: string): Promise<number> {
  const { runtime } = window as unknown as Page;
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const { body } = await runtime.fetch(`/v1/files/${id}/content`, { headers });
  let bytes = 0;
  const reader = body!.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
  return bytes;
}

test.runIf(process.platform === "linux").each(browserNames)("%s", async (name) => {
  const browser = await RoundBrowser.start(name, () => {});
  try {
    const tab = await browser.newTab();
    await startRuntime(tab);
    const made = await peakMemory(process.pid, () => tab.evaluate(makeFile, FILE_MIB));
    const uploaded = await peakMemory(process.pid, () => tab.evaluate(upload));
    expect(uploaded.value.bytes).toBe(FILE_MIB * 1_048_576);
    const read = await peakMemory(process.pid, () => tab.evaluate(download, uploaded.value.id));
    expect(read.value).toBe(uploaded.value.bytes);
    console.log(
      `${name}: memory for ${FILE_MIB} MiB: made ${made.peak}, uploaded ${uploaded.peak}, read ${read.peak} MiB`,
    );
    for (const { peak } of [uploaded, read]) expect(peak).toBeLessThan(MEASURED_MIB[name] + FILE_MIB / 2);
  } finally {
    await browser.close();
  }
});
