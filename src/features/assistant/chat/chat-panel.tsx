import { Dialog as Base } from '@base-ui/react/dialog';
import { SendHorizontal, X } from 'lucide-react';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { drawIconButton, IconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { inputLook } from '#ui/forms/field-frame.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import { useVisiblePart } from '#ui/visible-part.tsx';
import { creatorQuestions, visitorQuestions } from '../answering/quick-questions.ts';
import { longestMessage } from '../contract.ts';
import { MarkedText } from './marked-text.tsx';
import { type Chat, type ChatMessage, useChat } from './use-chat.tsx';

export type ChatPanelProps = {
  isSubscribed: boolean;
  isOpen: boolean;
  /** Asked for by Escape, the cross or a link that is followed. */
  onClose: () => void;
  /** The button that has the focus again when it is closed. */
  opener: RefObject<HTMLElement | null>;
};

/** The chat itself, over the page's corner; the page beside it stays as it is. */
export function ChatPanel({ isSubscribed, isOpen, onClose, opener }: ChatPanelProps) {
  const chat = useChat(isSubscribed);
  const field = useRef<HTMLInputElement>(null);
  const part = useVisiblePart();
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => !next && onClose()} modal="trap-focus" disablePointerDismissal>
      <Base.Portal>
        <Base.Popup
          initialFocus={field}
          finalFocus={opener}
          style={
            part && { bottom: `calc(${part.below}px + 0.75rem)`, height: `min(38rem, calc(${part.height}px - 1.5rem))` }
          }
          className={cx(
            'fixed inset-x-3 bottom-[max(0.75rem,env(safe-area-inset-bottom))] z-30 flex h-[min(38rem,calc(100dvh-1.5rem))] flex-col overflow-hidden rounded-sheet border border-line bg-raised shadow-soft outline-none',
            'transition duration-calm data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0',
            'md:inset-x-auto md:right-6 md:bottom-6 md:w-100',
          )}
        >
          <header className="flex flex-none items-center justify-between gap-3 border-b border-line py-2.5 pr-2 pl-5">
            <div>
              <Base.Title className="text-21">Sofia</Base.Title>
              <Base.Description className="text-13 text-quiet">
                {isSubscribed ? 'Help with your studio' : 'Questions about PrivateFans'}
              </Base.Description>
            </div>
            <Base.Close aria-label="Close the chat" title="Close the chat" className={drawIconButton({})}>
              <X />
            </Base.Close>
          </header>
          <Conversation chat={chat} isSubscribed={isSubscribed} onLeave={onClose} />
          <AskForm chat={chat} field={field} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

function Conversation({ chat, isSubscribed, onLeave }: { chat: Chat; isSubscribed: boolean; onLeave: () => void }) {
  const { messages, isWaiting, isNew, ask } = chat;
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something was said
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [messages.length, isWaiting]);
  return (
    <div
      ref={list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by a keyboard
      tabIndex={0}
      className="scroll-quiet grid flex-1 content-start gap-3 overflow-y-auto overscroll-contain p-4"
    >
      <div role="log" aria-live="polite" aria-label="Conversation" className="grid gap-3">
        {messages.map((message) => (
          <Bubble key={message.id} message={message} onLeave={onLeave} />
        ))}
        {isWaiting && (
          <p className="flex items-center gap-3 px-1 text-quiet">
            <LiveDot /> Sofia is thinking...
          </p>
        )}
      </div>
      {isNew && <QuickQuestions isSubscribed={isSubscribed} onAsk={(question) => void ask(question)} />}
    </div>
  );
}

function Bubble({ message: { text, isBot }, onLeave }: { message: ChatMessage; onLeave: () => void }) {
  return (
    <div
      className={cx(
        'max-w-[88%] rounded-card px-4 py-2.5 wrap-anywhere',
        isBot ? 'justify-self-start bg-plum-wash' : 'justify-self-end bg-plum whitespace-pre-line text-on-plum',
      )}
    >
      <span className="sr-only">{isBot ? 'Sofia: ' : 'You: '}</span>
      {isBot ? <MarkedText onLeave={onLeave}>{text}</MarkedText> : <span>{text}</span>}
    </div>
  );
}

function QuickQuestions({ isSubscribed, onAsk }: { isSubscribed: boolean; onAsk: (question: string) => void }) {
  return (
    <ul aria-label="Questions to begin with" className="grid justify-items-start gap-2">
      {Object.keys(isSubscribed ? creatorQuestions : visitorQuestions).map((question) => (
        <li key={question}>
          <button
            type="button"
            onClick={() => onAsk(question)}
            className="min-h-11 rounded-full border border-line bg-raised px-4 py-1.5 text-left transition hover:border-edge active:scale-98"
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}

function AskForm({ chat: { isWaiting, ask }, field }: { chat: Chat; field: RefObject<HTMLInputElement | null> }) {
  const [text, setText] = useState('');
  const wasWaiting = useRef(false);
  useEffect(() => {
    // A field that is off loses the focus; it has it again with the answer.
    if (wasWaiting.current && !isWaiting) field.current?.focus();
    wasWaiting.current = isWaiting;
  }, [isWaiting, field]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '') return;
    void ask(text);
    setText('');
  };
  return (
    <form onSubmit={submit} className="flex flex-none items-center gap-2 border-t border-line p-3">
      <input
        ref={field}
        aria-label="Your question"
        placeholder="Type your question"
        autoComplete="off"
        enterKeyHint="send"
        maxLength={longestMessage}
        disabled={isWaiting}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={cx(inputLook, 'h-12 min-w-0 flex-1')}
      />
      <IconButton
        type="submit"
        icon={SendHorizontal}
        label="Send"
        variant="primary"
        disabled={isWaiting || text.trim() === ''}
      />
    </form>
  );
}
