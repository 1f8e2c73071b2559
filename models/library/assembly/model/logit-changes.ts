/**
 * What changes logits before a token is drawn, in place and row by row: mask, bias, penalties. A list without
 * entries, such as web-llm's for `logit_bias: {}`, changes nothing.
 */
import { FunctionObject } from "../ffi/functions";
import { Cell } from "../ffi/values";
import { FAILED, OK } from "../ffi/errors";
import {
  APPLY_BIAS_WORKGROUP,
  APPLY_BITMASK_WORKGROUP,
  APPLY_PENALTY_WORKGROUP,
  launchApplyBias,
  launchApplyBitmask,
  launchApplyPenalty,
  VOCABULARY,
} from "../generated";
import { groupsFor } from "./launch";
import { countArgument, numbersArgument, rowCount, rowsArgument } from "./row-arguments";

const MASK_WORDS: i32 = (VOCABULARY + 31) / 32;

/** (logits [B, V], rows to mask [s], mask of every row of logits [B, V / 32]) */
export function applyBitmask(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const logits = rowsArgument(args, 0);
  const masked = countArgument(args, 1);
  if (!logits || masked < 0) return FAILED;
  const rows = numbersArgument(args, 1, masked);
  const mask = numbersArgument(args, 2, rowCount(logits) * MASK_WORDS);
  if (!rows || !mask) return FAILED;
  if (!masked) return OK;
  const groups = groupsFor(VOCABULARY, APPLY_BITMASK_WORKGROUP);
  return launchApplyBitmask(
    logits.data, rows, mask, logits.wordOffset, rowCount(logits), groups, masked,
  );
}

/** (logits [B, V], row of each [k], tokens [k], bias [k]) */
export function applyBias(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const logits = rowsArgument(args, 0);
  const changes = countArgument(args, 2);
  if (!logits || changes < 0) return FAILED;
  const rows = numbersArgument(args, 1, changes);
  const tokens = numbersArgument(args, 2, changes);
  const bias = numbersArgument(args, 3, changes);
  if (!rows || !tokens || !bias) return FAILED;
  if (!changes) return OK;
  return launchApplyBias(
    logits.data, rows, tokens, bias, logits.wordOffset, rowCount(logits), changes,
    groupsFor(changes, APPLY_BIAS_WORKGROUP), 1,
  );
}

/** (logits [B, V], row of each sequence [s], sequence of each [k], tokens [k], counts [k], penalties [s, 3]) */
export function applyPenalty(self: FunctionObject, args: Cell, count: i32, result: Cell): i32 {
  const logits = rowsArgument(args, 0);
  const sequences = countArgument(args, 1);
  const changes = countArgument(args, 3);
  if (!logits || sequences < 0 || changes < 0) return FAILED;
  const rows = numbersArgument(args, 1, sequences);
  const sequenceOf = numbersArgument(args, 2, changes);
  const tokens = numbersArgument(args, 3, changes);
  const counts = numbersArgument(args, 4, changes);
  const penalties = numbersArgument(args, 5, sequences * 3);
  if (!rows || !sequenceOf || !tokens || !counts || !penalties) return FAILED;
  if (!changes) return OK;
  return launchApplyPenalty(
    logits.data, rows, sequenceOf, tokens, counts, penalties, logits.wordOffset, rowCount(logits), sequences,
    changes, groupsFor(changes, APPLY_PENALTY_WORKGROUP), 1,
  );
}
