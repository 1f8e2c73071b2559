/** Networks with adapters for several uses of texts, which take the number of one (jina-embeddings-v3). */

import { isObject } from "../../../../src/shared/is-object.ts";
import type { NetworkConfiguration } from "../network-configuration.ts";
import type { ModuleConfiguration } from "./module-configuration.ts";

/** Name of the network's input. */
export const TASK_INPUT = "task_id";

/**
 * Adds the adapters that `config.json` names to the uses of texts. `query` and `document` are those whose names end so
 * (`retrieval.query`, `retrieval.passage`), else the first.
 *
 * @param arePrefixesStated whether the record says which prefixes there are, or that there are none
 */
export function withTasks(
  modules: ModuleConfiguration,
  network: NetworkConfiguration | undefined,
  arePrefixesStated = false,
): ModuleConfiguration {
  const { lora_adaptations: listed, task_instructions } = network ?? {};
  const names = Array.isArray(listed) ? listed.filter((one): one is string => typeof one === "string") : [];
  if (names.length === 0) return modules;
  const instructions = isObject(task_instructions) ? task_instructions : {};
  const promptOf = (name: string): string => {
    const prompt = modules.prompts?.[name] ?? instructions[name];
    return typeof prompt === "string" ? prompt : "";
  };
  const endingIn = (ending: RegExp): string => names.find((name) => ending.test(name)) ?? names[0]!;
  const query = endingIn(/query$/);
  const document = endingIn(/(passage|document)$/);
  const isUnnamed = !arePrefixesStated && !modules.prefixes.query && !modules.prefixes.document;
  return {
    ...modules,
    ...(isUnnamed ? { prefixes: { query: promptOf(query), document: promptOf(document) } } : {}),
    prompts: { ...modules.prompts, ...Object.fromEntries(names.map((name) => [name, promptOf(name)])) },
    tasks: {
      ...Object.fromEntries(names.map((name, at) => [name, at])),
      query: names.indexOf(query),
      document: names.indexOf(document),
    },
  };
}
