/**
 * Reads the kernels. The declarations in a WGSL file are the single source of truth for how web-llm binds the
 * buffers, how the library passes them, and which constants both share.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Architecture, dimensionConstants } from "./architecture.ts";
import { declaredConstants, evaluate } from "./wgsl-constants.ts";
import { unrollLoops } from "./wgsl-unroll.ts";

export interface Kernel {
  /** Entry point, file name and key of the description. */
  name: string;
  /** Ready to compile: dimensions first, loops unrolled, comments removed. */
  source: string;
  buffers: { name: string; writable: boolean }[];
  scalars: { name: string; type: string }[];
  workgroupSize: number;
  /** Constants declared in the file, such as tile sizes. */
  constants: Record<string, number>;
  /**
   * For several sequences, which most pages never need: the kernel with another value of a constant, compiled at its
   * first launch and not at load.
   */
  variant?: { of: string; value: number };
}

const SCALAR_TYPES: Record<string, string> = { u32: "uint32", i32: "int32", f32: "float32" };
const KERNEL_DIRECTORY = fileURLToPath(new URL("../kernels/", import.meta.url));

const VARIANTS = /^\/\/ variants (\w+) = (\d+(?:, \d+)*)$/m;

/** All kernels for a model, sorted by file. */
export function readKernels(architecture: Architecture): Kernel[] {
  const files = readdirSync(KERNEL_DIRECTORY)
    .filter((file) => file.endsWith(".wgsl"))
    .sort();
  return files.flatMap((file) => {
    const name = file.slice(0, -".wgsl".length);
    const variants = listVariants(name, readFileSync(KERNEL_DIRECTORY + file, "utf8"));
    return variants.map(({ name: variant, text, value }) => ({
      ...parseKernel(variant, text, architecture),
      ...(value && { variant: { of: name, value } }),
    }));
  });
}

/**
 * The kernel of a file and, for a line such as `// variants TOKENS = 4, 8`, the same code with each of these values
 * of that constant, as kernels `<name>_4` and `<name>_8`. They sum in the same order, so their results agree to the bit.
 */
export function listVariants(name: string, text: string): { name: string; text: string; value?: number }[] {
  const [, constant, values] = VARIANTS.exec(text) ?? [];
  const variants = (values?.split(", ") ?? []).map((value) => ({
    name: `${name}_${value}`,
    value: Number(value),
    text: text
      .replace(new RegExp(`^const ${constant} = .*;$`, "m"), `const ${constant} = ${value}u;`)
      .replace(`fn ${name}(`, `fn ${name}_${value}(`),
  }));
  return [{ name, text }, ...variants];
}

export function parseKernel(name: string, text: string, architecture: Architecture): Kernel {
  const dimensions = dimensionConstants(architecture);
  const constants = declaredConstants(text, dimensions);
  const known = { ...dimensions, ...constants };
  const entry = new RegExp(`@workgroup_size\\(([^)]+)\\)\\s+fn ${name}\\(`).exec(text);
  if (!entry) throw new Error(`kernels/${name}.wgsl: the entry point must be named ${name}`);
  const buffers = parseBuffers(name, text);
  const scalars = parseScalars(name, text, buffers.length);
  return {
    name,
    buffers,
    scalars,
    constants,
    workgroupSize: evaluate(entry[1] ?? "", known),
    source: prelude(architecture) + removeComments(unrollLoops(text, known)),
  };
}

function parseBuffers(kernel: string, text: string): Kernel["buffers"] {
  const declarations = [
    ...text.matchAll(/@group\(0\) @binding\((\d+)\) var<storage, (read|read_write)> (\w+):/g),
  ];
  return declarations.map(([, binding, access, name = ""], index) => {
    if (Number(binding) !== index) throw new Error(`kernels/${kernel}.wgsl: bindings must count up from 0`);
    return { name, writable: access === "read_write" };
  });
}

/** The members of `struct Arguments` except the last, `gridX`, which web-llm appends itself. */
function parseScalars(kernel: string, text: string, binding: number): Kernel["scalars"] {
  const struct = /struct Arguments \{([^}]*)\}/.exec(text);
  const members = (struct?.[1] ?? "").split(",").map((member) => member.trim().split(/:\s*/));
  if (
    members.at(-1)?.join() !== "gridX,u32" ||
    !text.includes(`@binding(${binding}) var<uniform> arguments: Arguments;`)
  ) {
    throw new Error(
      `kernels/${kernel}.wgsl: the binding after the buffers must be a struct Arguments that ends in gridX: u32`,
    );
  }
  return members.slice(0, -1).map(([name = "", type = ""]) => {
    if (!SCALAR_TYPES[type]) throw new Error(`kernels/${kernel}.wgsl: ${name} must be u32, i32 or f32`);
    return { name, type };
  });
}

function prelude(architecture: Architecture): string {
  const lines = Object.entries(dimensionConstants(architecture)).map(
    ([name, value]) => `const ${name}: u32 = ${value}u;`,
  );
  lines.push(`const RMS_EPSILON: f32 = ${architecture.rmsEps};`);
  return `${lines.join("\n")}\n`;
}

/** WGSL is a third smaller without comments and indentation; line breaks stay for readable compiler messages. */
function removeComments(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/\/\/.*$/, "").trim());
  return lines.filter((line) => line !== "").join("\n");
}

/** The descriptions that web-llm reads with `webgpu.get_fmap`, of the kernels that it compiles at load. */
export function describeKernels(kernels: Kernel[]): string {
  const entries = kernels.filter(({ variant }) => !variant).map((one) => [one.name, describe(one)]);
  return JSON.stringify(Object.fromEntries(entries));
}

/** The same for one kernel that the library compiles itself; "" for the others. */
export function describeOnDemand(kernel: Kernel): string {
  return kernel.variant ? JSON.stringify(describe(kernel)) : "";
}

function describe({ name, buffers, scalars }: Kernel): object {
  return {
    name,
    arg_types: [...buffers.map(() => "handle"), ...scalars.map(({ type }) => SCALAR_TYPES[type])],
    launch_param_tags: [
      "blockIdx.x",
      "blockIdx.y",
      `paramWriteAccess:[${buffers.map(({ writable }) => (writable ? 1 : 0)).join(",")}]`,
    ],
  };
}
