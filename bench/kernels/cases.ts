/** Every kernel launch of one decoded token and of one prefill chunk, with the library's sizes and arguments. */
import { type Architecture, MAX_SHARES, PAGE } from "../../models/library/generator/architecture.ts";
import type { Kernel } from "../../models/library/generator/kernels.ts";

export interface Case {
  kernel: string;
  /** What this launch computes, if the kernel has several uses. */
  role: string;
  /** Length of each buffer in 32-bit words, or its content. */
  words: (number | number[])[];
  scalars: number[];
  grid: [number, number];
  /** Launches of this case per forward pass. */
  launches: number;
}

const groups = (invocations: number, size: number) => Math.ceil(invocations / size);

/** Sizes of a layer's widest rows and buffers, in numbers. */
function widths(architecture: Architecture) {
  const { heads, kvHeads, headDim, contextWindow } = architecture;
  return {
    attention: heads * headDim,
    projected: (heads + 2 * kvHeads) * headDim,
    cache: contextWindow * kvHeads * headDim,
    // A zero record, then the page table of a sequence that has its pages in order.
    tables: [0, 0, ...Array.from({ length: groups(contextWindow, PAGE) }, (_, page) => page)],
    rotations: contextWindow * headDim,
  };
}

/** Launches for one token at `position`, including the sampling of the next. */
export function decodeCases(
  architecture: Architecture,
  kernels: ReadonlyMap<string, Kernel>,
  position: number,
): Case[] {
  const { hidden, layers, heads, kvHeads, intermediate, vocab } = architecture;
  const { attention, projected, cache, tables, rotations } = widths(architecture);
  const size = (name: string) => kernels.get(name)!.workgroupSize;
  const constant = (name: string, key: string) => kernels.get(name)!.constants[key]!;
  const shares = Math.min(groups(position + 1, PAGE), MAX_SHARES);
  const project = (role: string, inner: number): Case => ({
    kernel: "decode_project",
    role,
    words: [inner, inner * hidden, hidden],
    scalars: [inner, 1],
    launches: layers,
    grid: [groups(constant("decode_project", "INVOCATIONS"), size("decode_project")), 1],
  });
  const merge: Case[] =
    shares === 1
      ? []
      : [
          {
            kernel: "merge_attention",
            role: "join the shares",
            words: [shares * attention, shares * heads, tables, attention],
            scalars: [position, 0, shares],
            grid: [groups(attention / 4, size("merge_attention")), 1],
            launches: layers,
          },
        ];
  return [
    {
      kernel: "embed",
      role: "token",
      words: [1, vocab * hidden, hidden],
      scalars: [0, 1],
      grid: [groups(hidden / 4, size("embed")), 1],
      launches: 1,
    },
    {
      kernel: "decode_qkv",
      role: "norm, q k v, rotation",
      words: [hidden, hidden, projected * hidden, rotations, tables, attention, cache, cache],
      scalars: [position, 2, 0, 1],
      grid: [groups(constant("decode_qkv", "INVOCATIONS"), size("decode_qkv")), 1],
      launches: layers,
    },
    {
      kernel: "decode_attention",
      role: "over the cache, in shares",
      words: [attention, tables, cache, cache, shares * attention, shares * heads],
      scalars: [position, 2, 0, shares],
      grid: [groups(shares, size("decode_attention")), kvHeads],
      launches: layers,
    },
    ...merge,
    project("output + residual", attention),
    {
      kernel: "decode_gate_up",
      role: "norm, gate, up, silu",
      words: [hidden, hidden, 2 * intermediate * hidden, intermediate],
      scalars: [1],
      grid: [groups(constant("decode_gate_up", "INVOCATIONS"), size("decode_gate_up")), 1],
      launches: layers,
    },
    project("down + residual", intermediate),
    {
      kernel: "logits",
      role: "norm, head",
      words: [hidden, hidden, vocab * hidden, 1, vocab],
      scalars: [0, 1, 0, 1],
      grid: [groups(constant("logits", "INVOCATIONS"), size("logits")), 1],
      launches: 1,
    },
    { kernel: "softmax", role: "", words: [vocab, 1, vocab], scalars: [0], grid: [1, 1], launches: 1 },
    {
      kernel: "sample_top_p",
      role: "top_p 0.9",
      words: [vocab, 1, 1, 1, 1],
      scalars: [0, 1],
      grid: [1, 1],
      launches: 1,
    },
  ];
}

/** Launches for a chunk of `rows` tokens from `position`. */
export function prefillCases(
  architecture: Architecture,
  kernels: ReadonlyMap<string, Kernel>,
  position: number,
  rows: number,
): Case[] {
  const { hidden, layers, kvHeads, intermediate, vocab } = architecture;
  const { attention, projected, cache, tables, rotations } = widths(architecture);
  const size = (name: string) => kernels.get(name)!.workgroupSize;
  const constant = (name: string, key: string) => kernels.get(name)!.constants[key]!;
  const matmul = (role: string, inner: number, width: number, accumulate: number): Case => ({
    kernel: "matmul",
    role,
    words: [rows * inner, inner * width, rows * width],
    scalars: [rows, inner, width, accumulate],
    launches: layers,
    grid: [
      groups(width / constant("matmul", "TILE_COLUMNS"), size("matmul")),
      groups(rows, constant("matmul", "TILE_ROWS")),
    ],
  });
  return [
    {
      kernel: "embed",
      role: "tokens",
      words: [rows, vocab * hidden, rows * hidden],
      scalars: [0, rows],
      grid: [groups((rows * hidden) / 4, size("embed")), 1],
      launches: 1,
    },
    {
      kernel: "rms_norm",
      role: "",
      words: [rows * hidden, hidden, rows * hidden],
      scalars: [rows],
      grid: [groups(rows, size("rms_norm")), 1],
      launches: 2 * layers,
    },
    matmul("q k v", hidden, projected, 0),
    {
      kernel: "rotate_and_cache",
      role: "",
      words: [rows * projected, rotations, tables, rows * attention, cache, cache],
      scalars: [position, 2, 0, rows],
      grid: [groups(rows * constant("rotate_and_cache", "ROW_PAIRS"), size("rotate_and_cache")), 1],
      launches: layers,
    },
    {
      kernel: "prefill_attention",
      role: "over the cache",
      words: [rows * attention, tables, cache, cache, rows * attention],
      scalars: [position, 2, 0, rows],
      grid: [groups(groups(rows, constant("prefill_attention", "ROWS")), size("prefill_attention")), kvHeads],
      launches: layers,
    },
    matmul("output + residual", attention, hidden, 1),
    matmul("gate, up", hidden, 2 * intermediate, 0),
    {
      kernel: "gate",
      role: "silu",
      words: [rows * 2 * intermediate, rows * intermediate],
      scalars: [rows],
      grid: [groups((rows * intermediate) / 4, size("gate")), 1],
      launches: layers,
    },
    matmul("down + residual", intermediate, hidden, 1),
    {
      kernel: "logits",
      role: "last row",
      words: [rows * hidden, hidden, vocab * hidden, 1, vocab],
      scalars: [rows - 1, rows, 0, 1],
      grid: [groups(constant("logits", "INVOCATIONS"), size("logits")), 1],
      launches: 1,
    },
  ];
}
