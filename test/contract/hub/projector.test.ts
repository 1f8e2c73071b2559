/** A model and its projector come from one commit; what is no projector is refused before the model is asked for. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type MetadataValue, writeGguf } from "../../../models/gguf/gguf-file.ts";
import { HubRepository } from "../../../scripts/hub/repository.ts";
import { StandInHub } from "../../../scripts/hub/stand-in-hub.ts";
import type { GgufFiles } from "../../../worker/engine-api/model-files.ts";
import { fetchGguf } from "../../../worker/engines/llamacpp/model-files.ts";
import { readMetadata } from "../../../worker/model-store/gguf/metadata.ts";
import { FakeCaches } from "../../fakes/fake-caches.ts";
import { ownSizeProjector } from "../../support/gguf/own-size-projector.ts";
import { TEST_LLAMACPP } from "../../support/hub-app.ts";

const clip = (sees: boolean): Buffer => {
  const metadata: Record<string, MetadataValue> = {
    "general.architecture": { type: "string", value: "clip" },
    "clip.has_vision_encoder": { type: "bool", value: sees },
  };
  return Buffer.from(writeGguf(metadata, []));
};

let hub: StandInHub;
let repository: HubRepository;

beforeEach(async () => {
  vi.stubGlobal("navigator", { hardwareConcurrency: 2 });
  repository = new HubRepository("acme/eyes-GGUF");
  hub = await StandInHub.start([repository]);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await hub.close();
});

function load(projector?: NonNullable<GgufFiles["projector"]>, parts = [{ name: "eyes-q4.gguf", bytes: 0 }]) {
  const source = { url: hub.url, repository: "acme/eyes-GGUF", revision: "main" };
  const files: GgufFiles = {
    sourceURL: `${hub.url}acme/eyes-GGUF/resolve/main/`,
    cacheURL: `${hub.url}acme/eyes-GGUF/resolve/main/`,
    hub: source,
    parts,
    ...(projector ? { projector } : {}),
  };
  const environment = {
    fetch,
    caches: new FakeCaches(),
    storage: undefined,
    locks: undefined,
    origin: "https://app.test",
    timers: { after: () => () => {} },
    now: () => 1_800_000_000_000,
    random: () => 0,
  };
  return fetchGguf(TEST_LLAMACPP, files, () => {}, environment);
}

const asked = () => hub.seen.map(({ path }) => path).filter((path) => path.endsWith(".gguf"));

test("'auto' takes the repository's projector, in the form that suits WebAssembly", async () => {
  repository.commit({
    "eyes-q4.gguf": "weights",
    "mmproj-eyes-bf16.gguf": clip(true),
    "mmproj-eyes-q8_0.gguf": clip(true),
  });
  const { parts, projector, downloadBytes } = await load("auto");
  expect(parts).toHaveLength(1);
  expect(projector?.file.size).toBe(clip(true).length);
  expect(downloadBytes).toBe("weights".length + clip(true).length);
  expect(asked().some((path) => path.includes("bf16"))).toBe(false);
});

test("a projector that states larger images than fit into memory gets a smaller number", async () => {
  const stated = 2_048 * 2_048;
  const { metadata, tensors } = ownSizeProjector(192, 64, stated);
  const file = Buffer.from(writeGguf(metadata, tensors));
  repository.commit({ "eyes-q4.gguf": "weights", "mmproj-eyes-f16.gguf": file });
  const { projector } = await load("auto");
  const { maxPixels } = projector!.encoder;
  const given = await readMetadata(projector!.file);
  expect(maxPixels).toBeLessThan(stated);
  expect(given.get("clip.vision.image_max_pixels")).toBe(maxPixels);
  expect(projector!.file.size).toBe(file.length);
});

test("a repository without one, a missing file, and a projector for sound are errors that say so", async () => {
  repository.commit({ "eyes-q4.gguf": "weights" });
  await expect(load("auto")).rejects.toThrow(/The repository has no projector/);
  repository.commit({ "sound-mmproj.gguf": clip(false) });
  await expect(load({ name: "eyes-q4.gguf", bytes: 0 })).rejects.toMatchObject({ code: "model_load_failed" });
  await expect(load("auto")).rejects.toThrow(/no encoder for images/);
  await expect(load({ name: "mmproj.gguf", bytes: 0 })).rejects.toThrow(
    /It has eyes-q4.gguf, sound-mmproj.gguf/,
  );
});

test("without a named file, one that the hub lists is chosen", async () => {
  repository.commit({ "model.onnx": "weights", "mmproj-Q8_0.gguf": clip(true) });
  await expect(load(undefined, [])).rejects.toThrow("'acme/eyes-GGUF' has no GGUF file");
  repository.commit({ "eyes-q4_k_m.gguf": "other", "eyes-Q8_0.gguf": "weights" });
  const { parts } = await load(undefined, []);
  expect(await Promise.all(parts.map((part) => part.text()))).toEqual(["weights"]);
});
