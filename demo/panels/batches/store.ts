/** Files and batches from the API, reloaded whenever a batch progresses. */

import { type Signal, signal } from "@preact/signals";
import type OpenAI from "openai";
import { reasonOf } from "../../store/loadable.ts";
import { begin, openai, runtime } from "../../store/runtime.ts";
import { downloadBlob } from "../../ui/download.ts";
import { PagedList } from "./paged-list.ts";

export const problem = signal("");
/** Name of the file being stored. */
export const uploading: Signal<string> = signal("");

export const batches = new PagedList((client: OpenAI, limit) => client.batches.list({ limit }));
export const files = new PagedList((client: OpenAI, limit) => client.files.list({ limit }));

/** Loads both now and on every batch event. Returns a function that stops it. */
export function watchBatches(): () => void {
  const refresh = (): void => {
    void batches.refresh();
    void files.refresh();
  };
  refresh();
  return runtime().on("batch", refresh);
}

/** Runs `work` and shows the error if it fails. */
async function attempt(words: string, work: (client: OpenAI) => Promise<unknown>): Promise<void> {
  const end = begin(words);
  try {
    await work(await openai());
    problem.value = "";
  } catch (error) {
    problem.value = reasonOf(error);
  } finally {
    end();
    await Promise.all([batches.refresh(), files.refresh()]);
  }
}

let lastRun: Promise<void> = Promise.resolve();

/** Starts a batch for each file, after those of earlier calls. Shows the errors of all of them. */
export function runFiles(chosen: readonly File[]): Promise<void> {
  lastRun = lastRun.then(async () => {
    const problems: string[] = [];
    for (const file of chosen) {
      await runFile(file);
      if (problem.value === "") continue;
      problems.push(chosen.length > 1 ? `${file.name}: ${problem.value}` : problem.value);
    }
    problem.value = problems.join(" ");
  });
  return lastRun;
}

/** Stores a file of requests and starts a batch. */
async function runFile(file: File): Promise<void> {
  uploading.value = file.name;
  await attempt("Storing a file", async (client) => {
    const stored = await client.files.create({ file, purpose: "batch" });
    await client.batches.create({
      input_file_id: stored.id,
      endpoint: await endpointOf(file),
      completion_window: "24h",
      metadata: { name: file.name.slice(0, 512) },
    });
  });
  uploading.value = "";
}

export function cancelBatch(id: string): Promise<void> {
  return attempt("Cancelling", (client) => client.batches.cancel(id));
}

export function deleteFile(id: string): Promise<void> {
  return attempt("Deleting", (client) => client.files.delete(id));
}

export function saveFile(id: string, name: string): Promise<void> {
  return attempt("Reading a file", async (client) => {
    const response = await client.files.content(id);
    downloadBlob(name, await response.blob());
  });
}

type Endpoint = OpenAI.BatchCreateParams["endpoint"];

/** Maximum length of an inspected line; the API validates all lines. */
const LOOKED_AT_BYTES = 1_000_000;

/** The first request's endpoint, since a batch has a single endpoint. */
async function endpointOf(file: File): Promise<Endpoint> {
  const [first = ""] = (await file.slice(0, LOOKED_AT_BYTES).text()).trimStart().split("\n", 1);
  try {
    const { url } = JSON.parse(first) as { url?: unknown };
    if (typeof url === "string") return url as Endpoint;
  } catch {
    // The API reports the invalid line.
  }
  return "/v1/chat/completions";
}
