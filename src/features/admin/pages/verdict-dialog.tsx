import { type ReactNode, useState } from 'react';
import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';

/** One way to decide. */
interface Verdict {
  label: string;
  /** What comes of it. */
  about: string;
  /** On the button. */
  confirm: string;
  /** It can't be taken back. */
  isFinal?: boolean;
}

const formId = 'verdict';

/** Asks for one of a few decisions, of which the first is chosen, and why. */
export function VerdictDialog<Name extends string>({
  title,
  verdicts,
  hint,
  mostLetters,
  onDecide,
  onClose,
  children,
}: {
  title: string;
  verdicts: Readonly<Record<Name, Verdict>>;
  /** Who reads the reason. */
  hint: string;
  mostLetters: number;
  onDecide: (verdict: Name, reason: string) => Promise<void>;
  onClose: () => void;
  /** What else a decision asks for, between itself and the reason. */
  children?: (verdict: Name) => ReactNode;
}) {
  const names = Object.keys(verdicts) as Name[];
  const [name, setName] = useState(names[0] as Name);
  const shape = z.object({
    reason: proseText(mostLetters, `Use at most ${mostLetters} characters`).min(1, 'Say why'),
  });
  const form = useForm({ shape, initial: { reason: '' }, send: ({ reason }) => onDecide(name, reason) });
  const { about, confirm, isFinal = false } = verdicts[name];
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={about}
      actions={
        <>
          <Button type="submit" form={formId} variant={isFinal ? 'danger' : 'primary'} busy={form.isBusy}>
            {confirm}
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Select
          label="Decision"
          options={names.map((value) => ({ value, label: verdicts[value].label }))}
          value={name}
          onChange={setName}
        />
        {children !== undefined && <div className="contents">{children(name)}</div>}
        <Textarea label="Why" hint={hint} maxLength={mostLetters} rows={4} {...form.text('reason')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
