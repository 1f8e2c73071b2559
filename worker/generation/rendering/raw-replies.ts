/** Puts the raw text of earlier replies into a prompt, so that it matches the KV cache token by token. */

import type { TemplateRequest } from "../../chat-template/chat-template.ts";
import type { ChatMessage } from "../../prompt/messages.ts";
import type { ReplyCache } from "../../prompt/reply-cache.ts";
import type { VisibleReply } from "../../prompt/seen-reply.ts";

/** Replies that a prompt may repeat, by the index of their message in the request. */
type Candidates = Map<number, VisibleReply>;

interface Rendering {
  render(request: TemplateRequest): string;
  replies: ReplyCache;
  /**
   * False for templates that write ids of calls: a raw reply has the model's own ids, but results name those of the
   * API.
   */
  replaysCalls: boolean;
}

/**
 * Renders `request` with replies replaced by their raw text, where the text before them is the prompt that they
 * replied to. Replies with thoughts are left to the template, which removes them or writes them in its own way.
 *
 * @param sent the messages of the request; leading system messages may be merged in `request`
 */
export function renderWithRawReplies(
  request: TemplateRequest,
  sent: readonly ChatMessage[],
  { render, replies, replaysCalls }: Rendering,
): string {
  // A message that is continued is written as it was sent.
  const earlier = request.opensReply === false ? sent.slice(0, -1) : sent;
  const candidates = candidatesIn(earlier, sent.length - request.messages.length, replies, replaysCalls);
  while (candidates.size > 0) {
    const messages = request.messages.map((message, at) =>
      candidates.has(at) ? { role: message.role, content: placeholder(at) } : message,
    );
    const rendered = tryRender({ ...request, messages }, render);
    if (rendered === undefined) {
      // Some templates refuse results without the calls that a placeholder replaces.
      const withCalls = [...candidates].filter(([, { toolCalls }]) => toolCalls.length > 0);
      for (const [at] of withCalls.length > 0 ? withCalls : candidates) candidates.delete(at);
      continue;
    }
    const { prompt, unknown } = withRawReplies(rendered, candidates, replies);
    if (!unknown) return prompt;
    candidates.delete(unknown.at);
    // Later replies answered prompts that begin with the same text, or those of another conversation: then to try each
    // would render the whole conversation as often.
    for (const [at, visible] of candidates)
      if (at > unknown.at && !replies.follows(unknown.before, visible)) candidates.delete(at);
  }
  return render(request);
}

/** @param offset how many more messages were sent than are rendered */
function candidatesIn(
  sent: readonly ChatMessage[],
  offset: number,
  replies: ReplyCache,
  replaysCalls: boolean,
): Candidates {
  const found: [at: number, visible: VisibleReply][] = [];
  // Each cached reply answered one prompt: of messages that look alike, the last ones are tried.
  const copies = new Map<string, number>();
  for (const [at, message] of [...sent.entries()].reverse()) {
    if (message.role !== "assistant" || (!replaysCalls && message.toolCalls.length > 0)) continue;
    const visible = { text: message.text, toolCalls: message.toolCalls };
    const form = JSON.stringify(visible);
    const left = copies.get(form) ?? replies.countOf(visible);
    copies.set(form, left - 1);
    if (left > 0) found.push([at - offset, visible]);
  }
  return new Map(found.reverse());
}

/** Replaces placeholders, up to the first one whose reply is unknown after the text `before` it. */
function withRawReplies(
  rendered: string,
  candidates: Candidates,
  replies: ReplyCache,
): { prompt: string; unknown?: { at: number; before: string } } {
  let prompt = rendered;
  for (const [at, visible] of candidates) {
    const [before, after] = split(prompt, placeholder(at));
    // The template may have left the message out.
    if (after === undefined) return { prompt, unknown: { at, before: "" } };
    const raw = replies.find(before, visible, false);
    if (raw === undefined) return { prompt, unknown: { at, before } };
    prompt = before + raw + after;
  }
  return { prompt };
}

function tryRender(
  request: TemplateRequest,
  render: (request: TemplateRequest) => string,
): string | undefined {
  try {
    return render(request);
  } catch {
    return undefined;
  }
}

/** Private-use characters, which no template changes. */
function placeholder(at: number): string {
  return `\uE0F0${at}\uE0F1`;
}

function split(text: string, at: string): [string, string?] {
  const start = text.indexOf(at);
  return start < 0 ? [text] : [text.slice(0, start), text.slice(start + at.length)];
}
