import { useRef, useState } from "react";
import { useClient } from "./use-client.js";

export function Chat({ model }) {
  const { client, error: startError } = useClient();
  const [messages, setMessages] = useState([]);
  const [error, setError] = useState();
  const [isWriting, setIsWriting] = useState(false);
  const stop = useRef(undefined);

  async function send(form) {
    const asked = [...messages, { role: "user", content: form.get("message") }];
    let content = "";
    setMessages(asked);
    setError(undefined);
    setIsWriting(true);
    stop.current = new AbortController();
    const { signal } = stop.current;
    const request = { model, messages: asked, stream: true };
    try {
      for await (const { choices } of await client.chat.completions.create(request, { signal })) {
        content += choices[0]?.delta.content ?? "";
        setMessages([...asked, { role: "assistant", content }]);
      }
    } catch (error) {
      if (!signal.aborted) setError(error);
    } finally {
      setIsWriting(false);
    }
  }

  return (
    <>
      <ol>
        {messages.map(({ role, content }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages are only appended
          <li key={at} className={role}>
            {content}
          </li>
        ))}
      </ol>
      {(startError ?? error) && <p role="alert">{(startError ?? error).message}</p>}
      <form action={(form) => void send(form)}>
        <input name="message" aria-label="Message" required disabled={isWriting} />
        {isWriting ? (
          <button type="button" onClick={() => stop.current.abort()}>
            Stop
          </button>
        ) : (
          <button type="submit" disabled={!client}>
            Send
          </button>
        )}
      </form>
    </>
  );
}
