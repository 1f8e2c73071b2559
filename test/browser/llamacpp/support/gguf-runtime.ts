import { createRuntime, type Runtime } from "infetch";
import { freshLedgerName } from "../../billing/support/frames.ts";
import { post } from "../../support/runtime.ts";

/** A runtime whose hub serves the files of `test/support/gguf/variants.ts`. */
export function startGgufRuntime(): Promise<Runtime> {
  return createRuntime({ storageName: freshLedgerName(), hub: { url: "/gguf-hub/" } });
}

/** Deploys a file of the hub. @returns the name */
export async function deploy(runtime: Runtime, file: string, projector?: string): Promise<string> {
  const name = file.replace(/\.gguf$/, "");
  await runtime.deployments.create({
    name,
    model: "acme/infetch-tiny-GGUF",
    file,
    ...(projector ? { projector } : {}),
  });
  return name;
}

export function chat(runtime: Runtime, model: string, more: object = {}): Promise<Response> {
  return post(runtime, "/chat/completions", {
    model,
    messages: [{ role: "user", content: "What is the capital of Japan?" }],
    temperature: 0,
    ...more,
  });
}
