import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, HandCoins } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { RunLine, RunPlan } from '#features/affiliates/desk-contract.ts';
import { proseText } from '#kit/bounded-text.ts';
import { byteOrderMark } from '#kit/csv.ts';
import { formatCount, formatMoney, isolate } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { saveFile } from '#ui/save-file.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminAffiliates } from '../admin-calls.tsx';
import { describeLine, writeLines } from '../partner-words.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export const meta = () => [{ title: 'Pay partners · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** Who gets what in the next run, and the lines of the last ones, which somebody pays by hand. */
export default function PartnerPayPage() {
  const plan = useQuery(adminAffiliates.planRun.queryOptions({ input: {} }));
  const runs = useQuery(adminAffiliates.runs.queryOptions({ input: {} }));
  return (
    <>
      <PageHeader title="Pay partners" back={{ to: '/admin/affiliates', label: 'Partners' }} />
      <div className="grid max-w-190 gap-8">
        <p className="text-quiet">
          No money leaves by itself here: the payment provider only pays creators what they have sold. A run makes a
          list; you pay each line from your bank or wallet, and confirm it below. Only then is it booked, and the
          partner told. What goes back before that makes its line smaller.
        </p>
        <section>
          <SectionHeader title="The next run" />
          <Loaded query={plan} label="Adding up">
            {(data) => <NextRun plan={data} />}
          </Loaded>
        </section>
        <section>
          <SectionHeader title="Lines to pay" />
          <Loaded query={runs} label="Loading the runs">
            {({ lines }) => <Lines lines={lines} />}
          </Loaded>
        </section>
      </div>
    </>
  );
}

function NextRun({ plan: { lines, totalCents, leastCents } }: { plan: RunPlan }) {
  const [isAsked, setAsked] = useState(false);
  const queries = useQueryClient();
  const make = useWrite(
    adminAffiliates.makeRun.mutationOptions({
      onSuccess: ({ partners }) => toast.success({ title: `${formatCount(partners, 'line')} to pay` }),
      onError: (error) => toast.error({ title: 'No run was made', message: Object.values(faultsOf(error))[0] }),
      onSettled: () => {
        setAsked(false);
        return queries.invalidateQueries({ queryKey: adminAffiliates.key() });
      },
    }),
  );
  if (lines.length === 0)
    return (
      <EmptyState icon={HandCoins} title="Nobody is to be paid now">
        {`A partner is paid once a month, from ${formatMoney(leastCents)} that have waited their 30 days.`}
      </EmptyState>
    );
  return (
    <div className="grid justify-items-start gap-4">
      <div className="w-full">
        <List label="The next run">
          {lines.map(({ affiliateId, name, email, currency, payableCents, debtCents, amountCents }) => (
            <li key={`${affiliateId} ${currency}`}>
              <Row
                title={isolate(name)}
                to={`/admin/affiliates/${affiliateId}`}
                quiet={isolate(email)}
                story={
                  debtCents === 0
                    ? undefined
                    : `${formatMoney(payableCents)} less ${formatMoney(debtCents)} that went back after it was paid`
                }
                end={formatMoney(amountCents, currency.toUpperCase())}
              />
            </li>
          ))}
        </List>
      </div>
      <Button icon={HandCoins} onClick={() => setAsked(true)}>
        {`Make the run: ${formatMoney(totalCents)}`}
      </Button>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title={`Make a run of ${formatMoney(totalCents)}?`}
        description={`${formatCount(lines.length, 'line')} to pay by hand. If the list has changed since you read it, nothing is made.`}
        confirm="Make the run"
        busy={make.isPending}
        onConfirm={() => make.mutate({ partners: lines.length, totalCents })}
      />
    </div>
  );
}

const Why = z.object({ reason: proseText(500, 'Use at most 500 characters').min(1, 'Say why') });

