/** Placeholder states of a panel: empty, loading, failed or unsupported. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { Loadable, Resource } from "../store/loadable.ts";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyProps {
  icon: IconName;
  title: string;
  children?: ComponentChildren;
}

/** Empty state, with a hint on how to add content. */
export function Empty({ icon, title, children }: EmptyProps) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Loading state. */
export function Loading({ what }: { what: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      Loading {what} …
    </p>
  );
}

interface FailureProps {
  reason: string;
  title?: string;
  onRetry?: (() => void) | undefined;
}

/** Error state with a retry button. */
export function Failure({ reason, title, onRetry }: FailureProps) {
  return (
    <div class="notice problem" role="alert">
      <Icon name="alert" />
      <div class="notice-text">
        {title === undefined ? null : <strong>{title}</strong>}
        <p>{reason}</p>
        {onRetry ? (
          <button type="button" class="button small" onClick={onRetry}>
            Try again
          </button>
        ) : null}
      </div>
    </div>
  );
}

/** Informational note. */
export function Note({ children, icon = "bulb" }: { children: ComponentChildren; icon?: IconName }) {
  return (
    <div class="notice">
      <Icon name={icon} />
      <div class="notice-text">{children}</div>
    </div>
  );
}

interface WhenReadyProps<T> {
  of: Resource<T>;
  what: string;
  children: (value: T) => ComponentChildren;
}

/** Renders `children` with the loaded value, or the loading or error state. */
export function WhenReady<T>({ of, what, children }: WhenReadyProps<T>) {
  const content: Loadable<T> = of.content.value;
  if (content.state === "loading") return <Loading what={what} />;
  if (content.state === "failed")
    return <Failure reason={content.reason} onRetry={() => void of.refresh()} />;
  return <>{children(content.value)}</>;
}

interface WhenSettledProps {
  of: readonly Resource<unknown>[];
  what: string;
  children: ComponentChildren;
}

/** A browser's storage may never answer. */
const MAX_WAIT_MS = 10_000;

/**
 * Renders `children` once nothing is loading any more: what arrives later would move what is already read. After some
 * seconds they are rendered with what there is.
 */
export function WhenSettled({ of, what, children }: WhenSettledProps) {
  const hasWaited = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      hasWaited.value = true;
    }, MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  const isLoading = of.some(({ content }) => content.value.state === "loading");
  return isLoading && !hasWaited.value ? <Loading what={what} /> : children;
}
