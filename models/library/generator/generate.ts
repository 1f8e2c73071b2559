/** Writes `generated.ts`, the part of the library's AssemblyScript that depends on the model. */
import {
  type Architecture,
  describeModel,
  dimensionConstants,
  MAX_BATCH,
  parameterConstants,
} from "./architecture.ts";
import { describeKernels, describeOnDemand, type Kernel } from "./kernels.ts";

export function generateConstants(architecture: Architecture, kernels: Kernel[]): string {
  const numbers: Record<string, number> = {
    ...dimensionConstants(architecture),
    CONTEXT_WINDOW: architecture.contextWindow,
    PREFILL_CHUNK: architecture.prefillChunk,
    MAX_BATCH,
    ...parameterConstants(architecture),
    KERNEL_COUNT: kernels.length,
    ...kernelConstants(kernels),
  };
  return [
    "// Made by models/library/build.ts from an architecture.json and kernels/*.wgsl.",
    'import { beginLaunch, endLaunch, pushArgument } from "./model/launch";',
    ...Object.entries(numbers).map(([name, value]) => `export const ${name}: i32 = ${value};`),
    `export const ROPE_THETA: f64 = ${floatLiteral(architecture.ropeTheta)};`,
    ...staticText("METADATA", describeModel(architecture)),
    ...staticText("KERNEL_DESCRIPTIONS", describeKernels(kernels)),
    ...kernels.flatMap((kernel, index) => staticText(`SOURCE_${index}`, kernel.source)),
    ...kernels.flatMap((kernel, index) => staticText(`DESCRIPTION_${index}`, describeOnDemand(kernel))),
    ...lookUp(
      "kernelDescription",
      "usize",
      kernels.map((_, index) => `DESCRIPTION_${index}`),
      "0",
    ),
    ...lookUp(
      "kernelDescriptionSize",
      "usize",
      kernels.map((_, index) => `DESCRIPTION_${index}_SIZE`),
      "0",
    ),
    ...lookUp(
      "kernelName",
      "string",
      kernels.map(({ name }) => JSON.stringify(name)),
      '""',
    ),
    ...lookUp(
      "kernelSource",
      "usize",
      kernels.map((_, index) => `SOURCE_${index}`),
      "0",
    ),
    ...lookUp(
      "kernelSourceSize",
      "usize",
      kernels.map((_, index) => `SOURCE_${index}_SIZE`),
      "0",
    ),
    ...kernels.filter(({ variant }) => !variant).flatMap((kernel) => launchFunction(kernel, kernels)),
    "",
  ].join("\n");
}

/** `MATMUL_WORKGROUP`, `MATMUL_TILE_ROWS`, ... */
function kernelConstants(kernels: Kernel[]): Record<string, number> {
  const numbers: Record<string, number> = {};
  for (const kernel of kernels) {
    const prefix = kernel.name.toUpperCase();
    numbers[`${prefix}_WORKGROUP`] = kernel.workgroupSize;
    for (const [name, value] of Object.entries(kernel.constants)) numbers[`${prefix}_${name}`] = value;
  }
  return numbers;
}

/** Bytes in the data section: half the size of a string literal, which AssemblyScript stores as UTF-16. */
function staticText(name: string, text: string): string[] {
  const bytes = Buffer.from(text, "ascii");
  if (bytes.toString("ascii") !== text)
    throw new Error(`${name}: only ASCII may cross to web-llm, which reads Latin-1`);
  return [
    `export const ${name}: usize = ${bytes.length ? `memory.data<u8>([${bytes.join(",")}])` : 0};`,
    `export const ${name}_SIZE: usize = ${bytes.length};`,
  ];
}

function lookUp(name: string, type: string, values: string[], otherwise: string): string[] {
  return [
    `export function ${name}(index: i32): ${type} {`,
    "  switch (index) {",
    ...values.map((value, index) => `    case ${index}: return ${value};`),
    `    default: return ${otherwise};`,
    "  }",
    "}",
  ];
}

/**
 * A function with one named parameter per buffer and scalar, so that the compiler checks every launch. That of a kernel
 * with variants also takes the value that chooses one.
 */
function launchFunction(kernel: Kernel, all: Kernel[]): string[] {
  const pascalName = kernel.name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const buffers = kernel.buffers.map(({ name }) => name);
  const scalars = kernel.scalars.map(({ name }) => name);
  const variants = all.filter(({ variant }) => variant?.of === kernel.name);
  const parameters = [
    ...(variants.length ? ["variant: i32"] : []),
    ...buffers.map((name) => `${name}: usize`),
    ...scalars.map((name) => `${name}: u32`),
    "gridX: i32",
    "gridY: i32",
  ];
  const choices = variants.map((one) => `variant == ${one.variant?.value} ? ${all.indexOf(one)} : `);
  return [
    `export function launch${pascalName}(${parameters.join(", ")}): i32 {`,
    "  beginLaunch();",
    ...[...buffers, ...scalars].map((name) => `  pushArgument(${name});`),
    `  return endLaunch(${choices.join("")}${all.indexOf(kernel)}, "${kernel.name}", gridX, gridY);`,
    "}",
  ];
}

function floatLiteral(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}
