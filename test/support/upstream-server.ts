/** A real HTTP server as the upstream, with scripted responses. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const UPSTREAM_KEY = "sk-upstream-secret";

interface SeenRequest {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

export interface UpstreamServer {
  baseURL: string;
  seen: SeenRequest[];
  /** Resolves when a client disconnects before its response is complete. */
  gone: Promise<void>;
  close(): Promise<void>;
}

type Answer = (request: SeenRequest, response: ServerResponse) => unknown;

const USAGE = {
  prompt_tokens: 11,
  completion_tokens: 3,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 4 },
};
const RESPONSE_USAGE = {
  input_tokens: 11,
  output_tokens: 3,
  total_tokens: 14,
  input_tokens_details: { cached_tokens: 4 },
  output_tokens_details: { reasoning_tokens: 1 },
};

/** Listens on a free loopback port; CORS allows every origin. */
export async function startUpstream(answer: Answer = answerAll): Promise<UpstreamServer> {
  const seen: SeenRequest[] = [];
  let leave: () => void = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const server = createServer(async (request, response) => {
    response.setHeader("access-control-allow-origin", "*");
    response.setHeader("access-control-allow-headers", "authorization, content-type");
    if (request.method === "OPTIONS") return response.writeHead(204).end();
    response.on("close", () => {
      if (!response.writableFinished) leave();
    });
    const one = { path: request.url ?? "", headers: request.headers, body: await readBody(request) };
    seen.push(one);
    answer(one, response);
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    seen,
    gone,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request) text += part;
  return JSON.parse(text);
}

/** Answers the whole API like an OpenAI-compatible server. */
export function answerAll({ path, headers, body }: SeenRequest, response: ServerResponse): unknown {
  if (headers.authorization !== `Bearer ${UPSTREAM_KEY}`) {
    return sendJson(response, 401, { error: { message: `Bad key ${headers.authorization}`, type: "auth" } });
  }
  const { model, stream } = body;
  if (path === "/v1/embeddings") {
    const data = [{ object: "embedding", index: 0, embedding: [0.5, 0.25] }];
    const usage = { prompt_tokens: 7, total_tokens: 7 };
    return sendJson(response, 200, { object: "list", data, model, usage });
  }
  if (path === "/v1/responses") return answerResponse(model, stream, response);
  const isChat = path === "/v1/chat/completions";
  const id = "up-1";
  const finish = { index: 0, finish_reason: "stop", logprobs: null };
  if (!stream) {
    const choice = isChat ? { message: { role: "assistant", content: "Far away." } } : { text: "Far away." };
    const object = isChat ? "chat.completion" : "text_completion";
    return sendJson(response, 200, {
      id,
      object,
      created: 1,
      model,
      choices: [{ ...finish, ...choice }],
      usage: USAGE,
    });
  }
  const head = {
    id,
    object: isChat ? "chat.completion.chunk" : "text_completion",
    created: 1,
    model,
    usage: null,
  };
  const piece = (content: string) => (isChat ? { delta: { content } } : { text: content });
  const chunks: object[] = ["Far", " away", "."].map((content) => ({
    ...head,
    choices: [{ index: 0, finish_reason: null, ...piece(content) }],
  }));
  chunks.push({ ...head, choices: [{ ...finish, ...piece("") }] });
  const { include_usage: wantsUsage } = (body.stream_options ?? {}) as { include_usage?: boolean };
  if (wantsUsage) chunks.push({ ...head, choices: [], usage: USAGE });
  return sendEvents(response, [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}`), "data: [DONE]"]);
}

function answerResponse(model: unknown, stream: unknown, response: ServerResponse): unknown {
  const content = [{ type: "output_text", text: "Far away.", annotations: [] }];
  const output = [{ id: "msg_1", type: "message", role: "assistant", status: "completed", content }];
  const head = { id: "resp_1", object: "response", created_at: 1, model, output };
  const whole = { ...head, status: "completed", usage: RESPONSE_USAGE };
  if (!stream) return sendJson(response, 200, whole);
  const events = [
    {
      type: "response.created",
      sequence_number: 0,
      response: { ...head, status: "in_progress", output: [] },
    },
    { type: "response.output_text.delta", sequence_number: 1, item_id: "msg_1", delta: "Far away." },
    { type: "response.completed", sequence_number: 2, response: whole },
  ];
  return sendEvents(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}`),
  );
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** @param end whether the response ends after the last event or stays open */
export function sendEvents(response: ServerResponse, events: readonly string[], end = true): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`${event}\r\n\r\n`);
  if (end) response.end();
}
