/** A file far larger than the memory bound: measures the whole browser's memory while the file is streamed. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { peakMemory } from "../../support/process-memory.ts";
import { type BatchPage, get, openPage, openRuntime, type RuntimeWindow } from "./support/page.ts";

const FILE_MIB = 190;
const LINES = 40_000;
/** Less than the file's size: a buffered file would exceed it. Most of what is measured is garbage. */
const BOUND_MIB = 170;

let opened: BatchPage;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "infetch-large-"));
  opened = await openPage();
});
afterAll(async () => {
  await opened?.close();
  await rm(folder, { recursive: true });
});

/** A valid file whose last line is broken, so that all of it is read and no line runs. */
async function writeFile(path: string): Promise<void> {
  const file = createWriteStream(path);
  const padding = "x".repeat(Math.floor((FILE_MIB * 1024 * 1024) / LINES) - 200);
  for (let at = 1; at < LINES; at++) {
    const body = { model: "infetch-tiny", messages: [{ role: "user", content: padding }] };
    const line = { custom_id: `line ${at}`, method: "POST", url: "/v1/chat/completions", body };
    if (!file.write(`${JSON.stringify(line)}\n`)) await once(file, "drain");
  }
  file.end("broken");
  await once(file, "close");
}

function upload(page: Page) {
  return page.evaluate(async () => {
    const form = new FormData();
    form.append("file", document.querySelector("input")!.files![0]!);
    form.append("purpose", "batch");
    return (await (window as never as RuntimeWindow).call("/files", { method: "POST", body: form })).json();
  });
}

/** Streams the content. @returns its size in bytes */
function download(page: Page, id: string): Promise<number> {
  return page.evaluate(async (path) => {
    const { body } = await (window as never as RuntimeWindow).call(path);
    let bytes = 0;
    const reader = body!.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
    return bytes;
  }, `/files/${id}/content`);
}

test.skipIf(process.platform !== "linux")(
  "a large file is uploaded, validated and downloaded in little memory",
  async () => {
    const { page } = opened;
    const path = join(folder, "large.jsonl");
    await writeFile(path);
    await openRuntime(page, "batch-large");
    await page.setContent('<input type="file">');
    await page.setInputFiles("input", path);
    const uploaded = await peakMemory(opened.processId, () => upload(page));
    const file = uploaded.value;
    expect(file.bytes).toBeGreaterThan(100 * 1024 * 1024);

    const validated = await peakMemory(opened.processId, async () => {
      const batch = await page.evaluate(async (id) => {
        const body = JSON.stringify({
          input_file_id: id,
          endpoint: "/v1/chat/completions",
          completion_window: "24h",
        });
        return (await (window as never as RuntimeWindow).call("/batches", { method: "POST", body })).json();
      }, file.id);
      const status = async () => (await get(page, `/batches/${batch.id}`)).status;
      await expect.poll(status, { timeout: 120_000 }).toBe("failed");
      return get(page, `/batches/${batch.id}`);
    });
    expect(validated.value.errors.data).toMatchObject([{ code: "invalid_json_line", line: LINES }]);

    const downloaded = await peakMemory(opened.processId, () => download(page, file.id));
    expect(downloaded.value).toBe(file.bytes);
    const peaks = [uploaded, validated, downloaded].map(({ peak }) => peak);
    console.log(
      `memory beyond idle for ${FILE_MIB} MiB: upload ${peaks[0]}, validation ${peaks[1]}, download ${peaks[2]} MiB`,
    );
    for (const peak of peaks) expect(peak).toBeLessThan(BOUND_MIB);
  },
);
