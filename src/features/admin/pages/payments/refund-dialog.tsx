import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { type RefundWhy, refundWhys } from '#features/orders/rules.ts';
import { boundedText, proseText } from '#kit/bounded-text.ts';
import { readCents } from '#kit/cents.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { FormError, useForm } from '#ui/forms/use-form.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { refundWords, writeCents } from '../../payment-words.ts';
import type { OrderCard } from '../../payments-contract.ts';

const formId = 'refund-order';
const Refund = z.object({
  amount: boundedText(24, 'Enter an amount'),
  note: proseText(500, 'Use at most 500 characters').min(1, 'Say why: the creator reads it'),
});
const reasons = refundWhys.map((value) => ({ value, label: refundWords[value] }));

/** Asks how much goes back, and why. */
export function RefundDialog({ order, onClose }: { order: OrderCard; onClose: () => void }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState<RefundWhy>('customer_request');
  const { id: orderId, amountCents, currency } = order;
  // As it was when it was decided: the page may learn meanwhile that the same decision has been carried out.
  const [refundedCents] = useState(order.refundedCents);
  const leftCents = amountCents - refundedCents;
  const form = useForm({
    shape: Refund,
    initial: { amount: (leftCents / 100).toFixed(2), note: '' },
    send: async ({ amount, note }) => {
      const cents = readCents(amount);
      if (!(cents > 0) || cents > leftCents)
        throw new FormError(`Enter an amount up to ${writeCents(leftCents, currency)}.`);
      const part = cents < leftCents ? { amountCents: cents } : {};
      await adminPayments.refundOrder.call({ orderId, reason, note, refundedCents, ...part });
      toast.success({ title: `${writeCents(cents, currency)} go back within minutes` });
      await queries.invalidateQueries({ queryKey: adminPayments.key() });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Refund this payment?"
      description="It goes back to the buyer's card, from our share and the creator's in proportion. Once all of it is back, their access ends."
      actions={
        <>
          <Button type="submit" form={formId} variant="danger" busy={form.isBusy}>
            Refund
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={form.submit} noValidate className="grid gap-4">
        <Field
          label="Amount"
          hint={`${writeCents(leftCents, currency)} are left of it.`}
          inputMode="decimal"
          maxLength={24}
          autoComplete="off"
          {...form.text('amount')}
        />
        <Select label="Reason" options={reasons} value={reason} onChange={setReason} />
        <Textarea label="Note" hint="The creator reads it." maxLength={500} rows={3} {...form.text('note')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
