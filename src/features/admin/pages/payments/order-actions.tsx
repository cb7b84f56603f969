import { useQueryClient } from '@tanstack/react-query';
import { Check, Hand, Undo2, X } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { type AskReason, askReasonNames } from '#features/orders/refund-asking-rules.ts';
import { proseText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import type { OrderCard } from '../../payments-contract.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { HoldDialog } from './hold-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Asked = 'refund' | 'accept' | 'decline' | 'hold';

const Note = z.object({ reason: proseText(500, 'Use at most 500 characters').min(1, 'Say why') });

/** What can be decided about a payment, or why nothing can. */
export function OrderActions({ order }: { order: OrderCard }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const { refusal, asked: request, creatorId, creatorName } = order;
  return (
    <section>
      <SectionHeader title="Decide" />
      {request !== null && <Request request={request} />}
      <div className="flex flex-wrap gap-3">
        {request !== null && refusal === null && (
          <>
            <Button icon={Check} onClick={() => setAsked('accept')}>
              Refund the buyer
            </Button>
            <Button variant="outline" icon={X} onClick={() => setAsked('decline')}>
              Decline
            </Button>
          </>
        )}
        {request === null && refusal === null && (
          <Button icon={Undo2} onClick={() => setAsked('refund')}>
            Refund
          </Button>
        )}
        {creatorId !== null && (
          <Button variant="outline" icon={Hand} onClick={() => setAsked('hold')}>
            Hold the creator's payouts
          </Button>
        )}
      </div>
      {refusal !== null && <p className="mt-3 text-pretty text-quiet">{refusal}</p>}
      {asked === 'refund' && <RefundDialog order={order} onClose={close} />}
      {(asked === 'accept' || asked === 'decline') && (
        <AnswerDialog orderId={order.id} isRefunded={asked === 'accept'} onClose={close} />
      )}
      {asked === 'hold' && creatorId !== null && <HoldDialog userId={creatorId} name={creatorName} onClose={close} />}
    </section>
  );
}

function Request({ request: { reason, text, at, waitsForUs } }: { request: NonNullable<OrderCard['asked']> }) {
  const words: Readonly<Record<string, string>> = askReasonNames satisfies Record<AskReason, string>;
  return (
    <div className="mb-4 grid gap-1">
      <p>
        <span>{`${words[reason] ?? reason} · asked `}</span>
        <RelativeTime at={at} />
      </p>
      {text !== '' && <p className="whitespace-pre-line wrap-anywhere">{isolate(text)}</p>}
      {!waitsForUs && <p className="text-13 text-quiet">The creator has not answered yet; you may answer for them.</p>}
    </div>
  );
}

function AnswerDialog({ orderId, isRefunded, onClose }: { orderId: string; isRefunded: boolean; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <ReasonDialog
      title={isRefunded ? 'Refund the buyer?' : 'Decline the request?'}
      description={isRefunded ? 'All that is left of the payment goes back.' : 'Nothing goes back.'}
      label="Why"
      hint="The buyer reads it, and the creator hears of it."
      confirm={isRefunded ? 'Refund' : 'Decline'}
      shape={Note}
      onClose={onClose}
      onConfirm={async (note) => {
        await adminPayments.answerBuyer.call({ orderId, isRefunded, note });
        toast.success({ title: isRefunded ? 'The money goes back within minutes' : 'The request is declined' });
        await queries.invalidateQueries({ queryKey: adminPayments.key() });
        onClose();
      }}
    />
  );
}
