import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { type AnswerKind, AnswerText, CounterNotice, ReportAnswer } from '../contract.ts';
import { answerWords } from '../report-words.ts';
import { reports } from '../reports-calls.tsx';

interface AnswerDialogProps {
  number: string;
  kind: AnswerKind;
  onClose: () => void;
}

const formId = 'report-answer';

/** Asks what a creator has to say about a report; of a counter-notice also who they are, and their word. */
export function AnswerDialog({ number, kind, onClose }: AnswerDialogProps) {
  const queries = useQueryClient();
  const words = answerWords[kind];
  const isSigned = kind === 'counter_notice';
  const form = useForm({
    shape: isSigned ? z.object({ text: AnswerText, ...CounterNotice }) : z.object({ text: AnswerText }),
    initial: { text: '', name: '', postalAddress: '', isUnderPenalty: false },
    send: async (input) => {
      await reports.respond.call(ReportAnswer.parse({ number, kind, ...input }));
      await queries.invalidateQueries({ queryKey: reports.key() });
      toast.success({ title: words.done, message: "We'll email you what comes of it." });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      description={words.description}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.isBusy}>
            Send
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Textarea label={words.label} maxLength={4000} rows={4} {...form.text('text')} />
        {isSigned && (
          <>
            <Field
              label="Your full name"
              hint="It counts as your signature."
              autoComplete="name"
              {...form.text('name')}
            />
            <Textarea
              label="Your postal address"
              rows={3}
              autoComplete="street-address"
              {...form.text('postalAddress')}
            />
            <Checkbox
              label="I swear, under penalty of perjury, that I believe in good faith it was removed by mistake, and I accept the jurisdiction of the court at my address and service from whoever reported it."
              {...form.box('isUnderPenalty')}
            />
          </>
        )}
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
