/**
 * Packages that browser tests import. Vite bundles them before the first page: one that it finds later makes it
 * load the page anew, and the test file that asked for it fails.
 */
export const optimizedPackages = [
  "openai",
  "openai/helpers/zod",
  "ai",
  "@ai-sdk/openai",
  "@ai-sdk/openai-compatible",
  "@langchain/openai",
  "@langchain/core/messages",
  "@langchain/core/tools",
  "@openai/agents",
  "fast-check",
  "@mlc-ai/web-llm",
  "comlink",
  "@noble/hashes/legacy.js",
  "@noble/hashes/sha2.js",
  "zod",
] as const;
