import type * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';

const formId = 'reason';

/** Asks for words with a decision: a reason, an answer. */
export function ReasonDialog({
  title,
  description,
  label,
  hint,
  confirm,
  shape,
  mostLetters = 500,
  onConfirm,
  onClose,
}: {
  title: string;
  description: string;
  label: string;
  hint: string;
  confirm: string;
  shape: z.ZodType<{ reason: string }>;
  mostLetters?: number;
  onConfirm: (reason: string) => Promise<void>;
  onClose: () => void;
}) {
  const form = useForm({ shape, initial: { reason: '' }, send: ({ reason }) => onConfirm(reason) });
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            {confirm}
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Textarea label={label} hint={hint} maxLength={mostLetters} rows={4} {...form.text('reason')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
