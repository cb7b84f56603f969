import { useState } from 'react';
import * as z from 'zod';
import type { SoldKind } from '#features/orders/contract.ts';
import {
  type AskReason,
  askReasonNames,
  askReasons,
  longestAsking,
  reasonsFor,
} from '#features/orders/refund-asking-rules.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Select } from '#ui/forms/select.tsx';
import { Textarea } from '#ui/forms/textarea.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { refunds } from './refunds-calls.tsx';

interface AskRefundProps {
  /** Of the receipt. */
  code: string;
  kind: SoldKind;
  /** Access was ended without a refund. */
  isComplaint: boolean;
  onAsked: () => void;
}

/** Asks for what was paid, by a tap and a reason. */
export function AskRefund(props: AskRefundProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" className="justify-self-start" onClick={() => setOpen(true)}>
        {props.isComplaint ? 'Complain' : 'Ask for a refund'}
      </Button>
      {isOpen && <Asking {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

const shape = z.object({ reason: z.enum(askReasons, 'Choose a reason'), text: z.string().trim().max(longestAsking) });

function Asking({ code, kind, isComplaint, onAsked, onClose }: AskRefundProps & { onClose: () => void }) {
  const reasons = isComplaint ? askReasons : reasonsFor(kind);
  const form = useForm({
    shape,
    initial: { reason: isComplaint ? ('customer_request' as AskReason) : undefined, text: '' },
    send: async (input) => {
      await refunds.ask.call({ code, ...input });
      toast.success({ title: isComplaint ? 'Complaint sent' : 'Request sent', message: "We'll email you the answer." });
      onAsked();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={isComplaint ? 'Complain' : 'Ask for a refund'}
      description={isComplaint ? complaintIs : kind === 'tip' ? tipIs : askingIs}
      actions={
        <>
          <Button type="submit" form="ask-refund" busy={form.isBusy}>
            Send
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="ask-refund" onSubmit={form.submit} noValidate className="grid gap-5">
        {!isComplaint && (
          <Select
            label="Why?"
            options={reasons.map((value) => ({ value, label: askReasonNames[value] }))}
            placeholder="Choose a reason"
            value={form.values.reason}
            error={form.faults.reason}
            onChange={(value) => form.set('reason', value)}
          />
        )}
        <Textarea label="What happened? (optional)" maxLength={longestAsking} {...form.text('text')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}

const askingIs = 'The creator has 72 hours to answer. If no answer comes, we decide.';
const tipIs = "A tip can only be refunded if you paid twice or didn't make the payment. We'll look at it.";
const complaintIs =
  "The creator says that the viewing rules were broken and gave nothing back. We'll look at it and decide.";
