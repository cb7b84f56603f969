import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { describeTerm, longerTermsOf } from '#features/orders/fan-rules.ts';
import { formatCount, formatMoney, formatPrice, isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { Tier, Tiers } from '../fans/fans-contract.ts';
import { fans } from '../money-calls.tsx';
import { GetPaid } from '../payout/get-paid.tsx';
import { TierDialog } from './tier-dialog.tsx';

export const meta = () => [{ title: 'Subscribers · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What a creator offers for a monthly price, who has it and what it brings. */
export default function TiersPage() {
  useLive(['viewer.paid'], [fans.tiers.key()]);
  const query = useQuery(fans.tiers.queryOptions({ input: {} }));
  const [edited, setEdited] = useState<Tier | 'new'>();
  const offered = query.data?.tiers.filter(({ isOffered }) => isOffered).length ?? 0;
  const canAdd = query.data?.account === 'complete' && offered < query.data.most;
  return (
    <>
      <PageHeader
        title="Subscribers"
        back={{ to: '/earnings', label: 'Earnings' }}
        actions={
          canAdd && offered > 0 ? (
            <Button variant="outline" icon={Plus} onClick={() => setEdited('new')}>
              New tier
            </Button>
          ) : undefined
        }
      />
      <div className="grid gap-5">
        {query.isPending && (
          <div aria-busy="true">
            <Skeleton className="h-40 rounded-card" />
          </div>
        )}
        {query.isError && query.data === undefined && (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
        )}
        {query.data && <Everything tiers={query.data} onEdit={setEdited} />}
      </div>
      {edited !== undefined && (
        <TierDialog tier={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}

function Everything({ tiers, onEdit }: { tiers: Tiers; onEdit: (tier: Tier | 'new') => void }) {
  const { account, currency, subscribers, monthlyCents, isSandbox } = tiers;
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  const note = `${formatCount(subscribers, 'subscriber')} · your share${isSandbox ? ' · test payments, no real money' : ''}`;
  if (account !== 'complete' && tiers.tiers.length === 0) return <GetPaid account={account} isRestricted={false} />;
  return (
    <>
      {account !== 'complete' && <GetPaid account={account} isRestricted={account === 'pending'} />}
      {tiers.tiers.length > 0 && <StatTile size="large" label="A month" value={format(monthlyCents)} note={note} />}
      {tiers.tiers.length === 0 && (
        <EmptyState
          icon={Users}
          title="No subscribers yet"
          action={
            <Button icon={Plus} onClick={() => onEdit('new')}>
              New tier
            </Button>
          }
        >
          People subscribe to a tier for a monthly price and see what it includes: everything you add, or albums that
          you choose.
        </EmptyState>
      )}
      {tiers.tiers.map((tier) => (
        <TierCard key={tier.id} tier={tier} currency={currency} onEdit={() => onEdit(tier)} />
      ))}
    </>
  );
}

/** Stops offering a tier, or offers it again. */
function useOffering(onStopped: () => void) {
  const queries = useQueryClient();
  const settled = () => queries.invalidateQueries({ queryKey: fans.tiers.key() });
  const stop = useWrite(
    fans.stopTier.mutationOptions({
      onSuccess: onStopped,
      onError: ({ message }) => toast.error({ title: "Couldn't stop it", message }),
      onSettled: settled,
    }),
  );
  const resume = useWrite(
    fans.resumeTier.mutationOptions({
      onError: ({ message }) => toast.error({ title: "Couldn't offer it again", message }),
      onSettled: settled,
    }),
  );
  return { stop, resume };
}

interface TierCardProps {
  tier: Tier;
  currency: string;
  onEdit: () => void;
}

function TierCard({ tier, currency, onEdit }: TierCardProps) {
  const { id: tierId, name, priceCents, benefits, isOffered, subscribers } = tier;
  const longer = longerTermsOf(tier);
  const [isAsking, setAsking] = useState(false);
  const { stop, resume } = useOffering(() => setAsking(false));
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 text-21 wrap-break-word">{isolate(name)}</h2>
        <Chip tone={isOffered ? 'ember' : 'plain'}>
          {isOffered ? `${formatPrice(priceCents, currency.toUpperCase())} a month` : 'Not offered'}
        </Chip>
      </div>
      {benefits !== '' && <p className="max-w-140 wrap-break-word">{isolate(benefits)}</p>}
      {longer.length > 0 && <p className="text-13 text-quiet">{describeLonger(longer, currency)}</p>}
      <p className="text-13 text-quiet">{describeReach(tier)}</p>
      <p className="text-13 text-quiet">{describeWho(tier, currency)}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={onEdit}>
          Edit
        </Button>
        {isOffered ? (
          <Button variant="bare" onClick={() => setAsking(true)}>
            Stop offering
          </Button>
        ) : (
          <Button variant="bare" busy={resume.isPending} onClick={() => resume.mutate({ tierId })}>
            Offer again
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        danger
        title={`Stop offering ${isolate(name)}?`}
        description={
          subscribers === 0
            ? 'Nobody can subscribe to it any more. You can offer it again later.'
            : `Nobody new can subscribe. ${subscribers === 1 ? 'Its subscriber keeps' : `Its ${subscribers} subscribers keep`} what they paid for until the end of their month. They pay no more after that, and we'll email them.`
        }
        confirm="Stop offering"
        busy={stop.isPending}
        onConfirm={() => stop.mutate({ tierId })}
      />
    </Card>
  );
}

/** "Also $26.97 for 3 months, $47.95 for 6 months". */
const describeLonger = (longer: ReturnType<typeof longerTermsOf>, currency: string): string =>
  `Also ${longer.map(({ months, priceCents }) => describeTerm(formatPrice(priceCents, currency.toUpperCase()), months)).join(', ')}`;

function describeReach({ allFuture, albums }: Tier): string {
  if (allFuture) return 'Opens everything you have and everything you add';
  return albums.length === 0
    ? 'Its albums were deleted'
    : `Opens ${albums.map(({ name }) => isolate(name)).join(', ')}`;
}

function describeWho({ subscribers, passes, monthlyCents, atLowerPrice }: Tier, currency: string): string {
  const parts = [
    formatCount(subscribers, 'subscriber'),
    passes > 0 && formatCount(passes, 'free pass', 'free passes'),
    monthlyCents > 0 && `${formatMoney(monthlyCents, currency.toUpperCase())} a month for you`,
    atLowerPrice > 0 && `${atLowerPrice} at the old price`,
  ];
  return parts.filter((part) => part !== false).join(' · ');
}
