/**
 * Selects tests of a suite. `TEST_EXTENT=quick`: those of `npm test`; `rest`: those of `npm run test:slow`; unset:
 * all, as with `npx vitest run --project <name>`.
 */

export type TestExtent = "quick" | "rest" | "all";

const EXTENTS: readonly string[] = ["quick", "rest"] satisfies TestExtent[];

export function testExtent(value = process.env.TEST_EXTENT): TestExtent {
  if (value === undefined || value === "" || value === "all") return "all";
  if (EXTENTS.includes(value)) return value as TestExtent;
  throw new TypeError(`TEST_EXTENT is '${value}': use quick, rest or all.`);
}

/** The console's tests, which run in Playwright Test; the others run in Vitest. */
export const consoleTests = "test/demo/**/*.test.ts";

/**
 * Of each two groups one runs a day, by the seed's parity: what another engine or browser runs that day, or what
 * takes minutes. `npx vitest run --project <name>` runs all.
 */
export const inTurn = {
  chromium: [
    [
      "test/browser/{batches/flow,billing/usage,keys/keys,lifecycle/{death,unload}}.browser.test.ts",
      "test/browser/{chat/{conversation,draws,end-tokens,heavy-schemas},engines/fingerprint}.browser.test.ts",
    ],
    [
      "test/browser/{batches/side-by-side,billing/{spoiled,taken},lifecycle/request-event}.browser.test.ts",
      "test/browser/{chat/{concurrency,random-requests},engines/{many,same}-replies}.browser.test.ts",
      "test/browser/{deployments,responses}/**/*.browser.test.ts",
    ],
  ],
  "no-webgpu": [
    [
      "test/browser/{billing/{spoiled,taken},deployments/deployments,keys/keys}.browser.test.ts",
      "test/browser/lifecycle/request-event.browser.test.ts",
      "test/browser/chat/{concurrency,random-requests}.browser.test.ts",
    ],
    [
      "test/browser/chat/clients.browser.test.ts",
      "test/browser/chat/{conversation,draws,end-tokens,fixed-prompts,heavy-schemas}.browser.test.ts",
      "test/browser/lifecycle/death.browser.test.ts",
    ],
  ],
  commands: [
    [
      "test/{tabs/pace,package/tarball,browser/faults/forbidden-files}.test.ts",
      "test/browser/{llamacpp/{engine-loss,policy},models/{downloads,own-models}}.test.ts",
    ],
    [
      "test/{tabs/{same-page,sharing},browser/faults/cleared-storage}.test.ts",
      "test/browser/lifecycle/{losses-side-by-side,device-loss,engine-death}.test.ts",
      "test/browser/models/{context,hub,memory}.test.ts",
    ],
  ],
  console: [
    ["test/demo/{chat,connect,embeddings,models}.test.ts"],
    ["test/demo/{offline,prompt,settings}.test.ts"],
  ],
  slow: [
    ["test/{package/{bundled,examples},docs/site,tabs/every-browser}.slow.test.ts"],
    [
      "test/{package/{frameworks,vite-without-plugin},docs/snippets,browser/console/every-browser}.slow.test.ts",
    ],
  ],
  firefox: [
    [
      "test/browser/{billing/taken,lifecycle/request-event,embeddings/{gguf,hub,layouts,saved},faults/fuzz}.browser.test.ts",
      "test/browser/chat/{clients,concurrency}.browser.test.ts",
      "test/browser/{deployments,responses}/**/*.browser.test.ts",
    ],
    [
      "test/browser/{billing/usage,lifecycle/unload,batches/flow,images/clients}.browser.test.ts",
      "test/browser/chat/{conversation,parameters}.browser.test.ts",
    ],
  ],
  webkit: [
    [
      "test/browser/{billing/usage,lifecycle/unload,batches/flow,images/clients}.browser.test.ts",
      "test/browser/keys/cached-prompts.browser.test.ts",
      "test/browser/chat/{conversation,parameters}.browser.test.ts",
      "test/browser/lifecycle/{death,load-failure}.browser.test.ts",
    ],
    [
      "test/browser/{billing/taken,lifecycle/request-event,embeddings/{gguf,hub,layouts,saved},faults/fuzz}.browser.test.ts",
      "test/browser/chat/{clients,concurrency}.browser.test.ts",
      "test/browser/{deployments,responses}/**/*.browser.test.ts",
    ],
  ],
} satisfies Record<string, readonly [readonly string[], readonly string[]]>;

