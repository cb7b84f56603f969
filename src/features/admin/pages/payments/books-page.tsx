import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Scale } from 'lucide-react';
import { formatCount, isolate } from '#kit/text.ts';
import { minuteMs } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminPayments } from '../../admin-calls.tsx';
import { writeCents } from '../../payment-words.ts';
import type { BooksCheck } from '../../payments-contract.ts';
import { PaymentsHeader } from './payment-tabs.tsx';

export const meta = () => [{ title: 'Books · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

const busyMs = 2000;
/** A comparison that has not ended by then was cut off. */
const mostMs = 15 * minuteMs;
const mostNegative = 100;

/** Whether the books agree with themselves and with the provider, and who owes the platform. */
export default function BooksPage() {
  const queries = useQueryClient();
  const query = useQuery(
    adminPayments.books.queryOptions({
      input: {},
      refetchInterval: ({ state }) => (state.data?.checks[0]?.finishedAt === null ? busyMs : false),
    }),
  );
  const check = useWrite(
    adminPayments.checkBooks.mutationOptions({
      onSuccess: () => toast.success({ title: 'The check has begun' }),
      onError: (error) => toast.error({ title: "Couldn't begin it", message: Object.values(faultsOf(error))[0] }),
      onSettled: () => queries.invalidateQueries({ queryKey: adminPayments.books.key() }),
    }),
  );
  return (
    <>
      <PaymentsHeader />
      <div className="grid max-w-190 gap-8">
        <section>
          <SectionHeader title="Do the books agree?">
            <Button variant="outline" icon={Scale} busy={check.isPending} onClick={() => check.mutate({})}>
              Check now
            </Button>
          </SectionHeader>
          <p className="mb-3 text-13 text-pretty text-quiet">
            Every hour the ledger is compared with itself, with the payments, and with what the provider has.
          </p>
          <Loaded query={query} label="Loading the checks">
            {({ checks, negative }) => (
              <div className="grid gap-8">
                <Lights checks={checks} />
                <Negative negative={negative} />
              </div>
            )}
          </Loaded>
        </section>
      </div>
    </>
  );
}

function Lights({ checks }: { checks: readonly BooksCheck[] }) {
  const now = useNow();
  const [newest] = checks;
  const last = checks.find(({ finishedAt }) => finishedAt !== null);
  if (newest === undefined) return <p className="text-quiet">They have not been compared yet.</p>;
  const isRunning = newest.finishedAt === null && now.getTime() - newest.startedAt.getTime() < mostMs;
  return (
    <div className="grid gap-4">
      <p role="status">
        {isRunning
          ? 'The books are being compared…'
          : newest.finishedAt === null
            ? 'The last comparison did not finish.'
            : ''}
      </p>
      {last !== undefined && (
        <List label="What was compared">
          <li>
            <Light title="Ledger" lines={last.faults} good="It adds up" at={last.finishedAt ?? last.startedAt} />
          </li>
          <li>
            <Light
              title="Provider"
              lines={last.drift}
              good="Agrees with the provider"
              at={last.finishedAt ?? last.startedAt}
            />
          </li>
        </List>
      )}
      {last !== undefined && (
        <p className="text-13 text-quiet">{`${formatCount(last.checked, 'movement')} of the last days looked at.`}</p>
      )}
    </div>
  );
}

function Light({ title, lines, good, at }: { title: string; lines: readonly string[]; good: string; at: Date }) {
  return (
    <div className="grid gap-1 px-4 py-3.5">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="font-strong">{title}</span>
        <span className="flex items-center gap-2 text-13 text-quiet">
          <RelativeTime at={at} />
          <Chip tone={lines.length === 0 ? 'moss' : 'rust'}>{lines.length === 0 ? good : 'Differs'}</Chip>
        </span>
      </p>
      {lines.map((line) => (
        <p key={line} className="text-13 wrap-anywhere">
          {line}
        </p>
      ))}
    </div>
  );
}

type NegativeBalance = { userId: string | null; name: string; currency: string; owedCents: number };

function Negative({ negative }: { negative: readonly NegativeBalance[] }) {
  return (
    <section>
      <SectionHeader title="Balances below zero" />
      {negative.length === 0 ? (
        <p className="text-quiet">No creator owes anything.</p>
      ) : (
        <List label="Balances below zero">
          {negative.map(({ userId, name, currency, owedCents }) => (
            <li key={`${userId} ${currency}`}>
              <Row
                title={name === '' ? 'An account that is gone' : isolate(name)}
                quiet="More went back than they have earned. What they earn next covers it."
                end={writeCents(-owedCents, currency)}
              />
            </li>
          ))}
        </List>
      )}
      {negative.length === mostNegative && <p className="mt-3 text-13 text-quiet">The hundred largest.</p>}
    </section>
  );
}
