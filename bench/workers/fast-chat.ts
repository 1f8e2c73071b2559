/**
 * An engine without a model that emits reply messages as fast as possible, to measure everything between an engine
 * and the page.
 */

import type { ConversationTemplate } from "../../worker/engine-api/conversation-template.ts";
import type { EngineEndpoint, GenerateMessage } from "../../worker/engine-api/engine-wire.ts";
import { serveEngine } from "../../worker/engines/scheduling/serve-engine.ts";

const TEMPLATE: ConversationTemplate = {
  systemTemplate: "{system_message}",
  systemMessage: "",
  renderEmptySystemMessage: false,
  roles: { user: "user", assistant: "assistant", tool: "tool" },
  roleTemplates: { user: "{user_message}", assistant: "{assistant_message}", tool: "{tool_message}" },
  separators: ["\n"],
  roleContentSeparator: ": ",
  roleEmptySeparator: ":",
  addRoleAfterSystemMessage: true,
};

const endpoint: Omit<EngineEndpoint<never>, "ready"> = {
  load: async () => ({
    ok: true,
    value: {
      engine: "webllm",
      fingerprint: "0123456789",
      contextWindow: 100_000_000,
      vocabularySize: 1_000,
      conversation: TEMPLATE,
      device: "none",
    },
  }),
  countTokens: async (prompt) => ({ ok: true, value: prompt.length }),
  retainedTokens: async () => ({ ok: true, value: 0 }),
  pages: async () => ({ ok: true, value: null }),
  passes: async () => 0,
  decode: async () => ({ ok: true, value: "" }),
  async generate({ prompt, sampling }, port) {
    const post = (message: GenerateMessage): void => port.postMessage(message);
    const usage = { promptTokens: prompt.length, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
    const last = sampling.maxTokens ?? 0;
    for (let token = 1; token <= last; token++) {
      usage.completionTokens = token;
      post({ type: "reply", events: [{ type: "text", text: " token" }], logprobs: [], usage });
    }
    post({ type: "finish", reason: "length", usage });
  },
};

serveEngine(endpoint);
