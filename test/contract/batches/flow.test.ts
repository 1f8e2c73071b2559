/** A batch from input file to results, through the real SDK, on fake engines. */

import type OpenAI from "openai";
import { expect, test } from "vitest";
import { BatchWorld, until } from "../../support/batches/batch-world.ts";
import {
  chatLine,
  EMBEDDINGS,
  embeddingLine,
  resultsOf,
  submit,
  upload,
} from "../../support/batches/lines.ts";

test("chat lines are answered; what fails is in the error file; everything is counted and recorded once", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const lines = [
    chatLine("one"),
    "",
    chatLine("streamed", {}, { stream: true }),
    chatLine("hot", {}, { temperature: 9 }),
    chatLine("two", {}, { max_tokens: 2 }),
  ];
  const created = await submit(tab, lines);
  const createdAt = Math.floor(world.clock.now() / 1000);
  expect(created).toEqual({
    id: expect.stringMatching(/^batch_\w{32}$/),
    object: "batch",
    endpoint: "/v1/chat/completions",
    model: null,
    errors: null,
    input_file_id: created.input_file_id,
    completion_window: "24h",
    status: "validating",
    output_file_id: null,
    error_file_id: null,
    created_at: createdAt,
    in_progress_at: null,
    expires_at: createdAt + 24 * 3600,
    finalizing_at: null,
    completed_at: null,
    failed_at: null,
    expired_at: null,
    cancelling_at: null,
    cancelled_at: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
    usage: {
      input_tokens: 0,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 0,
    },
    metadata: null,
  });
  const done = await until(tab, created.id, "completed");
  const outputs = await resultsOf(tab, done.output_file_id);
  const errors = await resultsOf(tab, done.error_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(["one", "two"]);
  expect(outputs[0]).toEqual({
    id: expect.stringMatching(/^batch_req_/),
    custom_id: "one",
    response: {
      status_code: 200,
      request_id: expect.stringMatching(/^req_/),
      body: expect.objectContaining({ object: "chat.completion", model: "infetch-tiny" }),
    },
    error: null,
  });
  expect(errors.map(({ custom_id, response, error }) => [custom_id, response.status_code, error])).toEqual([
    ["streamed", 400, null],
    ["hot", 400, null],
  ]);
  expect(errors[0].response.body.error).toMatchObject({ param: "stream", code: "unsupported_parameter" });
  expect(errors[1].response.body.error).toMatchObject({ param: "temperature" });

  const usages = outputs.map((line) => line.response.body.usage);
  const sum = (name: string): number => usages.reduce((total, usage) => total + usage[name], 0);
  expect(done).toMatchObject({
    model: "infetch-tiny",
    in_progress_at: createdAt,
    finalizing_at: createdAt,
    completed_at: createdAt,
    request_counts: { total: 4, completed: 2, failed: 2 },
    usage: { input_tokens: sum("prompt_tokens"), output_tokens: sum("completion_tokens") },
  });
  const recorded = await tab.ledger.rpc.usage();
  expect(
    recorded.ok && recorded.value.map((event) => [event.transactionId, event.tier, event.outcome]),
  ).toEqual([
    [`${created.id}:1`, "batch", "completed"],
    [`${created.id}:5`, "batch", "completed"],
  ]);
  expect(await world.rows()).toMatchObject({ results: 0, files: 3 });
  expect(tab.events.at(-1)).toEqual({
    type: "batch",
    id: created.id,
    status: "completed",
    total: 4,
    completed: 2,
    failed: 2,
  });
  expect(tab.events.map((event) => event.completed)).toEqual(
    tab.events.map((event) => event.completed).toSorted(),
  );
});

test("embeddings lines are batched together and cost half of what they cost online", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const lines = Array.from({ length: 100 }, (_, at) =>
    embeddingLine(`line ${at}`, at === 7 ? { input: ["a", "b"] } : {}),
  );
  const { id } = await submit(tab, lines, EMBEDDINGS);
  const done = await until(tab, id, "completed");
  const outputs = await resultsOf(tab, done.output_file_id);
  expect(outputs.map((line) => line.custom_id)).toEqual(lines.map((line) => JSON.parse(line).custom_id));
  expect(outputs[7].response.body.data).toHaveLength(2);
  expect(done.error_file_id).toBeNull();
  expect(tab.embedder.batches.length).toBeLessThan(10);
  expect(tab.embedder.batches.flat()).toHaveLength(101);

  const tokens = outputs.reduce((total, line) => total + line.response.body.usage.prompt_tokens, 0);
  const invoice = await (await tab.call("/v1/billing/invoices/current")).json();
  expect(invoice.line_items).toMatchObject([
    { product_id: "embedding-input-tokens", quantity: tokens, unit_price: 0.01 / 1_000_000 },
  ]);
});

test("a batch may name a model of the hub that no deployment serves", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, [embeddingLine("a", { model: "acme/embed" })], EMBEDDINGS);
  const done = await until(tab, id, "completed");
  expect(done.model).toBe("acme/embed");
  const [line] = await resultsOf(tab, done.output_file_id);
  expect(line.response.body.model).toBe("acme/embed");
});

test("text completions are a batch too", async () => {
  const tab = await new BatchWorld().openTab();
  const url = "/v1/completions";
  const body = { model: "plain", prompt: "Once", messages: undefined };
  const line = JSON.stringify({ ...JSON.parse(chatLine("a", { url })), body });
  const { id: input_file_id } = await upload(tab, [line]);
  const { id } = await tab.openai.batches.create({ input_file_id, endpoint: url, completion_window: "24h" });
  const { output_file_id } = await until(tab, id, "completed");
  const [{ response }] = await resultsOf(tab, output_file_id);
  expect(response.body).toMatchObject({ object: "text_completion" });
});

test("where every line failed there is no output file", async () => {
  const tab = await new BatchWorld().openTab();
  const { id } = await submit(tab, [chatLine("a", {}, { n: "many" })]);
  const done = await until(tab, id, "completed");
  expect(done.output_file_id).toBeNull();
  expect(await resultsOf(tab, done.error_file_id)).toHaveLength(1);
});

test("an engine that dies over a line gets it again; one that always does fails the line alone", async () => {
  let failures = 2;
  const tab = await new BatchWorld().openTab({
    behaviour: {
      reply: (prompt) => {
        if (prompt.includes("cursed") || (prompt.includes("flaky") && failures-- > 0))
          throw new Error("It broke.");
        return ["fine"];
      },
    },
  });
  const { id } = await submit(tab, [chatLine("flaky"), chatLine("cursed"), chatLine("good")]);
  const done = await until(tab, id, "completed");
  const names = async (file: OpenAI.Batch["output_file_id"]) =>
    (await resultsOf(tab, file)).map((line) => line.custom_id);
  expect(await names(done.output_file_id)).toEqual(["flaky", "good"]);
  expect(await names(done.error_file_id)).toEqual(["cursed"]);
});

test("output files live as long as they were told to", async () => {
  const world = new BatchWorld();
  const tab = await world.openTab();
  const { id: input_file_id } = await upload(tab, [chatLine("a")]);
  const { id } = await tab.openai.batches.create({
    input_file_id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h",
    metadata: { name: "mine" },
    output_expires_after: { anchor: "created_at", seconds: 7200 },
  });
  const done = await until(tab, id, "completed");
  expect(done.metadata).toEqual({ name: "mine" });
  const file = await tab.openai.files.retrieve(done.output_file_id!);
  expect(file).toMatchObject({ purpose: "batch_output", expires_at: file.created_at + 7200 });
});