function Lines({ lines }: { lines: readonly RunLine[] }) {
  const [unpaid, setUnpaid] = useState<RunLine>();
  if (lines.length === 0) return <p className="text-quiet">There was no run yet.</p>;
  const save = () =>
    saveFile(new Blob([byteOrderMark, writeLines(lines)], { type: 'text/csv' }), 'partner-payouts.csv');
  return (
    <div className="grid justify-items-start gap-4">
      <Button variant="outline" icon={Download} onClick={save}>
        Download CSV
      </Button>
      <div className="w-full">
        <List label="Lines">
          {lines.map((line) => (
            <li key={line.id}>
              <LineRow line={line} onUnpaid={() => setUnpaid(line)} />
            </li>
          ))}
        </List>
      </div>
      {unpaid !== undefined && <UnpaidDialog line={unpaid} onClose={() => setUnpaid(undefined)} />}
    </div>
  );
}

/** Books a line as paid, once somebody has said that it was: what is booked is not taken back here. */
function useBooking({ id: payoutId, name, currency }: RunLine) {
  const queries = useQueryClient();
  const [paidCents, setPaidCents] = useState<number>();
  const close = () => setPaidCents(undefined);
  const book = useWrite(
    adminAffiliates.settleLine.mutationOptions({
      onSuccess: () => toast.success({ title: 'Booked. They get an email.' }),
      onError: (error) => toast.error({ title: "It didn't work", message: Object.values(faultsOf(error))[0] }),
      onSettled: () => {
        close();
        return queries.invalidateQueries({ queryKey: adminAffiliates.key() });
      },
    }),
  );
  const amount = formatMoney(paidCents ?? 0, currency.toUpperCase());
  const dialog = (
    <ConfirmDialog
      open={paidCents !== undefined}
      onClose={close}
      title={`You have paid ${amount}?`}
      description={`It is booked as paid to ${isolate(name)}, who is told by email. That can't be taken back here.`}
      confirm={`Book ${amount}`}
      busy={book.isPending}
      onConfirm={() => paidCents !== undefined && book.mutate({ payoutId, paidCents, note: '' })}
    />
  );
  return { ask: setPaidCents, dialog };
}

function LineRow({ line, onUnpaid }: { line: RunLine; onUnpaid: () => void }) {
  const now = useNow();
  const booking = useBooking(line);
  const { amountCents, madeCents, currency, name, email, state, note, leftAt, runAt } = line;
  const { word, tone } = describeLine(line);
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  // What was made smaller may have been paid before.
  const canBePaid = state === 'open' || (state === 'canceled' && leftAt !== null);
  const isSmaller = canBePaid && amountCents < madeCents;
  return (
    <Row
      title={`${format(amountCents)} to ${isolate(name)}`}
      mark={<Chip tone={tone}>{word}</Chip>}
      quiet={`${isolate(email ?? 'No account any more')} · run of ${formatDate(runAt, now)}`}
      story={
        isSmaller ? `It was ${format(madeCents)}: the rest went back since` : note === '' ? undefined : isolate(note)
      }
      end={
        canBePaid && (
          <span className="flex flex-col items-end gap-2 sm:flex-row sm:flex-wrap sm:justify-end">
            {state === 'open' && (
              <Button variant="outline" onClick={() => booking.ask(amountCents)}>
                I've paid it
              </Button>
            )}
            {isSmaller && (
              <Button variant="bare" onClick={() => booking.ask(madeCents)}>
                {`I had paid ${format(madeCents)}`}
              </Button>
            )}
            {state === 'open' && (
              <Button variant="bare" onClick={onUnpaid}>
                Not paid
              </Button>
            )}
            <span className="contents">{booking.dialog}</span>
          </span>
        )
      }
    />
  );
}

function UnpaidDialog({ line: { id: payoutId }, onClose }: { line: RunLine; onClose: () => void }) {
  const queries = useQueryClient();
  return (
    <ReasonDialog
      title="This line was not paid?"
      description="Its shares wait for the next run, and nothing is booked."
      label="Why"
      hint="For whoever runs this place."
      confirm="Not paid"
      shape={Why}
      onConfirm={async (note) => {
        await adminAffiliates.settleLine.call({ payoutId, paidCents: null, note });
        await queries.invalidateQueries({ queryKey: adminAffiliates.key() });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
