import { MessageCircle } from 'lucide-react';
import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { drawButton } from '#ui/buttons/button.tsx';
import { cx } from '#ui/cx.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import { toast } from '#ui/feedback/toast.ts';
import type { ChatPanelProps } from './chat/chat-panel.tsx';
import { chatPlace } from './chat-launcher.tsx';

/**
 * Sofia, in the corner of both home views. What they are made of is loaded when they are asked for.
 * @param isSubscribed whether help is offered instead of an introduction
 * @param isWanted whether they were asked for before the button came
 */
export function ChatButton({ isSubscribed, isWanted = false }: { isSubscribed: boolean; isWanted?: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLoading, setLoading] = useState(false);
  const [Panel, setPanel] = useState<ComponentType<ChatPanelProps>>();
  const open = async () => {
    setOpen(true);
    if (Panel !== undefined) return;
    setLoading(true);
    try {
      const { ChatPanel } = await import('./chat/chat-panel.tsx');
      setPanel(() => ChatPanel);
    } catch {
      // The page stays as it is without them: a part of the program that did not come is told like a call that failed.
      setOpen(false);
      toast.error({ title: "Couldn't open the chat", message: 'Check your connection and try again.' });
    }
    setLoading(false);
  };
  const openAtOnce = useEffectEvent(() => void open());
  useEffect(() => {
    if (isWanted) openAtOnce();
  }, [isWanted]);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-busy={isLoading || undefined}
        onClick={() => void open()}
        className={drawButton({}, cx(chatPlace, isOpen && Panel && 'invisible'))}
      >
        {isLoading ? <Spinner /> : <MessageCircle />}
        <span>Ask Sofia</span>
      </button>
      {Panel && (
        <Panel
          key={String(isSubscribed)}
          isSubscribed={isSubscribed}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          opener={button}
        />
      )}
    </>
  );
}