/** Of the files in turn of a suite, those that run today, and those that wait for another day. */
function byDay(suite: string, seed: number): { today: readonly string[]; later: readonly string[] } {
  const groups: readonly (readonly string[])[] = inTurn[suite as keyof typeof inTurn] ?? [];
  return { today: groups[Math.abs(seed) % 2] ?? [], later: groups[Math.abs(seed + 1) % 2] ?? [] };
}

/**
 * Slow tests with nothing beside them: they measure the whole browser's memory, run commands that build, or take
 * three times as long on a busy machine.
 */
export const aloneTests = [
  "test/browser/{batches/large-file,faults/leaks,llamacpp/refused-memory}.slow.test.ts",
  "test/{embeddings/memory,faults/hostile-images,tabs/{large-upload,rounds},start/measures}.slow.test.ts",
  "test/docs/{commands,testing-guide}.slow.test.ts",
];

/**
 * Tests deferred to `npm run test:slow`, by suite. What stays shows each area once.
 */
export const restTests = {
  node: [
    "test/ledger/{laws,prices-and-clocks,quarantine,time-zones}.test.ts",
    "test/{faults/floods,security/schema-budget}.test.ts",
    "test/contract/chat/random-requests.test.ts",
    "test/unit/{json-schema/grammar,model-library/build}.test.ts",
    // Python of the models' training, which no package has.
    "test/scripts/training.test.ts",
  ],
  chromium: [
    ...inTurn.chromium.flat(),
    "test/browser/keys/cached-prompts.browser.test.ts",
    "test/browser/chat/{fixed-prompts,long-load,parameters,penalties,special-tokens}.browser.test.ts",
    "test/browser/{embeddings/hub,faults/fuzz}.browser.test.ts",
  ],
  "no-webgpu": [
    ...inTurn["no-webgpu"].flat(),
    "test/browser/{chat/{long,mixed}-load,faults/fuzz,llamacpp/{hub-files,own-template}}.browser.test.ts",
  ],
  // Chats, streams, aborts, tools and the ledger on the fallback, in about a minute.
  "single-engine": ["test/browser/{chat/{concurrency,conversation},lifecycle/request-event}.browser.test.ts"],
  commands: [
    "test/browser/batches/reload.test.ts",
    "test/browser/billing/killed-{browser,tab}.test.ts",
    "test/browser/faults/*.test.ts",
    "test/browser/{lifecycle,llamacpp,models}/**/*.test.ts",
    "test/{bridge/process,package/tarball}.test.ts",
    "test/embeddings/isolation.test.ts",
    "test/tabs/{environments,options,pace,same-page,server-start,service-worker,sharing}.test.ts",
  ],
  console: inTurn.console.flat(),
} satisfies Record<string, readonly string[]>;

/** Independent of the engine; seconds in each browser. */
const everywhere = [
  "test/compliance/**/*.browser.test.ts",
  "test/browser/keys/keys.browser.test.ts",
  "test/browser/billing/spoiled.browser.test.ts",
  "test/browser/embeddings/built-in.browser.test.ts",
  "test/browser/lifecycle/support.browser.test.ts",
  "test/browser/chat/first-chat.browser.test.ts",
  "test/browser/models/segments.browser.test.ts",
  "test/browser/images/decoding.browser.test.ts",
];
const quickMatrix = {
  firefox: [
    ...everywhere,
    "test/browser/{keys/cached-prompts,lifecycle/{death,load-failure}}.browser.test.ts",
  ],
  webkit: everywhere,
};

/**
 * Tests that also run in Firefox or WebKit. Without a GPU these lack WebGPU and generate text slowly, so only `npx
 * vitest run --project <name>` runs all.
 */
export function matrixTests(name: keyof typeof quickMatrix, seed: number, extent = testExtent()): string[] {
  if (extent === "all") return ["test/**/*.browser.test.ts"];
  return [...(extent === "quick" ? quickMatrix[name] : byDay(name, seed).today)];
}

/** Globs of what the suite `slow` leaves out: tests that run alone, and those of another day. */
export function notSlowToday(seed: number, extent = testExtent()): string[] {
  return [...aloneTests, ...(extent === "rest" ? byDay("slow", seed).later : [])];
}

interface Selection {
  include: string[];
  exclude: string[];
}

/** Files of a suite, `include` without `exclude`, that belong to an extent of the day. */
export function selectTests(
  suite: keyof typeof restTests,
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
  seed: number,
  extent = testExtent(),
): Selection {
  const rest: readonly string[] = restTests[suite];
  if (extent === "rest") return { include: [...rest], exclude: [...exclude, ...byDay(suite, seed).later] };
  return { include: [...include], exclude: [...exclude, ...(extent === "quick" ? rest : [])] };
}
