import type { ChatModelRecord } from "../../../worker/catalog/model-record.ts";
import type { FakeBehaviour } from "../../fakes/fake-engine.ts";
import { plain, testApp } from "../test-app.ts";

/** A GGUF model with a projector. */
export const seeing: ChatModelRecord = {
  ...plain,
  id: "seeing",
  builds: {
    llamacpp: {
      sourceURL: "https://models.test/",
      cacheURL: "https://models.test/resolve/main/",
      parts: [{ name: "model.gguf", bytes: 0 }],
      projector: { name: "mmproj.gguf", bytes: 0 },
    },
  },
};

/** The test app with a model that takes images. */
export function seeingApp(behaviour: Partial<FakeBehaviour> = {}) {
  return testApp({ engine: "llamacpp", ...behaviour }, { sources: { deployments: () => [seeing] } });
}
