/** Steps that a page takes with a runtime until one fails. */

import type { Page } from "playwright";
import type { RuntimeOptions } from "../../../../src/options/runtime-options.ts";
import type { DeploymentRequest } from "../../../../src/protocol/rpc/deployments.ts";
import type { KeyRequest } from "../../../../src/protocol/rpc/keys.ts";

const messages = [{ role: "user", content: "Hello!" }];
const chat = { path: "/chat/completions", body: { model: "infetch-tiny", messages, max_tokens: 2 } };
/** A small image. The note makes the page look for blob URLs. */
const look = {
  type: "image_url",
  image_url: {
    url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADAAAAAgCAIAAADbtmxLAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAUklEQVR4nO2WWw0AMAjEEFH/KpCDl03C/ZBlH20QQBoeVwMrRe9U2RAaamdo3DK8Q3gY29eBz5VH8WMpDs1ZwoYSGkpoKKGhhIYSGkpoKPGdoQsYTNH5f4tvfwAAAABJRU5ErkJggg==",
  },
};
const embeddings = { path: "/embeddings", body: { model: "infetch-tiny-embed", input: "Hello!" } };

/** A request and its status, 2xx unless stated; a method call on the runtime; or options that `createRuntime()` must refuse. */
type Action =
  | { path: string; body?: object; key?: KeyRequest; status?: number }
  | { call: string }
  | { refused: object };

export const STEPS = {
  refused: { refused: { modelURL: "/" } },
  keys: { call: "keys.list()" },
  cached: { call: "models.cached()" },
  deployments: { call: "deployments.list()" },
  billing: { call: "billing.verify()" },
  invoices: { path: "/billing/invoices" },
  batches: { path: "/batches" },
  files: { path: "/files" },
  models: { path: "/models" },
  unknownPath: { path: "/nowhere", status: 404 },
  unknownModel: { ...chat, body: { ...chat.body, model: "infetch-tyni" }, status: 404 },
  invalid: { ...chat, body: { ...chat.body, temperature: "hot" }, status: 400 },
  own: { ...chat, body: { ...chat.body, model: "own" } },
  ownEmbedding: { ...embeddings, body: { ...embeddings.body, model: "own-embed" } },
  describedEmbedding: { ...embeddings, body: { ...embeddings.body, model: "described" } },
  chat,
  choices: { ...chat, body: { ...chat.body, n: 2 } },
  biased: { ...chat, body: { ...chat.body, logit_bias: { 1: 1 } } },
  limited: { ...chat, key: { name: "limited", limits: { requestsPerMinute: 10 } } },
  render: { ...chat, path: "/chat/completions/render" },
  json: { ...chat, body: { ...chat.body, response_format: { type: "json_object" } } },
  functions: { ...chat, body: { ...chat.body, functions: [{ name: "look" }] } },
  completions: { path: "/completions", body: { model: "infetch-tiny", prompt: "Hello", max_tokens: 2 } },
  responses: { path: "/responses", body: { model: "infetch-tiny", input: "Hello!", max_output_tokens: 16 } },
  embeddings,
  image: {
    ...chat,
    body: {
      ...chat.body,
      model: "seeing",
      messages: [{ role: "user", content: [look] }],
      metadata: { note: "blob:" },
    },
  },
  vision: {
    ...chat,
    body: { ...chat.body, model: "infetch-tiny-vision", messages: [{ role: "user", content: [look] }] },
  },
  wide: { ...chat, body: { ...chat.body, model: "wide" } },
  ggufEmbedding: { ...embeddings, body: { ...embeddings.body, model: "bert" } },
} satisfies Record<string, Action>;

export type Step = keyof typeof STEPS;

export interface Failure {
  step: Step | "start";
  status?: number;
  code: string;
  message: string;
}

/**
 * Creates a runtime and takes the steps in order.
 *
 * @param onStep called before each step
 * @returns the first failure; undefined if all steps succeed
 */
export async function take(
  page: Page,
  steps: readonly Step[],
  options: RuntimeOptions = {},
  onStep: (step: Step) => void = () => {},
): Promise<Failure | undefined> {
  await page.waitForFunction("globalThis.createRuntime");
  const failed = await page.evaluate(act, { options });
  if (failed) return { step: "start", ...failed };
  for (const step of steps) {
    onStep(step);
    const failure = await page.evaluate(act, { ...STEPS[step], ...deploymentOf(step) });
    if (failure) return { step, ...failure };
  }
  return undefined;
}

function deploymentOf(step: Step): Pick<InPage, "deployment"> {
  if (step === "wide") {
    return { deployment: { name: "wide", model: "acme/infetch-wide-GGUF", file: "wide-f32.gguf" } };
  }
  if (step === "ggufEmbedding") {
    return { deployment: { name: "bert", model: "acme/infetch-tiny-GGUF", file: "tiny-bert.gguf" } };
  }
  const [file, projector] = ["tiny-f32.gguf", "tiny-mmproj-f32.gguf"];
  return step === "image"
    ? { deployment: { name: "seeing", model: "acme/infetch-tiny-GGUF", file, projector } }
    : {};
}

interface InPage {
  options?: RuntimeOptions;
  refused?: object;
  call?: string;
  path?: string;
  body?: object;
  status?: number;
  /** To create first, and to send. */
  key?: KeyRequest;
  /** To create first. */
  deployment?: DeploymentRequest;
}

async function act(what: InPage): Promise<Omit<Failure, "step"> | undefined> {
  const page = globalThis as unknown as typeof import("infetch") & { runtime: import("infetch").Runtime };
  try {
    if (what.options) {
      page.runtime = await page.createRuntime(what.options);
      return undefined;
    }
    if (what.refused) {
      await page.createRuntime(what.refused);
      return { code: "not_refused", message: "Options that must be refused were taken." };
    }
    const { runtime } = page;
    if (what.call !== undefined) {
      const [area, method] = what.call.replace("()", "").split(".") as [string, string];
      await (runtime as unknown as Record<string, Record<string, () => unknown>>)[area]![method]!();
      return undefined;
    }
    if (what.deployment) await runtime.deployments.create(what.deployment);
    const { apiKey } = what.key ? await runtime.keys.create(what.key) : runtime;
    const response = await runtime.fetch(runtime.baseURL + what.path, {
      headers: { authorization: `Bearer ${apiKey}` },
      ...(what.body && { method: "POST", body: JSON.stringify(what.body) }),
    });
    const answer = await response.json();
    if (what.status ? response.status === what.status : response.ok) return undefined;
    return { status: response.status, ...answer.error };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    // A refusal names the option and has no code.
    if (what.refused && message.includes(Object.keys(what.refused)[0]!)) return undefined;
    return { code: code ?? name, message };
  }
}
