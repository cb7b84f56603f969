import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { askReasonNames, longestAsking } from '#features/orders/refund-asking-rules.ts';
import { nameSold } from '#features/orders/sold-words.ts';
import type { RefundRequest } from '#features/returns/contract.ts';
import { refunds } from '#features/returns/refunds-calls.tsx';
import { formatMoney, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { money } from '../money-calls.tsx';

/** What buyers ask back and wait for; nothing while nobody does. */
export function RefundRequests() {
  const query = useQuery(refunds.waiting.queryOptions({ input: {} }));
  const requests = query.data?.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <section>
      <SectionHeader title="Refund requests" />
      <ul className="grid gap-3">
        {requests.map((request) => (
          <li key={request.orderId}>
            <Request request={request} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Request({ request }: { request: RefundRequest }) {
  const [asking, setAsking] = useState<'none' | 'refund' | 'decline'>('none');
  const now = useNow();
  const { kind, amountCents, currency, reason, text, at, answerUntil, wasRefused } = request;
  const amount = formatMoney(amountCents, currency.toUpperCase());
  const close = () => setAsking('none');
  return (
    <Card className="grid gap-3">
      <div className="grid gap-1">
        <h3 className="text-17">{`${nameSold(kind)}, ${amount}`}</h3>
        <p>{askReasonNames[reason]}</p>
        {text !== '' && <p className="whitespace-pre-line text-quiet wrap-anywhere">{`“${isolate(text)}”`}</p>}
        <p className="text-13 text-quiet">
          {`Asked ${formatMoment(at, now)}${answerUntil === null ? '' : `. Please answer by ${formatMoment(answerUntil, now)}; after that we decide.`}`}
        </p>
      </div>
      {wasRefused && (
        <p className="font-medium text-rust">You accepted, but the refund couldn't be made. You can try again.</p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setAsking('refund')}>Refund</Button>
        <Button variant="outline" onClick={() => setAsking('decline')}>
          Decline
        </Button>
      </div>
      <Refund request={request} amount={amount} open={asking === 'refund'} onClose={close} />
      {asking === 'decline' && <Decline request={request} onClose={close} />}
    </Card>
  );
}

/** What was answered leaves the list before its question closes: the focus would be lost with its button afterwards. */
function useFreshen() {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: refunds.key() }),
      queries.invalidateQueries({ queryKey: money.key() }),
    ]);
}

interface AnswerProps {
  request: RefundRequest;
  onClose: () => void;
}

function Refund({ request, amount, open, onClose }: AnswerProps & { amount: string; open: boolean }) {
  const freshen = useFreshen();
  const send = useWrite(
    refunds.answer.mutationOptions({
      onSuccess: async ({ state }) => {
        if (state === 'refunded') toast.success({ title: 'Refunded', message: "We've emailed the buyer." });
        else toast.success({ title: 'The refund is on its way', message: "We'll email the buyer once it's made." });
        await freshen();
        onClose();
      },
      onError: ({ message }) => {
        toast.error({ title: "Couldn't refund", message });
        return freshen();
      },
    }),
  );
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Refund ${amount}?`}
      description="All of it goes back to the card, and what it opened closes at once. Your share is taken from your balance."
      confirm="Refund"
      busy={send.isPending}
      onConfirm={() => send.mutate({ orderId: request.orderId, isRefunded: true })}
    />
  );
}

const shape = z.object({ text: z.string().trim().min(1, 'Tell the buyer why').max(longestAsking) });

function Decline({ request: { orderId }, onClose }: AnswerProps) {
  const freshen = useFreshen();
  const form = useForm({
    shape,
    initial: { text: '' },
    send: async ({ text }) => {
      await refunds.answer.call({ orderId, isRefunded: false, text });
      await freshen();
      toast.success({ title: 'Declined', message: "We've emailed the buyer." });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Decline the refund?"
      description="Your words are sent to the buyer."
      actions={
        <>
          <Button type="submit" form="decline-refund" busy={form.isBusy}>
            Decline
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="decline-refund" onSubmit={form.submit} noValidate className="grid gap-3">
        <Textarea label="Why?" maxLength={longestAsking} {...form.text('text')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
