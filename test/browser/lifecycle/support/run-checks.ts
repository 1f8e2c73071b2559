/** A page that uses the whole interface. Self-contained, because the function is sent to the page as text. */

import type { createRuntime, Runtime } from "../../../../src/index.ts";

interface Report {
  isIsolated: boolean;
  /** As `runtime.support()` reports them. */
  hasThreads: boolean;
  /** Device of a GGUF model that is wide enough for threads. */
  device: string;
  /** Outcome of each check: `true`, or what was wrong. */
  checks: Record<string, string | true>;
}

/** Runs in the page: every check on one runtime, as an app without a bundler writes it. */
export async function runChecks(): Promise<Report> {
  const { createRuntime: create } = globalThis as unknown as { createRuntime: typeof createRuntime };
  const logged: string[] = [];
  for (const level of ["log", "info", "warn", "error"] as const) {
    const print = console[level];
    console[level] = (...values: unknown[]) => {
      logged.push(values.join(" "));
      print(...values);
    };
  }
  const runtime: Runtime = await create({
    storageName: "checks",
    hub: { url: "/gguf-hub/" },
    llamacpp: { device: "wasm" },
  });
  const model = "infetch-tiny";
  const messages = [{ role: "user", content: "Hello!" }];
  const checks: Report["checks"] = {};
  const post = (path: string, body: object | FormData, init: RequestInit = {}, key = runtime.apiKey) =>
    runtime.fetch(runtime.baseURL + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: body instanceof FormData ? body : JSON.stringify(body),
      ...init,
    });
  // biome-ignore lint/suspicious/noExplicitAny: bodies of the API, checked field by field
  const ask = async (path: string, body?: object | FormData): Promise<any> => {
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const response = await (body ? post(path, body) : runtime.fetch(runtime.baseURL + path, { headers }));
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.headers.get("content-type")?.startsWith("application/json")
      ? response.json()
      : response.text();
  };
  const holds = (isTrue: unknown, what: unknown): void => {
    if (!isTrue) throw new Error(JSON.stringify(what));
  };
  const check = async (name: string, work: () => Promise<void>): Promise<void> => {
    checks[name] = await work().then(
      () => true as const,
      (error: Error) => `${error.name}: ${error.message}`,
    );
  };
  /** Chunks of a streamed body, without `[DONE]`. */
  const chunksOf = (text: string) => {
    const lines = text.split("\n\n").filter((line) => line.startsWith("data: "));
    holds(lines.at(-1) === "data: [DONE]", lines.at(-1));
    return lines.slice(0, -1).map((line) => JSON.parse(line.slice("data: ".length)));
  };
  const textOf = (chunks: { choices: { delta: { content?: string } }[] }[]) =>
    chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("");
  const greedy = { model, messages, temperature: 0, max_tokens: 16 };
  let reply = "";

  await check("chat", async () => {
    const { choices, usage } = await ask("/chat/completions", greedy);
    reply = choices[0].message.content;
    holds(reply.length > 0 && usage.completion_tokens > 0, choices);
  });
  await check("a stream is the same text, with its usage", async () => {
    const body = { ...greedy, stream: true, stream_options: { include_usage: true } };
    const chunks = chunksOf(await ask("/chat/completions", body));
    holds(textOf(chunks) === reply, chunks);
    holds(chunks.at(-1).usage.completion_tokens > 0 && chunks.at(-1).choices.length === 0, chunks.at(-1));
  });
  await check("an abort ends a stream, and charges what was read", async () => {
    const abort = new AbortController();
    const body = { ...greedy, max_tokens: 500, ignore_eos: true, stream: true };
    const response = await post("/chat/completions", body, { signal: abort.signal });
    const reader = response.body!.getReader();
    holds((await reader.read()).value!.length > 0, "nothing was read");
    abort.abort();
    const error = await reader.read().then(
      () => undefined,
      (reason: Error) => reason.name,
    );
    holds(error === "AbortError", error);
  });
  await check("a tool is called", async () => {
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const tools = [{ type: "function", function: { name: "get_weather", parameters } }];
    const body = { ...greedy, messages: [{ role: "user", content: "Weather in Paris?" }], max_tokens: 200 };
    const { choices } = await ask("/chat/completions", { ...body, tools, tool_choice: "required" });
    const [call] = choices[0].message.tool_calls;
    holds(choices[0].finish_reason === "tool_calls" && call.function.name === "get_weather", choices);
    holds(typeof JSON.parse(call.function.arguments).city === "string", call);
  });
  await check("a JSON schema is enforced", async () => {
    const schema = { type: "object", properties: { n: { type: "integer", maximum: 99 } }, required: ["n"] };
    const json_schema = { name: "number", strict: true, schema: { ...schema, additionalProperties: false } };
    const body = { ...greedy, max_tokens: 100, response_format: { type: "json_schema", json_schema } };
    const { choices } = await ask("/chat/completions", body);
    holds(Number.isInteger(JSON.parse(choices[0].message.content).n), choices);
  });
  await check("several choices", async () => {
    const { choices } = await ask("/chat/completions", { ...greedy, temperature: 1, n: 3, max_tokens: 4 });
    holds(choices.map(({ index }: { index: number }) => index).join() === "0,1,2", choices);
  });
  await check("completions", async () => {
    const { choices } = await ask("/completions", { model, prompt: ["One", "Two"], max_tokens: 3 });
    holds(choices.length === 2, choices);
  });
  await check("responses", async () => {
    const response = await ask("/responses", { model, input: "Hello!", max_output_tokens: 16 });
    holds(response.output[0].content[0].text.length > 0 && response.usage.output_tokens > 0, response);
  });
  await check("embeddings", async () => {
    const { data, usage } = await ask("/embeddings", {
      model: "infetch-tiny-embed",
      input: ["a cat", "a dog"],
    });
    holds(data.length === 2 && data[1].embedding.length === data[0].embedding.length, data.length);
    holds(usage.prompt_tokens > 0, usage);
  });
  let fileId = "";
  const line = (custom_id: string) =>
    JSON.stringify({
      custom_id,
      method: "POST",
      url: "/v1/chat/completions",
      body: { ...greedy, max_tokens: 4 },
    });
  const lines = [line("a"), line("b")].join("\n");
  await check("a form with a file", async () => {
    const form = new FormData();
    form.set("purpose", "batch");
    form.set("file", new File([lines], "lines.jsonl"));
    const file = await ask("/files", form);
    fileId = file.id;
    holds(file.bytes === new Blob([lines]).size && file.filename === "lines.jsonl", file);
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const content = await runtime.fetch(`${runtime.baseURL}/files/${fileId}/content`, { headers });
    holds((await content.text()) === lines, "the content differs");
  });
  await check("a batch", async () => {
    const over = new Promise<void>((resolve) => {
      runtime.on("batch", ({ status }) => {
        if (status === "completed" || status === "failed") resolve();
      });
    });
    const body = { input_file_id: fileId, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const { id } = await ask("/batches", body);
    await over;
    const { status, request_counts: counts } = await ask(`/batches/${id}`);
    holds(status === "completed" && counts.completed === 2, { status, counts });
  });
  await check("every kind of body", async () => {
    const json = JSON.stringify({ ...greedy, max_tokens: 1 });
    const bytes = new TextEncoder().encode(json);
    const bodies: Record<string, BodyInit> = {
      text: json,
      blob: new Blob([json]),
      bytes,
      buffer: bytes.buffer,
    };
    for (const [kind, body] of Object.entries(bodies)) {
      const response = await post("/chat/completions", {}, { body });
      holds(response.status === 200, [kind, response.status]);
    }
    const headers = { authorization: `Bearer ${runtime.apiKey}` };
    const request = new Request(`${runtime.baseURL}/chat/completions`, {
      method: "POST",
      headers,
      body: json,
    });
    holds((await runtime.fetch(request)).status === 200, "a Request");
  });
  await check("errors are OpenAI's", async () => {
    const statusOf = async (path: string, body: object, key?: string) =>
      (await post(path, body, {}, key)).status;
    holds((await statusOf("/chat/completions", greedy, "sk-wrong")) === 401, "401");
    holds((await statusOf("/chat/completions", { ...greedy, temperature: 9 })) === 400, "400");
    holds((await statusOf("/chat/completions", { ...greedy, model: "none" })) === 404, "404");
    const { error } = await (await post("/chat/completions", { model })).json();
    holds(error.param === "messages" && typeof error.message === "string" && error.code !== undefined, error);
  });
  await check("a key with a scope, until it is revoked", async () => {
    const { apiKey, key } = await runtime.keys.create({ name: "embeds", endpoints: ["/v1/embeddings"] });
    const embed = { model: "infetch-tiny-embed", input: "a" };
    holds((await post("/embeddings", embed, {}, apiKey)).status === 200, "embeddings");
    holds((await post("/chat/completions", greedy, {}, apiKey)).status === 403, "chat");
    await runtime.keys.revoke(key.id);
    holds((await post("/embeddings", embed, {}, apiKey)).status === 401, "revoked");
  });
  await check("a second runtime of the page shares the server", async () => {
    const second = await create({ storageName: "checks" });
    const headers = { authorization: `Bearer ${second.apiKey}` };
    const body = JSON.stringify({ ...greedy, max_tokens: 1 });
    const init = { method: "POST", headers, body };
    holds((await second.fetch(`${second.baseURL}/chat/completions`, init)).ok, "the second");
    second.close();
    holds((await post("/chat/completions", greedy)).ok, "the first, after the second was closed");
  });
  await check("a GGUF model of the hub", async () => {
    await runtime.deployments.create({
      name: "wide",
      model: "acme/infetch-wide-GGUF",
      file: "wide-f32.gguf",
    });
    const { usage } = await ask("/chat/completions", { ...greedy, model: "wide", max_tokens: 4 });
    holds(usage.completion_tokens > 0, usage);
  });
  await check("the ledger adds up", async () => {
    const { ok, ...found } = await runtime.billing.verify();
    holds(ok, found);
    const events = await runtime.usage.list();
    holds(
      events.filter(({ outcome }) => outcome === "aborted").length === 1 && events.length > 10,
      events.length,
    );
  });
  await check("nothing is logged", async () => holds(logged.length === 0, logged));
  const { wasm } = await runtime.support();
  const { infetch } = await ask("/models/wide");
  runtime.close();
  return { isIsolated: crossOriginIsolated, hasThreads: wasm.threads, device: infetch.device, checks };
}
