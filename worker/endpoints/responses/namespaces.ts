/** Functions in namespaces (OpenAI reference, Responses, `namespace`): groups of tools that the client runs. */

export interface FunctionPath {
  namespace?: string;
  name: string;
}

/** Chat templates know no namespaces: the name of a function in the prompt begins with that of its namespace. */
export function nameInPrompt({
  namespace,
  name,
}: {
  namespace?: string | null | undefined;
  name: string;
}): string {
  return namespace ? `${namespace}__${name}` : name;
}
