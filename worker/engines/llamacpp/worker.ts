/** The engine worker for GGUF models: one chat or embedding model. */

import { chatEndpoint } from "../chat/serve-chat-engine.ts";
import { embeddingEndpoint } from "../embeddings/embedding-endpoint.ts";
import { serveEngine } from "../scheduling/serve-engine.ts";
import { GgufEmbeddingEngine, type GgufEmbeddingLoad } from "./embeddings/gguf-embedding-engine.ts";
import { toFailure } from "./failures.ts";
import { LlamaCppEngine } from "./llamacpp-engine.ts";

const chat = chatEndpoint(LlamaCppEngine.load, toFailure);
const embeddings = embeddingEndpoint(GgufEmbeddingEngine.load, toFailure);

type ChatBuild = Parameters<typeof chat.load>[0];

serveEngine({
  ...chat,
  ...embeddings,
  load: (build: ChatBuild | GgufEmbeddingLoad, progress: MessagePort) =>
    "probes" in build ? embeddings.load(build, progress) : chat.load(build, progress),
});
