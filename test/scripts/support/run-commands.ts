/**
 * Runs commands in one process, as each would take seconds of its own to start: `run-commands.ts '[["bridge.ts", "--help"]]'`.
 * Prints {@link CommandResult}s as JSON, and then ends by itself unless a command left something open.
 */

export interface CommandResult {
  status: number;
  stdout: string;
  stderr: string;
}

class Exit extends Error {
  readonly status: number;

  constructor(status: number) {
    super("exit");
    this.status = status;
  }
}

const print = console.log;
const results: CommandResult[] = [];
const [executable, script, commands] = process.argv as [string, string, string];

for (const [index, [file, ...args]] of (JSON.parse(commands) as string[][]).entries()) {
  const result: CommandResult = { status: 0, stdout: "", stderr: "" };
  console.log = (text: string) => {
    result.stdout += `${text}\n`;
  };
  console.error = (text: string) => {
    result.stderr += `${text}\n`;
  };
  process.exit = (status) => {
    throw new Exit(Number(status));
  };
  process.argv = [executable, script, ...args];
  try {
    // Another address for each run, so that the command runs again.
    await import(`../../../scripts/${file}?${index}`);
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    result.status = error.status;
  }
  results.push(result);
}
print(JSON.stringify(results));
