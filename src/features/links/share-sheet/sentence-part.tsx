import { Check } from 'lucide-react';
import { type ReactElement, type RefObject, useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';
import { Popover } from '#ui/dialogs/popover.tsx';
import { SentenceWord } from '#ui/forms/sentence.tsx';

interface WordProps {
  /** The word itself, or another button that opens the card. */
  word: string | ReactElement;
  title: string;
  /** The field that is written into. */
  initialFocus?: RefObject<HTMLElement | null>;
  children: (close: () => void) => Elements;
}

/** A word of the sentence with a small card behind it. */
export function Word({ word, title, initialFocus, children }: WordProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      trigger={typeof word === 'string' ? <SentenceWord>{word}</SentenceWord> : word}
      title={title}
      open={isOpen}
      onOpenChange={setOpen}
      initialFocus={initialFocus}
    >
      {children(() => setOpen(false))}
    </Popover>
  );
}

export interface Choice {
  label: string;
  isOn: boolean;
  pick: () => void;
}

/** One of a few, as large rows; a tap chooses and closes. */
export function Choices({ choices, close }: { choices: readonly Choice[]; close: () => void }) {
  return (
    <ul className="scroll-quiet scroll-fade -mx-2 grid max-h-[calc(var(--available-height)-6.5rem)] overflow-y-auto overscroll-contain">
      {choices.map(({ label, isOn, pick }) => (
        <li key={label}>
          <button
            type="button"
            aria-pressed={isOn}
            onClick={() => {
              pick();
              close();
            }}
            className={cx(
              'flex min-h-11 w-full items-center justify-between gap-3 rounded-control px-2.5 text-left -outline-offset-2 hover:bg-plum-wash',
              isOn && 'font-strong text-plum',
            )}
          >
            <span>{label}</span>
            {isOn && <Check className="size-4.5" />}
          </button>
        </li>
      ))}
    </ul>
  );
}
