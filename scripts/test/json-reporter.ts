/** Vitest's JSON reporter, with each error's message: it reports stacks only, and Firefox's and WebKit's lack it. */

import { JsonReporter, type TestModule } from "vitest/node";

export default class extends JsonReporter {
  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        for (const error of test.result().errors ?? [])
          if (!error.stack?.includes(error.message))
            error.stack = `${error.name}: ${error.message}\n${error.stack ?? ""}`;
      }
    }
    await super.onTestRunEnd(modules);
  }
}
