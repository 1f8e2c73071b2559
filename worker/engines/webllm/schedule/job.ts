import type { ReplyRank } from "../../../engine-api/chat-engine.ts";
import type { StepRow } from "../step/step-runner.ts";

/** One reply as the scheduler sees it. What its methods throw ends this reply alone. */
export interface Job {
  /** Whose sequences it may reuse. */
  readonly scope: string;
  /** Gives way to others; may end once it has. */
  readonly isBackground: boolean;
  /** The prompt, and what was sampled so far. */
  readonly ids: readonly number[];
  /** Its sequence in the KV cache; undefined while it waits. */
  readonly sequence: number | undefined;
  /** The last of {@link ids}: those to feed before the next token is drawn. */
  readonly waiting: readonly number[];
  /** Those of {@link waiting} to feed with {@link scored}. Most replies have none. */
  readonly toScore: readonly number[];
  /** How many of {@link ids} may be found in the KV cache, as those to score may not; undefined for all. */
  readonly mostCached: number | undefined;
  /** It has ended, or was aborted. */
  readonly isOver: boolean;
  /** Before it begins; one at a time. */
  prepare(): Promise<void>;
  /** @param found its sequence, and how many of {@link ids} that has */
  begin(found: { id: number; matched: number }): void;
  /** It loses its sequence until {@link begin} is called again. */
  suspend(): void;
  /** The first `count` waiting tokens were fed. */
  fed(count: number): void;
  /** The same of {@link toScore}, with the logits after each token. */
  scored(count: number, logits: Float32Array): void;
  /** Its part of the next step, which must be run; its functions never throw. */
  row(): StepRow;
  /** All waiting tokens were fed and this one was drawn. */
  take(id: number): void;
  /** The KV cache has no room for another token. */
  endOutOfPages(): void;
  /** Reports the end. */
  finish(): void;
  fail(error: unknown): void;
}

/** Whether a reply of this rank still gives way to others: a further one does so once. */
export function givesWay(rank: ReplyRank, hasGivenWay: boolean): boolean {
  return rank === "background" || (rank === "further" && !hasGivenWay);
}

/** Whether its prompt is fed, so that it takes part in the next step. */
export function isDecoding({ waiting, isOver, sequence }: Job): boolean {
  return sequence !== undefined && waiting.length === 1 && !isOver;
}

/** The first that is no background reply, or else the first. */
export function firstOf(jobs: readonly Job[]): Job | undefined {
  return jobs.find(({ isBackground }) => !isBackground) ?? jobs[0];
}

export function remove(jobs: Job[], job: Job): void {
  const at = jobs.indexOf(job);
  if (at >= 0) jobs.splice(at, 1);
}
