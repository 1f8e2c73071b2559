/** Puts the raw text of earlier replies into a prompt, so that it matches the KV cache token by token. */

import type { TemplateRequest } from "../chat-template/chat-template.ts";
import type { ChatMessage } from "../prompt/messages.ts";
import type { ReplyCache, VisibleReply } from "../prompt/reply-cache.ts";

/**
 * Renders `request` with replies replaced by their raw text, where the text before them is the prompt that they
 * replied to. Replies with thoughts are left to the template, which removes them or writes them in its own way.
 *
 * @param sent the messages of the request; leading system messages may be merged in `request`
 * @param replaysCalls false for templates that write ids of calls: a raw reply has the model's own ids, but results
 *   name those of the API
 */
export function renderWithRawReplies(
  request: TemplateRequest,
  sent: readonly ChatMessage[],
  render: (request: TemplateRequest) => string,
  replies: ReplyCache,
  replaysCalls: boolean,
): string {
  const offset = sent.length - request.messages.length;
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
  const candidates = new Map(found.reverse());
  while (candidates.size > 0) {
    const messages = request.messages.map((message, at) =>
      candidates.has(at) ? { role: message.role, content: placeholder(at) } : message,
    );
    let prompt = tryRender({ ...request, messages }, render);
    if (prompt === undefined) {
      // Some templates refuse results without the calls that a placeholder stands for.
      const withCalls = [...candidates].filter(([, { toolCalls }]) => toolCalls.length > 0);
      for (const [at] of withCalls.length > 0 ? withCalls : candidates) candidates.delete(at);
      continue;
    }
    let beginning = "";
    const unknown = [...candidates].find(([at, visible]) => {
      const [before, after] = split(prompt!, placeholder(at));
      const raw = after === undefined ? undefined : replies.find(before, visible, false);
      if (raw !== undefined) prompt = before + raw + after;
      else if (after !== undefined) beginning = before;
      return raw === undefined;
    });
    if (!unknown) return prompt;
    candidates.delete(unknown[0]);
    // Later replies answered prompts that begin with the same text, or those of another conversation: then to try each
    // would render the whole conversation as often.
    for (const [at, visible] of candidates)
      if (at > unknown[0] && !replies.follows(beginning, visible)) candidates.delete(at);
  }
  return render(request);
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
