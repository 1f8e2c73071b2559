/** How many replies run side by side: for all models, for one of `models`, for a deployment. */

import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { resolveOptions } from "../../../src/options/resolve-options.ts";
import { optionsError } from "../../../src/options/setup-errors.ts";
import type { Parallel } from "../../../src/protocol/parallel.ts";
import { findShapeFault } from "../../../worker/catalog/own-models/check-shape.ts";
import { recordOf } from "../../../worker/catalog/own-models/manifest.ts";
import { deploymentApp } from "../../support/deployment-app.ts";

beforeAll(
  () => void vi.stubGlobal("location", { href: "https://app.test/pages/here", origin: "https://app.test" }),
);
afterAll(() => void vi.unstubAllGlobals());

const WRONG = [0, 9, 2.5, -1, "4", "all", true] as unknown as Parallel[];

test("the runtime's option is `auto` or 1 to 8, else a TypeError", () => {
  const parallel = (value?: Parallel) =>
    resolveOptions(value === undefined ? {} : { parallel: value }, "https://app.test/").server.parallel;
  expect([parallel(), parallel("auto"), parallel(1), parallel(8)]).toEqual(["auto", "auto", 1, 8]);
  for (const value of WRONG)
    expect(optionsError({ parallel: value }).message).toBe(
      'parallel must be "auto" or a whole number from 1 to 8.',
    );
});

test("a row of `models` may have another one, which is checked", () => {
  const row = (parallel: Parallel) =>
    findShapeFault({ models: [{ id: "mine", url: "https://host.test/m/", parallel }] } as never);
  expect([row("auto"), row(8)]).toEqual([undefined, undefined]);
  for (const value of WRONG) expect(row(value)).toContain('"auto" or a whole number from 1 to 8');
  const files = [{ name: "mlc-chat-config.json", bytes: 1, sha256: "0".repeat(64) }];
  const manifest = JSON.stringify({ infetch: 1, kind: "chat", files });
  const source = { id: "mine", sourceURL: "https://host.test/m/", version: "1", created: 5, parallel: 2 };
  expect(recordOf(manifest, source)).toMatchObject({ builds: { webllm: { parallel: 2 } } });
});

test("so may a deployment: anything else is a 400 that names it", async () => {
  const { page, services } = await deploymentApp();
  const create = (parallel: Parallel) => page.create({ name: "mine", model: "infetch-tiny", parallel });
  for (const value of WRONG)
    expect(await create(value)).toMatchObject({ ok: false, error: { message: /'parallel'/ } });
  expect(await create(2)).toMatchObject({ ok: true, value: { parallel: 2 } });
  expect(services.catalog.find("mine")).toMatchObject({ builds: { webllm: { parallel: 2 } } });
  expect(services.catalog.find("infetch-tiny")).not.toMatchObject({ builds: { webllm: { parallel: 2 } } });
});
