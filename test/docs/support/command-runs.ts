/** How `commands.slow.test.ts` runs each documented command, verbatim. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { access, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { blocksIn, root } from "./blocks.ts";

/** Where commands run besides the project: an app with the package installed, and a clean copy. */
export interface Places {
  app: string;
  copy: string;
}

type Run = (line: string, places: Places) => Promise<void>;

/** The distinct lines of all `sh` blocks, without comments. */
export const documentedCommands: readonly string[] = [
  ...new Set(
    blocksIn("sh").flatMap(({ code }) =>
      code
        .replaceAll(/\\\n\s*/g, "")
        .split("\n")
        .map((line) => line.replace(/\s+#.*$/, "").trim())
        .filter((line) => line !== ""),
    ),
  ),
];

interface Shell {
  process: ChildProcess;
  output(): string;
  /** Resolves with the first match on stdout. @throws if the command ends first */
  waitFor(pattern: RegExp): Promise<RegExpMatchArray>;
  ended: Promise<number | null>;
  /** Terminates the command's process group. */
  end(): Promise<void>;
}

function shell(line: string, cwd: string, { input, env }: { input?: string; env?: object } = {}): Shell {
  const child = spawn("sh", ["-c", line], {
    cwd,
    // Vitest's variables would affect the command.
    env: { ...withoutVitest(), ...env },
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  child.stdin.end(input ?? "");
  let output = "";
  let error = "";
  const listeners = new Set<() => void>();
  child.stdout.on("data", (bytes) => {
    output += bytes;
    for (const listener of listeners) listener();
  });
  child.stderr.on("data", (bytes) => {
    error += bytes;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    process: child,
    output: () => output,
    ended,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output);
          if (match) resolve(match);
        };
        listeners.add(look);
        void ended.then((code) => reject(new Error(`${line} ended with ${code}: ${error}`)));
        look();
      }),
    async end() {
      process.kill(-child.pid!, "SIGTERM");
      await ended;
    },
  };
}

function withoutVitest(): Record<string, string | undefined> {
  const ours = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$)/.test(name));
  return Object.fromEntries(ours);
}

/** Runs a command to its end. @returns its stdout */
async function complete(line: string, cwd: string, input?: string): Promise<string> {
  const command = shell(line, cwd, input === undefined ? {} : { input });
  expect(await command.ended, command.output()).toBe(0);
  return command.output();
}

/** Runs the console's server. @returns its page's CSP */
async function servePolicy(line: string, cwd: string): Promise<string> {
  const command = shell(line, cwd);
  try {
    const [, address] = await command.waitFor(/infetch demo: (http:\S+)/);
    const response = await fetch(address!);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("<title>")]);
    return response.headers.get("content-security-policy")!;
  } finally {
    await command.end();
  }
}

const SUMMARY = /\[infetch-tiny: \d+ prompt \+ \d+ completion = \d+ tokens/g;
const BRIDGE = "npm run bridge -- --port 8787";

async function copyPackage(line: string, { app }: Places, file: string): Promise<void> {
  await mkdir(join(app, "public"), { recursive: true });
  await complete(line, app);
  await access(join(app, file));
}

/** By the whole line, so that changed commands need an update here. */
export const COMMAND_RUNS: Record<string, Run> = {
  "npm ci && npm start": async (line, { copy }) => {
    expect(await servePolicy(line, copy)).toContain("default-src 'self'");
  },
  // This very command: CI runs both, on a clean checkout.
  "npm ci && npm test": async () => {
    const lines = readFileSync(join(root, ".ci/run"), "utf8").split("\n");
    const [install, test] = [lines.indexOf("npm ci"), lines.findIndex((one) => /^npm test\b/.test(one))];
    expect([install > 0, test > install]).toEqual([true, true]);
  },
  'npm run chat -- "hello"': async (line) => {
    expect((await complete(line, root)).match(SUMMARY)).toHaveLength(1);
  },
  "npm run chat": async (line) => {
    expect((await complete(line, root, "Hello!\nWho are you?\n")).match(SUMMARY)).toHaveLength(2);
  },
  [BRIDGE]: async (line) => {
    const bridge = shell(line, root);
    try {
      const [, key] = await bridge.waitFor(/^ready http:\/\/127\.0\.0\.1:8787\/v1 key=(\S+)$/m);
      const curl = documentedCommands.find((one) => one.startsWith("curl "))!;
      const client = shell(curl, root, { env: { KEY: key } });
      expect(await client.ended).toBe(0);
      expect(client.output()).toMatch(/^data: \{.*"delta".*\ndata: \[DONE\]\n/s);
    } finally {
      await bridge.end();
    }
  },
  // Run against the bridge by the entry above.
  'curl -N http://127.0.0.1:8787/v1/chat/completions -H "Authorization: Bearer $KEY" -d \'{"model":"infetch-tiny","messages":[{"role":"user","content":"Hello!"}],"stream":true}\'':
    async () => expect(documentedCommands).toContain(BRIDGE),
  "npm start -- --allow https://huggingface.co --allow 'https://*.hf.co' --allow https://raw.githubusercontent.com":
    async (line) => {
      expect(await servePolicy(line, root)).toContain(
        "connect-src 'self' https://huggingface.co https://*.hf.co https://raw.githubusercontent.com;",
      );
    },
  "npm run hub -- ./models-to-serve --gated acme/tiny --token hf_test": async (line) => {
    const folder = await mkdtemp(join(tmpdir(), "infetch-served-"));
    for (const name of ["package.json", "scripts", "node_modules"]) {
      await symlink(join(root, name), join(folder, name));
    }
    await mkdir(join(folder, "models-to-serve/acme/tiny"), { recursive: true });
    await writeFile(join(folder, "models-to-serve/acme/tiny/config.json"), "{}");
    const hub = shell(line, folder);
    try {
      const [, address] = await hub.waitFor(/infetch hub: (http:\S+)/);
      const file = `${address}acme/tiny/resolve/main/config.json`;
      const refused = await fetch(file);
      const served = await fetch(file, { headers: { authorization: "Bearer hf_test" } });
      expect([refused.status, served.status, await served.text()]).toEqual([401, 200, "{}"]);
    } finally {
      await hub.end();
      await rm(folder, { recursive: true, force: true });
    }
  },
  "node node_modules/infetch/dist/model-manifest.js ./my-model --base-model Qwen/Qwen3-0.6B": async (
    line,
    { app },
  ) => {
    const model = join(app, "node_modules/infetch/dist/models/infetch-tiny");
    await cp(model, join(app, "my-model"), { recursive: true });
    await complete(line, app);
    const manifest = await readFile(join(app, "my-model/infetch-model.json"), "utf8");
    expect(manifest).toContain("Qwen/Qwen3-0.6B");
    expect(manifest).toContain("params_shard_0.bin");
  },
  "mkdir -p public/models && cp -r node_modules/infetch/dist/models/infetch-tiny public/models/": (
    line,
    places,
  ) => copyPackage(line, places, "public/models/infetch-tiny/params_shard_0.bin"),
  "npx infetch copy public/infetch": (line, places) =>
    copyPackage(line, places, "public/infetch/worker/server.js"),
  "npx infetch copy public/infetch --engines webllm,transformers": (line, places) =>
    copyPackage(line, places, "public/infetch/worker/server.js"),
};
