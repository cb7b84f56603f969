import { useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { longestWords } from '../rules.ts';

interface WordsDialogProps {
  title: string;
  description?: string;
  label: string;
  confirm: string;
  /** Nothing is sent without words. */
  isNeeded?: boolean;
  danger?: boolean;
  busy: boolean;
  onSend: (text: string) => void;
  onClose: () => void;
  /** Above the words. */
  children?: Elements;
}

/** Asks for a few words with what is done. */
export function WordsDialog({ title, description, label, confirm, ...rest }: WordsDialogProps) {
  const { isNeeded = false, danger = false, busy, onSend, onClose, children } = rest;
  const [text, setText] = useState('');
  return (
    <Dialog open onClose={onClose} title={title} description={description}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isNeeded || text.trim() !== '') onSend(text.trim());
        }}
      >
        {children}
        <Textarea
          label={label}
          maxLength={longestWords}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          type="submit"
          variant={danger ? 'danger' : 'primary'}
          busy={busy}
          disabled={isNeeded && text.trim() === ''}
        >
          {confirm}
        </Button>
      </form>
    </Dialog>
  );
}
