import { expect, test } from "vitest";
import type { TemplateRequest } from "../../../worker/chat-template/chat-template.ts";
import { renderWithRawReplies } from "../../../worker/generation/raw-replies.ts";
import type { ChatMessage } from "../../../worker/prompt/messages.ts";
import { ReplyCache, ReplyCaches, SeenReply } from "../../../worker/prompt/reply-cache.ts";

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
  const prompt = renderWithRawReplies({ messages }, sent, render, replies, true);
  expect(prompt).toBe(messages.map(({ content }) => content).join("\n"));
  expect(renderings).toBe(2);
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
