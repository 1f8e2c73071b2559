import { expect, test } from "vitest";
import { ChatTemplate, type TemplateRequest } from "../../../worker/chat-template/chat-template.ts";
import { renderWithRawReplies } from "../../../worker/generation/rendering/raw-replies.ts";
import type { ChatMessage } from "../../../worker/prompt/messages.ts";
import { ReplyCache, ReplyCaches } from "../../../worker/prompt/reply-cache.ts";
import { SeenReply } from "../../../worker/prompt/seen-reply.ts";

test("one cached reply costs one more rendering, however many messages look like it", () => {
  const replies = new ReplyCache();
  const seen = new SeenReply();
  seen.text = "Yes.";
  replies.remember({ prompt: "another conversation", seen, raw: "Yes. " });
  const sent: ChatMessage[] = Array.from({ length: 50 }, (_, at) => [
    { role: "user" as const, text: `${at}?` },
    { role: "assistant" as const, text: "Yes.", toolCalls: [] },
  ]).flat();
  let renderings = 0;
  const render = ({ messages }: TemplateRequest): string => {
    renderings++;
    return messages.map(({ content }) => content).join("\n");
  };
  const messages = sent.map(({ role, text: content }) => ({ role, content }));
  const prompt = renderWithRawReplies({ messages }, sent, { render, replies, replaysCalls: true });
  expect(prompt).toBe(messages.map(({ content }) => content).join("\n"));
  expect(renderings).toBe(2);
});

test("cached replies cost two renderings where the conversation begins in another way, as with the time", () => {
  const replies = new ReplyCache();
  const sent: ChatMessage[] = [{ role: "system", text: "10:00" }];
  let renderings = 0;
  const prompt = (): string => {
    const messages = sent.map(({ role, text: content }) => ({ role, content }));
    const render = (request: TemplateRequest): string => {
      renderings++;
      return request.messages.map(({ content }) => `${content}\n`).join("");
    };
    return renderWithRawReplies({ messages }, sent, { render, replies, replaysCalls: true });
  };
  for (let at = 0; at < 50; at++) {
    const seen = new SeenReply();
    seen.text = `${at}.`;
    replies.remember({ prompt: prompt(), seen, raw: `${at}. ` });
    sent.push({ role: "assistant", text: seen.text, toolCalls: [] }, { role: "user", text: "Go on." });
  }
  renderings = 0;
  expect(prompt()).toContain("49. \n");
  expect(renderings).toBe(1);
  renderings = 0;
  sent[0] = { role: "system", text: "10:01" };
  expect(prompt()).toContain("49.\n");
  expect(renderings).toBe(2);
});

test.each([
  ["followed by another reply", true, "Hi\nYes. \n"],
  ["continued", false, "Hi\nYes.\n"],
])("a known reply that is the last message, %s", (_, opensReply, expected) => {
  const replies = new ReplyCache();
  const seen = new SeenReply();
  seen.text = "Yes.";
  replies.remember({ prompt: "Hi\n", seen, raw: "Yes. " });
  const sent: ChatMessage[] = [
    { role: "user", text: "Hi" },
    { role: "assistant", text: "Yes.", toolCalls: [] },
  ];
  const messages = sent.map(({ role, text: content }) => ({ role, content }));
  const render = (request: TemplateRequest): string =>
    request.messages.map(({ content }) => `${content}\n`).join("");
  const prompt = renderWithRawReplies({ messages, opensReply }, sent, {
    render,
    replies,
    replaysCalls: true,
  });
  expect(prompt).toBe(expected);
});

test.each([
  ["beside its call only, as Gemma 4's", false, 'user: Hi;assistant: f{"a": 1} -> done;'],
  ["in a turn of its own", true, 'user: Hi;assistant: f{"a":1};tool: done;'],
])("no result is lost where a template writes it %s", (_, ownTurn, expected) => {
  const beside =
    "{% for r in messages if r.role == 'tool' and r.tool_call_id == c.id %} -> {{ r.content }}{% endfor %}";
  const source =
    `{% for m in messages ${ownTurn ? "" : "if m.role != 'tool' "}%}{{ m.role }}: {{ m.content }}` +
    "{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments | tojson }}" +
    `${ownTurn ? "" : beside}{% endfor %};{% endfor %}`;
  const template = new ChatTemplate({ source, bos: "", eos: "", engineAddsBos: false });
  const replies = new ReplyCache();
  const seen = new SeenReply();
  const call = { id: "call_1", name: "f", arguments: '{"a":1}' };
  seen.toolCalls.push(call);
  replies.remember({ prompt: "user: Hi;assistant: ", seen, raw: 'f{"a":1}' });
  const sent: ChatMessage[] = [
    { role: "user", text: "Hi" },
    { role: "assistant", text: "", toolCalls: [call] },
    { role: "tool", text: "done", callId: "call_1" },
  ];
  const made = { id: "call_1", type: "function", function: { name: "f", arguments: '{"a":1}' } } as const;
  const request: TemplateRequest = {
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "", tool_calls: [made] },
      { role: "tool", content: "done", tool_call_id: "call_1" },
    ],
    tools: [{ type: "function", function: { name: "f" } }],
  };
  const render = (changed: TemplateRequest) => template.render(changed);
  const { replaysCalls } = template.traits(true);
  expect(renderWithRawReplies(request, sent, { render, replies, replaysCalls })).toBe(expected);
});

test("an account's replies are in no other account's prompts", () => {
  const caches = new ReplyCaches();
  const seen = new SeenReply();
  seen.text = "Yes.";
  caches.of("a").remember({ prompt: "Is it?", seen, raw: "Yes. " });
  expect(caches.of("b").find("Is it?", seen, true)).toBeUndefined();
  expect(caches.of("a").find("Is it?", seen, true)).toBe("Yes. ");
  for (let other = 0; other < 64; other++) caches.of(`other ${other}`);
  expect(caches.of("a").find("Is it?", seen, true)).toBeUndefined();
});
