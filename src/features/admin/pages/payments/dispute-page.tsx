import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Flag, Send } from 'lucide-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import * as z from 'zod';
import { proseText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { evidenceWords, nextWords, standingWords, writeCents } from '../../payment-words.ts';
import type { DisputeCard } from '../../payments-contract.ts';
import { type Fact, FactsList } from '../facts-list.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { describeDue } from './disputes-page.tsx';

export const meta = () => [{ title: 'Dispute · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One dispute: until when it is answered, with what, and whether it is. */
export default function DisputePage() {
  const { disputeId = '' } = useParams();
  const query = useQuery(adminPayments.showDispute.queryOptions({ input: { disputeId } }));
  return (
    <Loaded query={query} label="Loading the dispute">
      {(dispute) => <Dispute key={dispute.disputeId} dispute={dispute} />}
    </Loaded>
  );
}

function Dispute({ dispute }: { dispute: DisputeCard }) {
  const { disputeId, amountCents, currency, reason, next, standing, orderId } = dispute;
  const { word, tone } = next === 'ended' ? standingWords[standing] : nextWords[next];
  return (
    <>
      <PageHeader
        title={`${writeCents(amountCents, currency)}: ${reason.replaceAll('_', ' ')}`}
        back={{ to: '/admin/payments/disputes', label: 'Disputes' }}
        facts={disputeId}
        actions={<Chip tone={tone}>{word}</Chip>}
      />
      <div className="grid max-w-190 gap-8">
        <Facts dispute={dispute} />
        {orderId !== null && (
          <div>
            <ButtonLink to={`/admin/payments/orders/${orderId}`} variant="outline">
              Look at the payment
            </ButtonLink>
          </div>
        )}
        <Decide dispute={dispute} />
        <Evidence dispute={dispute} />
      </div>
    </>
  );
}

function Facts({ dispute }: { dispute: DisputeCard }) {
  const now = useNow();
  const { openedAt, dueBy, status, submittedAt, objection, refused, ofViewer, orderId, isPack, isOwed } = dispute;
  const facts: Fact[] = [
    ['Disputed', formatMoment(openedAt, now)],
    ['To answer', describeDue(dueBy, now)],
    ['At the bank', status.replaceAll('_', ' ')],
    ...(submittedAt === null ? [] : ([['Submitted', formatMoment(submittedAt, now)]] as const)),
    ...(objection === null ? [] : ([['Accepted because', isolate(objection)]] as const)),
    ...(refused === null ? [] : ([['Evidence was refused', isolate(refused)]] as const)),
    ...(orderId === null ? ([['Paid for', isPack ? 'Credits' : 'A plan']] as const) : []),
    ...(ofViewer > 1 ? ([['Disputes of the same buyer', String(ofViewer)]] as const) : []),
    ...(isOwed ? ([['Owed', 'There was too little in a balance; it is tried again.']] as const) : []),
  ];
  return <FactsList facts={facts} />;
}

const Why = z.object({ reason: proseText(500, 'Use at most 500 characters').min(1, 'Say why') });

function Decide({ dispute: { disputeId, refusal, next } }: { dispute: DisputeCard }) {
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const settle = () => queries.invalidateQueries({ queryKey: adminPayments.key() });
  const submit = useWrite(
    adminPayments.submitDispute.mutationOptions({
      onSuccess: () => {
        toast.success({ title: 'The evidence is submitted within a minute' });
        return settle();
      },
      onError: (error) => toast.error({ title: "Couldn't submit it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  if (refusal !== null) return <p className="text-pretty text-quiet">{refusal}</p>;
  return (
    <section>
      <SectionHeader title="Decide" />
      <div className="flex flex-wrap gap-3">
        <Button icon={Send} busy={submit.isPending} onClick={() => submit.mutate({ disputeId })}>
          Submit now
        </Button>
        {next !== 'not_contested' && (
          <Button variant="outline" icon={Flag} onClick={() => setAsked(true)}>
            Accept the dispute
          </Button>
        )}
      </div>
      {isAsked && (
        <ReasonDialog
          title="Accept this dispute?"
          description="Nothing is submitted, and the bank decides for the buyer. Until it is due you can still submit."
          label="Why"
          hint="For whoever runs this place."
          confirm="Accept"
          shape={Why}
          onClose={() => setAsked(false)}
          onConfirm={async (note) => {
            await adminPayments.acceptDispute.call({ disputeId, note });
            await settle();
            setAsked(false);
          }}
        />
      )}
    </section>
  );
}

function Evidence({ dispute: { evidence, submittedAt } }: { dispute: DisputeCard }) {
  return (
    <section>
      <SectionHeader title={submittedAt === null ? 'What would be sent' : 'What was sent'} />
      {evidence.length === 0 ? (
        <p className="text-quiet">No evidence has been built yet.</p>
      ) : (
        <Card className="grid gap-5">
          {evidence.map(({ field, text }) => (
            <div key={field} className="grid gap-1">
              <h3 className="text-13 text-quiet">{evidenceWords[field] ?? field.replaceAll('_', ' ')}</h3>
              <p className="whitespace-pre-line wrap-anywhere">{isolate(text)}</p>
            </div>
          ))}
        </Card>
      )}
    </section>
  );
}
