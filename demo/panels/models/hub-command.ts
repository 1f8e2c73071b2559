/** The command that starts the console with the origins of the hub allowed, in parts that stay on a line. As in `docs/console.md`. */
export const HUB_COMMAND = [
  "npm start --",
  "--allow https://huggingface.co",
  "--allow 'https://*.hf.co'",
  "--allow https://raw.githubusercontent.com",
] as const;
