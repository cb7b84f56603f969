import { useQueryClient } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { Payouts } from '#features/payouts/contract.ts';
import { type HoldWords, holdWords, negativeWords, sayExpected } from '#features/payouts/payout-words.ts';
import { longestAppeal } from '#features/payouts/rules.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { money } from '../money-calls.tsx';
import { payouts as calls } from '../payout/payouts-calls.tsx';

/** Why nothing is paid out, what to do, until when, and the way to say that it is wrong. */
export function PayoutHolds({ payouts: { holds, appeal, available } }: { payouts: Payouts }) {
  const [isAppealing, setAppealing] = useState(false);
  const now = useNow();
  const isNegative = available < 0;
  if (holds.length === 0 && !isNegative) return null;
  return (
    <Card tone="rust" className="grid gap-5">
      {holds.map(({ code, note, expectedAt }) => (
        <Hold key={code} words={holdWords[code]} note={note}>
          {sayExpected(expectedAt, now)}
        </Hold>
      ))}
      {isNegative && <Hold words={negativeWords} note="" />}
      {holds.length > 0 && appeal === 'open' && (
        <p className="font-medium">You appealed. We'll email you the answer.</p>
      )}
      {holds.length > 0 && appeal !== 'open' && (
        <Button variant="outline" icon={Scale} className="justify-self-start" onClick={() => setAppealing(true)}>
          Appeal
        </Button>
      )}
      {isAppealing && <Appeal onClose={() => setAppealing(false)} />}
    </Card>
  );
}

function Hold({
  words: { title, text, toDo },
  note,
  children,
}: {
  words: HoldWords;
  note: string;
  children?: string | undefined;
}) {
  return (
    <div className="grid gap-1">
      <h2 className="text-21">{title}</h2>
      <p className="max-w-140">{text}</p>
      {note !== '' && <p className="max-w-140 whitespace-pre-line wrap-anywhere">{isolate(note)}</p>}
      <p className="max-w-140">{toDo}</p>
      {children && <p className="max-w-140 font-medium">{children}</p>}
    </div>
  );
}

const shape = z.object({ text: z.string().trim().min(1, 'Tell us why').max(longestAppeal) });

function Appeal({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    shape,
    initial: { text: '' },
    send: async (input) => {
      await calls.appeal.call(input);
      await queries.invalidateQueries({ queryKey: money.key() });
      toast.success({ title: 'Appeal sent', message: "We'll email you the answer." });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Appeal"
      description="Tell us why your payouts should not be on hold. A person reads it."
      actions={
        <>
          <Button type="submit" form="payout-appeal" busy={form.isBusy}>
            Send appeal
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="payout-appeal" onSubmit={form.submit} noValidate className="grid gap-3">
        <Textarea label="What we should know" maxLength={longestAppeal} {...form.text('text')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
