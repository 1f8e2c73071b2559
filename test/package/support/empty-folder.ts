/** An empty folder in which a test types the commands that a document names. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** npm as in a terminal, without Vitest's variables; packages come from npm's cache where it has them. */
export function terminalEnvironment(): NodeJS.ProcessEnv {
  const ours = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV|TEST$)/.test(name));
  return {
    ...Object.fromEntries(ours),
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_ignore_scripts: "true",
    npm_config_prefer_offline: "true",
    npm_config_update_notifier: "false",
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

export class EmptyFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(): Promise<EmptyFolder> {
    return new EmptyFolder(await mkdtemp(join(tmpdir(), "infetch-app-")));
  }

  /** Runs a command line. @throws with the command's output */
  async type(line: string): Promise<void> {
    const options = { cwd: this.path, env: terminalEnvironment(), shell: "/bin/sh", maxBuffer: 2 ** 24 };
    await promisify(execFile)(line, [], options).catch(
      (error: Error & { stdout: string; stderr: string }) => {
        throw new Error([line, error.stdout, error.stderr].join("\n"));
      },
    );
  }

  /** `npm install infetch …`: the tarball and packages at exact versions. */
  install(tarball: string, packages: Readonly<Record<string, string>>): Promise<void> {
    const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
    return this.type(["npm install", tarball, ...names].join(" "));
  }

  /** @param files path → text */
  async write(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(this.path, path)), { recursive: true });
      await writeFile(join(this.path, path), text);
    }
  }

  /** Bytes of all files below some folders. */
  async bytesIn(folders: readonly string[]): Promise<number> {
    let bytes = 0;
    for (const folder of folders) {
      const entries = await readdir(join(this.path, folder), { recursive: true, withFileTypes: true });
      for (const entry of entries)
        if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
    }
    return bytes;
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true, force: true });
  }
}
