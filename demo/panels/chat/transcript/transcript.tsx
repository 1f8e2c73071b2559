import type { Signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Message } from "../conversation/conversation.ts";
import type { LiveConversation } from "../conversation/live-conversation.ts";
import { Announcement } from "./announcement.tsx";
import { ReplyView } from "./reply-view.tsx";
import { UserView } from "./user-view.tsx";

interface TranscriptProps {
  conversation: LiveConversation;
  model: string;
}

/** Maximum distance from the end, in pixels, at which the view follows new text. */
const NEAR_END_PX = 64;

/** Message list. Scrolls with new text unless the user scrolled up. */
export function Transcript({ conversation, model }: TranscriptProps) {
  const place = useRef<HTMLDivElement>(null);
  const contents = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const scroller = place.current!;
    let follows = true;
    const note = (): void => {
      follows = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PX;
    };
    const grown = new ResizeObserver(() => {
      if (follows) scroller.scrollTop = scroller.scrollHeight;
    });
    scroller.addEventListener("scroll", note, { passive: true });
    grown.observe(contents.current!);
    return () => {
      grown.disconnect();
      scroller.removeEventListener("scroll", note);
    };
  }, []);
  return (
    <div class="transcript" ref={place}>
      {/* Not live, as a log is: each token would be announced. */}
      <div class="messages" ref={contents} role="log" aria-live="off" aria-label="Conversation">
        {conversation.messages.value.map((message, at, { length }) => (
          <MessageView
            key={message.peek().id}
            message={message}
            isLast={at === length - 1}
            conversation={conversation}
            model={model}
          />
        ))}
      </div>
      <Announcement contents={contents} isWriting={conversation.running.value !== undefined} />
    </div>
  );
}

interface MessageViewProps extends TranscriptProps {
  message: Signal<Message>;
  isLast: boolean;
}

function MessageView({ message, isLast, conversation, model }: MessageViewProps) {
  const value = message.value;
  if (value.role === "user") {
    return <UserView message={value} onEdit={(text) => conversation.edit(value, text, model)} />;
  }
  const canRetry = isLast && conversation.running.value === undefined;
  return <ReplyView reply={value} onRetry={canRetry ? () => conversation.retry(value, model) : undefined} />;
}
