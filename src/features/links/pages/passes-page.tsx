import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Plus, Ticket } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { copyLater } from '#ui/copy-later.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { useLive } from '#wire/use-live.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { NewPass } from '../passes/new-pass.tsx';
import { passes } from '../passes/passes-calls.tsx';
import type { FreePass } from '../passes/passes-contract.ts';

export const meta = () => [{ title: 'Free passes · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Links by which some people get what a tier opens, for nothing. */
export default function PassesPage() {
  useLive(['viewer.paid'], [passes.key()]);
  const [isMaking, setMaking] = useState(false);
  const query = useQuery(passes.list.queryOptions({ input: {} }));
  const { passes: rows = [], tiers = [] } = query.data ?? {};
  return (
    <>
      <PageHeader
        title="Free passes"
        back={{ to: '/magic-links', label: 'Magic links' }}
        facts="A link that gives someone a tier for a few days, without a card. It ends by itself."
        actions={
          rows.length > 0 &&
          tiers.length > 0 && (
            <Button icon={Plus} onClick={() => setMaking(true)}>
              New free pass
            </Button>
          )
        }
      />
      {query.isPending && <SkeletonRows />}
      {query.isError && query.data === undefined && (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} busy={query.isRefetching} />
      )}
      {query.data && rows.length === 0 && <Nothing hasTiers={tiers.length > 0} onNew={() => setMaking(true)} />}
      {rows.length > 0 && (
        <List label="Free passes">
          {rows.map((pass) => (
            <li key={pass.id}>
              <PassLine pass={pass} />
            </li>
          ))}
        </List>
      )}
      <NewPass open={isMaking} tiers={tiers} onClose={() => setMaking(false)} />
    </>
  );
}

function Nothing({ hasTiers, onNew }: { hasTiers: boolean; onNew: () => void }) {
  if (!hasTiers)
    return (
      <EmptyState
        icon={Ticket}
        title="Make a tier first"
        action={<ButtonLink to="/account/tiers">Open tiers</ButtonLink>}
      >
        A free pass gives someone one of your tiers for a few days. Make a tier first, then share a pass here.
      </EmptyState>
    );
  return (
    <EmptyState icon={Ticket} title="No free passes yet" action={<Button onClick={onNew}>New free pass</Button>}>
      Let a few people look around for a week. Each of them takes it once, with their email address and no card.
    </EmptyState>
  );
}

const marks: Readonly<Record<Exclude<FreePass['state'], 'open'>, string>> = {
  used_up: 'Used up',
  expired: 'Expired',
  revoked: 'Revoked',
  stopped: 'Tier stopped',
};

function PassLine({ pass }: { pass: FreePass }) {
  const now = useNow();
  const queries = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { id, label, tierName, days, places, claims, expiresAt, state, url } = pass;
  const revoke = useWrite(
    passes.revoke.mutationOptions({
      onSuccess: () => toast.success({ title: 'Pass revoked' }),
      onError: ({ message }) => toast.error({ title: "Couldn't revoke", message }),
      onSettled: () => {
        setAsked(false);
        return queries.invalidateQueries({ queryKey: passes.key() });
      },
    }),
  );
  const copy = async (address: string) => {
    if (await copyLater(Promise.resolve(address))) toast.success({ title: 'Link copied' });
    else toast.info({ title: 'Copy it yourself', message: address });
  };
  return (
    <>
      <Row
        title={label}
        mark={state === 'open' ? undefined : <Chip>{marks[state]}</Chip>}
        quiet={`${label === tierName ? '' : `${tierName} · `}${formatCount(days, 'day')} free`}
        story={`${claims} of ${places} taken${state === 'open' ? ` · open until ${formatDate(expiresAt, now)}` : ''}`}
        end={
          state === 'open' && (
            <span className="flex flex-wrap justify-end gap-1">
              {url !== null && (
                <Button variant="outline" icon={Copy} onClick={() => void copy(url)}>
                  Copy
                </Button>
              )}
              <Button variant="quietDanger" onClick={() => setAsked(true)} aria-label={`Revoke ${label}`}>
                Revoke
              </Button>
            </span>
          )
        }
      />
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Revoke “${label}”?`}
        description="Nobody can take it any more. Whoever has taken it keeps it until its days are over."
        confirm="Revoke"
        danger
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate({ passId: id })}
      />
    </>
  );
}
