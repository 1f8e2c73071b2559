import { Icon } from "../../ui/icon.tsx";
import { isFreeEscape } from "../../ui/keys.ts";
import { passages, progress, query } from "./store.ts";

interface QueryFormProps {
  onFind: () => void;
  onStop: () => void;
}

/** Search field; Escape stops a search. */
export function QueryForm({ onFind, onStop }: QueryFormProps) {
  const isBusy = progress.value !== undefined;
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault();
        onFind();
      }}
      onKeyDown={(event) => {
        if (isFreeEscape(event)) onStop();
      }}
    >
      <input
        type="search"
        aria-label="What to look for"
        placeholder="Your question"
        autocomplete="off"
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
      />
      {isBusy ? (
        <button type="button" class="button" onClick={onStop}>
          <Icon name="stop" />
          Stop
        </button>
      ) : (
        <button
          type="submit"
          class="button primary"
          disabled={query.value.trim() === "" || passages.value.length === 0}
        >
          Search
        </button>
      )}
    </form>
  );
}
