import { invokeFormat } from "./invoke.ts";

const LIST = { open: "<minimax:tool_call>", close: "</minimax:tool_call>" };

/** MiniMax M2: one block with `<invoke name="f"><parameter name="key">value</parameter></invoke>` for each call. */
export const minimax = invokeFormat({
  name: "minimax-m2",
  // Without the quotes, which the template may escape.
  matches: (template) =>
    [LIST.open, "<invoke name=", "<parameter name="].every((tag) => template.includes(tag)),
  list: LIST,
});
