/** Code snippets with the chosen model. Those that start a runtime use its key: in an app, no other key is valid. */

interface SnippetValues {
  /** The page's own key, for code without a runtime. */
  apiKey: string;
  model: string;
}

interface Snippet {
  id: string;
  title: string;
  /** Purpose, in one sentence. */
  note: string;
  code: (values: SnippetValues) => string;
}

/** Source of the header with the key of the variable `runtime`. */
const RUNTIME_KEY = `\`Bearer \${runtime.apiKey}\``;

/** JavaScript string literal; model ids are untrusted text. */
const quote = (text: string): string => JSON.stringify(text);

/** Source of the `fetch` options. @param authorization source of the header's value */
const request = (authorization: string, model: string): string => `{
  method: "POST",
  headers: {
    authorization: ${authorization},
    "content-type": "application/json",
  },
  body: JSON.stringify({
    model: ${quote(model)},
    messages: [{ role: "user", content: "Hello!" }],
  }),
}`;

export const SNIPPETS: readonly Snippet[] = [
  {
    id: "openai",
    title: "OpenAI SDK",
    note: "The unmodified package with another fetch: requests never leave the browser.",
    code: ({ model }) => `import { createRuntime } from "infetch";
import OpenAI from "openai";

const { apiKey, baseURL, fetch } = await createRuntime();
const openai = new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true });

const stream = await openai.chat.completions.create({
  model: ${quote(model)},
  messages: [{ role: "user", content: "Hello!" }],
  stream: true,
});
for await (const chunk of stream) {
  document.body.append(chunk.choices[0]?.delta.content ?? "");
}`,
  },
  {
    id: "ai-sdk",
    title: "AI SDK",
    note: "Vercel's AI SDK, through its provider for OpenAI-style services.",
    code: ({ model }) => `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { createRuntime } from "infetch";

const { apiKey, baseURL, fetch } = await createRuntime();
const infetch = createOpenAICompatible({ name: "infetch", apiKey, baseURL, fetch });

const { textStream } = streamText({
  model: infetch(${quote(model)}),
  prompt: "Hello!",
});
for await (const text of textStream) document.body.append(text);`,
  },
  {
    id: "langchain",
    title: "LangChain",
    note: "Models, tools and chains of LangChain, on the same runtime.",
    code: ({ model }) => `import { ChatOpenAI } from "@langchain/openai";
import { createRuntime } from "infetch";

const { apiKey, baseURL, fetch } = await createRuntime();
const chat = new ChatOpenAI({
  model: ${quote(model)},
  apiKey,
  configuration: { baseURL, fetch, dangerouslyAllowBrowser: true },
});

const reply = await chat.invoke("Hello!");
document.body.append(reply.text);`,
  },
  {
    id: "fetch",
    title: "Plain fetch",
    note: "No package but infetch. With stream: true, the response is server-sent events.",
    code: ({ model }) => `import { createRuntime } from "infetch";

const runtime = await createRuntime();
const response = await runtime.fetch(\`\${runtime.baseURL}/chat/completions\`, ${request(RUNTIME_KEY, model)});
const { choices } = await response.json();
document.body.append(choices[0].message.content);`,
  },
  {
    id: "install",
    title: "Global fetch",
    note: "For libraries that accept no custom fetch: the page's fetch serves the base URL until you uninstall it.",
    code: ({ model }) => `import { createRuntime } from "infetch";
import { install } from "infetch/install";

const runtime = await createRuntime();
const uninstall = install(runtime);
const response = await fetch(\`\${runtime.baseURL}/chat/completions\`, ${request(RUNTIME_KEY, model)});
console.log(await response.json());`,
  },
  {
    id: "service-worker",
    title: "Service worker",
    note: "Every page of the origin can then use plain fetch while a page that runs infetch is open.",
    code: ({ apiKey, model }) => `// sw.js, registered by your app
import { answerRequests } from "infetch/service-worker";
answerRequests();

// any page of the same origin
const response = await fetch("/v1/chat/completions", ${request(quote(`Bearer ${apiKey}`), model)});
console.log(await response.json());`,
  },
];
