import { useQuery, useQueryClient } from '@tanstack/react-query';
import { HandHeart, MailCheck } from 'lucide-react';
import * as z from 'zod';
import { formatCount, formatMoney } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { showAnswer } from '#wire/refresh-queries.ts';
import { affiliates } from '../affiliate-calls.tsx';
import type { OwnPartner } from '../contract.ts';
import { PartnerView } from './partner-view.tsx';

export const meta = () => [{ title: 'Partner program · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** A partner's own page: their link, what came of it, and what they are paid. */
export default function AffiliatePage() {
  const query = useQuery(affiliates.mine.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader title="Partner program" />
      {query.isPending && (
        <div aria-busy="true" className="grid gap-5">
          <Skeleton className="h-60 rounded-card" />
          <Skeleton className="h-40 rounded-card" />
        </div>
      )}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.data && <OwnState own={query.data} />}
    </>
  );
}

function OwnState({ own }: { own: OwnPartner }) {
  const { standing, offer, partner, terms } = own;
  if (partner !== null)
    return (
      <div className="grid gap-8">
        <PartnerView partner={partner} terms={terms} />
        <TermsInForce terms={terms} sharePercent={partner.sharePercent} />
      </div>
    );
  if (standing === 'approved' && offer !== null)
    return (
      <div className="grid max-w-160 gap-8">
        <TakeUp sharePercent={offer.sharePercent} />
        <TermsInForce terms={terms} sharePercent={offer.sharePercent} />
      </div>
    );
  if (standing === 'applied')
    return (
      <EmptyState icon={MailCheck} title="We have your application">
        We read every application ourselves and answer by email. Once it is approved, your link is here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={HandHeart}
      title="You're not in the partner program"
      action={<ButtonLink to="/signup">Read how it works</ButtonLink>}
    >
      Do you know creators who would sleep better with private albums? Apply with the email address of this account, and
      your link is here once we have approved it.
    </EmptyState>
  );
}

const AcceptTerms = z.object({ acceptsTerms: z.literal(true, 'Please agree to this') });

/** The application was approved: one tap makes this account the partner. */
function TakeUp({ sharePercent }: { sharePercent: number }) {
  const queries = useQueryClient();
  const form = useForm({
    shape: AcceptTerms,
    initial: { acceptsTerms: false },
    send: async () => {
      const own = await affiliates.claim.call({ acceptsTerms: true });
      await showAnswer(queries, affiliates.mine.queryKey({ input: {} }), own);
    },
  });
  return (
    <Card className="p-6">
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <h2 className="text-28 text-balance">Your application was approved</h2>
        <p className="text-quiet">{`Your share is ${sharePercent}% of what each creator you bring pays for their plan.`}</p>
        <Checkbox
          label="I agree to the terms below, and I'll say that my links are advertising wherever I share them"
          {...form.box('acceptsTerms')}
        />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
        <div>
          <Button type="submit" size="large" busy={form.isBusy}>
            Get my link
          </Button>
        </div>
      </form>
    </Card>
  );
}

function TermsInForce({ terms, sharePercent }: { terms: OwnPartner['terms']; sharePercent: number }) {
  const { months, attributionDays, payoutCents, pendingDays } = terms;
  const lines = [
    `You get ${sharePercent}% of every plan payment of a creator you bring, for ${formatCount(months, 'month')} from their sign-up. It comes out of our part: what a creator keeps never changes.`,
    `Someone follows your link and signs up within ${formatCount(attributionDays, 'day')}, or types your code. The first link counts, a typed code counts more, and only new accounts that aren't your own.`,
    `A share waits ${formatCount(pendingDays, 'day')}. If the payment goes back, so does your share, even after we have paid it: then it is taken from your next payout.`,
    `We pay by hand, once a month, from ${formatMoney(payoutCents)}. Whoever runs this site writes to you to ask where to send it.`,
    'No spam, no search ads on our name, no promised earnings, and no promise that screenshots are impossible. Whoever does that is paused, and what came of it is void.',
    'You see how many people came of your link, and never who they are.',
  ];
  return (
    <section>
      <SectionHeader title="The terms" />
      <ul className="grid max-w-160 gap-2.5">
        {lines.map((line) => (
          <li key={line} className="text-quiet">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}
