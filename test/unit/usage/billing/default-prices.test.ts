/** Every listed model has one default price under all its names; batch embeddings cost exactly half. */

import { expect, test } from "vitest";
import { prebuiltModels } from "../../../../scripts/build/prebuilt-models.ts";
import { aliasesOf } from "../../../../worker/catalog/aliases.ts";
import { catalogueChatModels } from "../../../../worker/catalog/chat/chat-models.ts";
import { catalogueEmbeddings } from "../../../../worker/catalog/embeddings/embedding-models.ts";
import { namedEmbeddings } from "../../../../worker/catalog/embeddings/named-embeddings.ts";
import { pricesOf } from "../../../../worker/usage/billing/prices/price-list.ts";
import { RateCard } from "../../../../worker/usage/billing/prices/rate-card.ts";
import { sizeClassOf } from "../../../../worker/usage/billing/prices/size-class.ts";
import type { ProductId } from "../../../../worker/usage/ledger/schema.ts";
import { fc } from "../../../support/random.ts";

const HUB = "https://hub.test/";
const embedders = catalogueEmbeddings(HUB);
const chat = catalogueChatModels(HUB, prebuiltModels());
const own = namedEmbeddings(
  [
    { kind: "embedding", id: "mine", hubId: "Xenova/all-MiniLM-L6-v2" },
    { kind: "embedding", id: "Xenova/bge-base-en-v1.5" },
  ],
  HUB,
  1,
);
const aliases = aliasesOf([...chat, ...embedders, ...own.listed, ...own.ofHub.values()]);

function cardOf(pricing: Parameters<typeof pricesOf>[0]): RateCard {
  return new RateCard(
    pricesOf(pricing).map((price) => ({ ...price, effective_ms: 0, note: "" })),
    aliases,
  );
}

function price(card: RateCard, model: string, product_id: ProductId, tier = "serverless"): bigint {
  return card.segments({ product_id, model, tier }, 0, 1)[0]!.unitPricePico;
}

const card = cardOf("default");
const EMBEDDING = "embedding-input-tokens";
const TEXT: ProductId[] = ["text-input-tokens", "text-cached-input-tokens", "text-output-tokens"];

test("every model of the catalogue has a price, the same by its name on the hub, and half of it in batches", () => {
  expect(chat.length + embedders.length).toBeGreaterThanOrEqual(50);
  for (const { id, baseModel } of [...chat, { id: "infetch-tiny", baseModel: "infetch-tiny" }]) {
    for (const product of TEXT) {
      const serverless = price(card, id, product);
      expect(serverless).toBeGreaterThan(0n);
      expect(price(card, baseModel!, product)).toBe(serverless);
      expect(price(card, baseModel!, product, "dedicated")).toBe(serverless);
      expect(price(card, id, product, "batch") * 2n).toBe(serverless);
    }
  }
  for (const { id, baseModel } of embedders) {
    const serverless = price(card, id, EMBEDDING);
    expect(serverless).toBeGreaterThan(0n);
    for (const name of [id, baseModel!]) {
      expect(price(card, name, EMBEDDING, "dedicated")).toBe(serverless);
      expect(price(card, name, EMBEDDING, "batch") * 2n).toBe(serverless);
    }
  }
  expect(price(card, "mine", EMBEDDING)).toBe(price(card, "infetch-all-minilm-l6-v2", EMBEDDING));
});

test("larger models cost more, and what an upstream asks is not guessed", () => {
  const sizes = ["org/a-360M", "org/a-3.8b-q4f16_1-MLC", "org/a-7B-GGUF", "org/a-70b"];
  const prices = sizes.map((name) => price(card, name, "text-output-tokens"));
  expect(prices).toEqual([200_000n, 400_000n, 800_000n, 3_600_000n]);
  expect(price(card, "gpt-9", "text-output-tokens", "upstream")).toBe(0n);
});

test.each<[string, ProductId, string]>([
  ["infetch-llama-3.2-1b", "text-input-tokens", "*chat-1b"],
  ["mlc-ai/Qwen3-8B-q4f16_1-MLC", "text-input-tokens", "*chat-16b"],
  ["infetch-phi-3.5-mini", "text-input-tokens", "*chat-4b"],
  ["mlc-ai/Phi-3.5-mini-instruct-q4f16_1-MLC", "text-input-tokens", "*chat-4b"],
  ["mlc-ai/stablelm-2-zephyr-1_6b-q4f16_1-MLC", "text-input-tokens", "*chat-4b"],
  ["Xenova/bge-base-en-v1.5", EMBEDDING, "*embedding-base"],
  ["intfloat/multilingual-e5-large", EMBEDDING, "*embedding-large"],
  ["Qwen/Qwen3-Embedding-0.6B", EMBEDDING, "*embedding-large"],
  ["Xenova/all-MiniLM-L6-v2", EMBEDDING, "*embedding-small"],
])("%s is of the class %s %s", (model, product, expected) => {
  expect(sizeClassOf(model, product)).toBe(expected);
});

test("for any table, the names of one model cost the same where the table names one of them", () => {
  const models = embedders.map(({ id, baseModel }) => [id, baseModel!] as const);
  const tables = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...models), fc.nat(1), fc.integer({ min: 1, max: 500_000 })),
    { selector: ([[id]]) => id, minLength: 1 },
  );
  const property = fc.property(tables, (entries) => {
    const table = Object.fromEntries(
      entries.map(([names, at, pico]) => [names[at], { embedding: (2 * pico) / 1e6 }]),
    );
    const own = cardOf(table);
    for (const [names, , pico] of entries) {
      for (const name of names) {
        expect(price(own, name, EMBEDDING)).toBe(BigInt(2 * pico));
        expect(price(own, name, EMBEDDING, "batch")).toBe(BigInt(pico));
      }
    }
    expect(price(own, "not-in-the-table", EMBEDDING)).toBe(0n);
  });
  fc.assert(property, { verbose: 1 });
});
