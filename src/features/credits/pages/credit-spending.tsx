import { useState } from 'react';
import { formatBytes, formatCount } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import type { CreditUses } from '../contract.ts';
import { credits } from './credits-calls.tsx';
import { MoreAnswers, MoreVideoTime, VideosFirst } from './more-spending.tsx';
import { ReadableAddress } from './readable-address.tsx';
import { useSpent } from './use-spent.tsx';

interface SpendingProps {
  uses: CreditUses;
  balance: number;
  hasAccess: boolean;
}

/** What credits are for, what it costs, and what of it they have. */
export function CreditSpending({ uses, balance, hasAccess }: SpendingProps) {
  const { storage, traces } = uses;
  const left = Math.max(0, traces.free - traces.usedThisMonth);
  return (
    <section>
      <SectionHeader title="What credits are for" />
      <List label="What credits are for">
        <li>
          <Row
            title="Extra storage"
            quiet={`${formatBytes(storage.bytes)} for ${formatCount(storage.days, 'day')} · ${formatCount(storage.credits, 'credit')}`}
            story={<Extras has={storage.has} />}
            end={hasAccess && <AddStorage storage={storage} balance={balance} />}
          />
        </li>
        <li>
          <Row
            title="More leak traces"
            quiet={`${formatCount(traces.free, 'trace')} a month are free; after that, each one costs ${formatCount(traces.credits, 'credit')}.`}
            story={left === 0 ? "You've used this month's free ones." : `${left} of ${traces.free} left this month.`}
          />
        </li>
        <ReadableAddress address={uses.address} balance={balance} hasAccess={hasAccess} />
        <MoreVideoTime videoTime={uses.videoTime} balance={balance} hasAccess={hasAccess} />
        <VideosFirst priority={uses.priority} balance={balance} hasAccess={hasAccess} />
        {uses.answers && <MoreAnswers answers={uses.answers} balance={balance} hasAccess={hasAccess} />}
      </List>
      <p className="mt-3 max-w-160 text-13 text-quiet">
        Uploading, sharing, revoking and everything else that your plan includes never costs credits. Credits aren't
        money: they can't be paid out or passed on. Credits you're given expire after 12 months.
      </p>
    </section>
  );
}

function Extras({ has }: Pick<CreditUses['storage'], 'has'>) {
  const now = useNow();
  if (has.length === 0) return null;
  return has.map(({ bytes, endsAt }) => `${formatBytes(bytes)} until ${formatDate(endsAt, now)}`).join(' · ');
}

function AddStorage({ storage, balance }: Pick<SpendingProps, 'balance'> & Pick<CreditUses, 'storage'>) {
  const [isAsked, setAsked] = useState(false);
  const done = useSpent('Storage added', () => setAsked(false));
  const add = useWrite(credits.addStorage.mutationOptions(done));
  const { bytes, days, credits: price } = storage;
  const size = formatBytes(bytes);
  const canPay = balance >= price;
  return (
    <>
      <Button variant="outline" disabled={!canPay} onClick={() => setAsked(true)}>
        {canPay ? `Add ${size}` : `Needs ${formatCount(price, 'credit')}`}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Add ${size} for ${formatCount(price, 'credit')}?`}
        description={`It lasts ${formatCount(days, 'day')}. You have ${formatCount(balance, 'credit')}, and ${balance - price} afterwards. When it ends, nothing is deleted; you can upload again once there is room.`}
        confirm={`Use ${formatCount(price, 'credit')}`}
        busy={add.isPending}
        onConfirm={() => add.mutate({ credits: price })}
      />
    </>
  );
}
