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

/** Independent of the engine: all run on llama.cpp each day, and one of these groups on WebGPU, by the seed. */
const onWebGPUInTurn = [
  [
    "test/browser/{batches/flow,billing/usage,keys/keys}.browser.test.ts",
    "test/browser/lifecycle/{death,unload}.browser.test.ts",
  ],
  [
    "test/browser/{billing/{spoiled,taken},lifecycle/request-event}.browser.test.ts",
    "test/browser/{deployments,responses}/**/*.browser.test.ts",
  ],
];

/**
 * Tests deferred to `npm run test:slow`, by suite. What stays shows each area once, in about eight minutes on
 * two cores.
 */
export const restTests = {
  node: [
    "test/{faults/floods,ledger/{laws,quarantine,time-zones},security/schema-budget}.test.ts",
    "test/contract/chat/random-requests.test.ts",
    "test/unit/{json-schema/grammar,model-library/build}.test.ts",
  ],
  chromium: [
    ...onWebGPUInTurn.flat(),
    "test/browser/{batches/side-by-side,keys/cached-prompts}.browser.test.ts",
    "test/browser/chat/{concurrency,conversation,draws,end-tokens,fixed-prompts}.browser.test.ts",
    "test/browser/chat/{heavy-schemas,parameters,penalties,random-requests,special-tokens}.browser.test.ts",
    "test/browser/{embeddings/hub,engines/{fingerprint,many-replies,same-replies},faults/fuzz}.browser.test.ts",
  ],
  "no-webgpu": [
    "test/browser/{billing/taken,deployments/deployments,faults/fuzz}.browser.test.ts",
    "test/browser/chat/{concurrency,conversation,draws,end-tokens,fixed-prompts}.browser.test.ts",
    "test/browser/chat/{heavy-schemas,random-requests}.browser.test.ts",
    "test/browser/lifecycle/{death,request-event}.browser.test.ts",
    "test/browser/llamacpp/{hub-files,own-template}.browser.test.ts",
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
  console: ["test/demo/{chat,connect,embeddings,models,offline,prompt,settings}.test.ts"],
} satisfies Record<string, readonly string[]>;

/** Independent of the engine; seconds in each browser. */
const everywhere = [
  "test/compliance/**/*.browser.test.ts",
  "test/browser/keys/**/*.browser.test.ts",
  "test/browser/billing/spoiled.browser.test.ts",
  "test/browser/embeddings/built-in.browser.test.ts",
  "test/browser/lifecycle/support.browser.test.ts",
  "test/browser/chat/first-chat.browser.test.ts",
  "test/browser/models/segments.browser.test.ts",
  "test/browser/images/decoding.browser.test.ts",
];
/** Minutes, mostly in WebKit's build of llama.cpp. */
const everywhereRest = [
  "test/browser/billing/{taken,usage}.browser.test.ts",
  "test/browser/lifecycle/{request-event,unload}.browser.test.ts",
  "test/browser/chat/{clients,concurrency,conversation,parameters}.browser.test.ts",
  "test/browser/{batches/flow,embeddings/hub,faults/fuzz,images/clients}.browser.test.ts",
  "test/browser/{deployments,responses}/**/*.browser.test.ts",
];
const matrix = {
  firefox: {
    quick: [...everywhere, "test/browser/lifecycle/{death,load-failure}.browser.test.ts"],
    rest: everywhereRest,
  },
  webkit: {
    quick: everywhere,
    rest: [...everywhereRest, "test/browser/lifecycle/{death,load-failure}.browser.test.ts"],
  },
} satisfies Record<string, Record<"quick" | "rest", readonly string[]>>;

/**
 * Tests that also run in Firefox or WebKit. Without a GPU these lack WebGPU and generate text slowly, so only `npx
 * vitest run --project <name>` runs all.
 */
export function matrixTests(name: keyof typeof matrix, extent = testExtent()): string[] {
  return extent === "all" ? ["test/**/*.browser.test.ts"] : [...matrix[name][extent]];
}

/** Those of the suite `chromium` that wait for another day. */
export function notToday(seed: number): string[] {
  return onWebGPUInTurn[Math.abs(seed + 1) % onWebGPUInTurn.length]!;
}

interface Selection {
  include: string[];
  exclude: string[];
}

/** Files of a project that belong to an extent; `rest` holds patterns for some of them, `later` for some of these. */
export function selectTests(
  { include, exclude }: { include: readonly string[]; exclude: readonly string[] },
  rest: readonly string[],
  later: readonly string[] = [],
): Selection {
  const extent = testExtent();
  if (extent === "rest") return { include: [...rest], exclude: [...exclude, ...later] };
  return { include: [...include], exclude: [...exclude, ...(extent === "quick" ? rest : [])] };
}
