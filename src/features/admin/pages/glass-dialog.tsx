import { useState } from 'react';
import * as z from 'zod';
import type { GlassSubject } from '#features/reports/glass-contract.ts';
import { proseText } from '#kit/bounded-text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { adminGlass } from '../admin-calls.tsx';

const formId = 'glass';
const Words = proseText(500, 'Use at most 500 characters');
const shapeOf = (isQuiet: boolean) =>
  z.object({
    reason: Words.min(1, isQuiet ? 'Say why' : 'Say why: the creator reads it'),
    law: isQuiet ? Words.min(1, 'Name the law') : Words,
  });

interface GlassDialogProps {
  about: GlassSubject;
  /** An owner can keep it from the creator, where a law says so. */
  mayKeepQuiet: boolean;
  onClose: () => void;
  onOpened: () => Promise<void>;
}

/** Asks why somebody wants to look at private photos and videos. */
export function GlassDialog({ about, mayKeepQuiet, onClose, onOpened }: GlassDialogProps) {
  const [isQuiet, setQuiet] = useState(false);
  const form = useForm({
    shape: shapeOf(isQuiet),
    initial: { reason: '', law: '' },
    send: async ({ reason, law }) => {
      await adminGlass.open.call({ about, reason, untoldBecause: isQuiet ? law : null });
      await onOpened();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Look at private photos and videos?"
      description="For 30 minutes, marked with your name."
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Look
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Textarea
          label="Why"
          hint={isQuiet ? 'It is written down.' : 'It is written down, and the creator gets it by email.'}
          maxLength={500}
          rows={3}
          {...form.text('reason')}
        />
        {mayKeepQuiet && <Switch label="A law forbids telling the creator" checked={isQuiet} onChange={setQuiet} />}
        {isQuiet && <Textarea label="Which law" maxLength={500} rows={2} {...form.text('law')} />}
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
