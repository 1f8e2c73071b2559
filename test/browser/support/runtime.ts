import { createRuntime, type Runtime, type RuntimeOptions } from "infetch";
import OpenAI from "openai";

/** An unmodified OpenAI SDK with the runtime's `fetch`. Retries are off, so that failures surface. */
export function openaiFor(runtime: Runtime): OpenAI {
  return new OpenAI({
    apiKey: runtime.apiKey,
    baseURL: runtime.baseURL,
    fetch: runtime.fetch,
    dangerouslyAllowBrowser: true,
    maxRetries: 0,
  });
}

export async function startRuntime(options?: RuntimeOptions): Promise<{ runtime: Runtime; openai: OpenAI }> {
  const runtime = await createRuntime(options);
  return { runtime, openai: openaiFor(runtime) };
}

/** Less than the limit of a test, so that the failure names the request that has no answer. */
const ANSWER_LIMIT_MS = 210_000;

/** Posts a JSON body with plain `fetch`. */
export async function post(runtime: Runtime, path: string, body: unknown): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_LIMIT_MS);
  try {
    return await runtime.fetch(`${runtime.baseURL}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${runtime.apiKey}`, "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
      signal: late.signal,
    });
  } catch (error) {
    if (!late.signal.aborted) throw error;
    throw new Error(`no answer to POST ${path}; the models: ${await stateOf(runtime)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** What the server says of its models, or that it does not answer either. */
async function stateOf(runtime: Runtime): Promise<string> {
  const headers = { authorization: `Bearer ${runtime.apiKey}` };
  const signal = AbortSignal.timeout(5_000);
  return runtime.fetch(`${runtime.baseURL}/models`, { headers, signal }).then(
    (response) => response.text(),
    (error) => String(error),
  );
}

const project = import.meta.env!.TEST_PROJECT ?? "";

/** Whether this project's browser must have WebGPU (`vitest.config.ts`). */
export const expectsWebGPU = ["chromium", "single-engine", "library"].includes(project);

/** Whether web-llm's chat API drives the models on WebGPU. */
export const usesChatAPI = project === "single-engine";

/** Whether requests of one model run side by side. */
export async function runsSeveral(): Promise<boolean> {
  return (await hasWebGPU()) && !usesChatAPI;
}

/** Whether this browser has WebGPU: the project `no-webgpu` runs the same tests without it. */
export async function hasWebGPU(): Promise<boolean> {
  return Boolean(await navigator.gpu?.requestAdapter());
}
