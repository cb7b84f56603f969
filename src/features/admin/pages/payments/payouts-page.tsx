import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { HandCoins } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { longestAppeal } from '#features/payouts/rules.ts';
import { proseText } from '#kit/bounded-text.ts';
import { isolate } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { holdNames, payoutWords, writeCents } from '../../payment-words.ts';
import type { FailedPayout, HeldPayee } from '../../payments-contract.ts';
import { ReasonDialog } from '../reason-dialog.tsx';
import { Pages } from './more-pages.tsx';
import { PaymentsHeader } from './payment-tabs.tsx';

export const meta = () => [{ title: 'Payouts · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Whose payouts are held and why, and payouts that did not arrive. */
export default function PayoutsPage() {
  const query = useInfiniteQuery(
    adminPayments.payouts.infiniteOptions({
      input: (page: number) => ({ page }),
      initialPageParam: 0,
      getNextPageParam: ({ hasMore }, pages) => (hasMore ? pages.length : undefined),
    }),
  );
  return (
    <>
      <PaymentsHeader />
      <div className="max-w-190">
        <Pages query={query} label="Loading payouts">
          {(pages) => {
            const [held, failed] = [pages.flatMap((page) => page.held), pages.flatMap((page) => page.failed)];
            return held.length + failed.length === 0 ? (
              <EmptyState icon={HandCoins} title="Every payout leaves">
                Payouts that are held appear here, and those that a bank sent back. Hold one from a payment's page.
              </EmptyState>
            ) : (
              <div className="grid gap-8">
                {held.length > 0 && <Held held={held} />}
                {failed.length > 0 && <Failed failed={failed} />}
              </div>
            );
          }}
        </Pages>
      </div>
    </>
  );
}

type Asked = { payee: HeldPayee; what: 'release' | 'refuse' };

function Held({ held }: { held: readonly HeldPayee[] }) {
  const [asked, setAsked] = useState<Asked>();
  return (
    <section>
      <SectionHeader title="Held" />
      <List label="Held">
        {held.map((payee) => (
          <li key={payee.userId}>
            <HeldRow payee={payee} onAsk={(what) => setAsked({ payee, what })} />
          </li>
        ))}
      </List>
      {asked !== undefined && <DecideDialog asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

function HeldRow({ payee, onAsk }: { payee: HeldPayee; onAsk: (what: Asked['what']) => void }) {
  const now = useNow();
  const { name, email, holds, appeal } = payee;
  return (
    <div className="grid gap-2 px-4 py-3.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-strong wrap-anywhere">{isolate(name)}</span>
        <span className="text-13 wrap-anywhere text-quiet">{isolate(email)}</span>
        {appeal !== null && <Chip tone="ember">Appealed</Chip>}
      </p>
      <ul className="grid gap-1 text-13">
        {holds.map(({ code, note, by, since, expectedAt }) => (
          <li key={code} className="wrap-anywhere">
            {[
              `${holdNames[code]}, ${by === 'staff' ? 'by us' : 'by itself'}, since ${formatDate(since, now)}`,
              ...(expectedAt === null ? [] : [`expected to end ${formatDate(expectedAt, now)}`]),
              ...(note === '' ? [] : [isolate(note)]),
            ].join(' · ')}
          </li>
        ))}
      </ul>
      {appeal !== null && <p className="whitespace-pre-line wrap-anywhere">{isolate(appeal)}</p>}
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => onAsk('release')}>
          Release
        </Button>
        {appeal !== null && (
          <Button variant="bare" onClick={() => onAsk('refuse')}>
            Keep held
          </Button>
        )}
      </div>
    </div>
  );
}

const text = proseText(longestAppeal, `Use at most ${longestAppeal} characters`);
const Release = z.object({ reason: text });
const Refuse = z.object({ reason: text.min(1, 'Say why: they read it') });

function DecideDialog({ asked: { payee, what }, onClose }: { asked: Asked; onClose: () => void }) {
  const queries = useQueryClient();
  const { userId, name } = payee;
  const isReleased = what === 'release';
  return (
    <ReasonDialog
      title={isReleased ? `Release payouts of ${isolate(name)}?` : 'Keep the payouts held?'}
      description={
        isReleased ? 'Every hold ends, and the next round pays them out.' : 'Their appeal is answered with no.'
      }
      label="Answer"
      hint={isReleased ? 'They get it by email. May be left out.' : 'They get it by email.'}
      confirm={isReleased ? 'Release' : 'Keep held'}
      shape={isReleased ? Release : Refuse}
      mostLetters={longestAppeal}
      onClose={onClose}
      onConfirm={async (note) => {
        await (isReleased
          ? adminPayments.releasePayouts.call({ userId, note })
          : adminPayments.refuseAppeal.call({ userId, note }));
        toast.success({ title: isReleased ? 'Payouts are released' : 'The appeal is answered' });
        await queries.invalidateQueries({ queryKey: adminPayments.key() });
        onClose();
      }}
    />
  );
}

function Failed({ failed }: { failed: readonly FailedPayout[] }) {
  const now = useNow();
  return (
    <section>
      <SectionHeader title="Did not arrive" />
      <List label="Did not arrive">
        {failed.map(({ id, name, amountCents, currency, state, failure, tries, createdAt }) => (
          <li key={id}>
            <Row
              title={`${writeCents(amountCents, currency)} to ${name === '' ? 'an account that is gone' : isolate(name)}`}
              mark={<Chip tone={payoutWords[state].tone}>{payoutWords[state].word}</Chip>}
              quiet={`${formatDate(createdAt, now)}${tries > 0 ? ` · tried ${tries} times` : ''}`}
              story={failure === null ? undefined : isolate(failure)}
            />
          </li>
        ))}
      </List>
    </section>
  );
}
