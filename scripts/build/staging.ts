import { rmSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";

/** Folders that are written elsewhere, and then replace their targets all at once. */
export class Staging {
  readonly #root: string;
  readonly #targets: string[] = [];

  /** @param root on the disk of the folders that are replaced */
  constructor(root: string) {
    this.#root = root;
  }

  /** The folder to write; it will replace `target`. */
  async folder(target: string): Promise<string> {
    const at = this.#targets.push(target) - 1;
    const folder = this.#path("new", at);
    await mkdir(folder, { recursive: true });
    return folder;
  }

  /** Replaces all folders. */
  async replace(): Promise<void> {
    await mkdir(this.#path("old"), { recursive: true });
    for (const [at, target] of this.#targets.entries()) {
      await rename(target, this.#path("old", at)).catch(unlessAbsent);
      await rename(this.#path("new", at), target);
    }
  }

  /** Deletes what was not used, and what was replaced. */
  delete(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #path(...parts: (string | number)[]): string {
    return join(this.#root, ...parts.map(String));
  }
}

function unlessAbsent(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
