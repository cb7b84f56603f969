import { useQueryClient } from '@tanstack/react-query';
import { BanknoteArrowUp } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import type { Payouts } from '#features/payouts/contract.ts';
import { intervalNames, payoutPromise } from '#features/payouts/payout-words.ts';
import { type PayoutInterval, payoutIntervals } from '#features/payouts/rules.ts';
import { formatMoney } from '#kit/text.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { Select } from '#ui/forms/select.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { money } from '../money-calls.tsx';
import { payouts as calls } from '../payout/payouts-calls.tsx';

/** When they are paid out: the next day, how often, and now where they ask for it themselves. */
export function PayoutSchedule({ payouts }: { payouts: Payouts }) {
  const [isChanging, setChanging] = useState(false);
  return (
    <Card className="grid gap-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
      <div>
        <h2 className="text-21">{`Paid out ${sayInterval[payouts.interval]}`}</h2>
        <p className="mt-1 max-w-140 text-quiet">
          <NextPayout payouts={payouts} />
        </p>
        <p className="mt-1 max-w-140 text-13 text-quiet">{payoutPromise}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        {payouts.interval === 'manual' && <PayNow payouts={payouts} />}
        <Button variant="outline" onClick={() => setChanging(true)}>
          Change schedule
        </Button>
      </div>
      {isChanging && <ChangeSchedule interval={payouts.interval} onClose={() => setChanging(false)} />}
    </Card>
  );
}

const sayInterval: Readonly<Record<PayoutInterval, string>> = {
  daily: 'every business day',
  weekly: 'on Fridays',
  monthly: 'on the 1st',
  manual: 'manually',
};

function NextPayout({ payouts: { nextOn, available, leastCents, interval, holds, currency } }: { payouts: Payouts }) {
  const now = useNow();
  const format = (cents: number) => formatMoney(cents, currency.toUpperCase());
  if (holds.length > 0) return 'Nothing is paid out while your payouts are on hold.';
  if (nextOn !== null)
    return `Next payout: ${formatDate(new Date(`${nextOn}T00:00:00Z`), now, { timeZone: 'UTC' })}, ${format(available)} so far.`;
  if (available < leastCents) return `A payout takes at least ${format(leastCents)}.`;
  return interval === 'manual' ? `${format(available)} can be paid out.` : 'Nothing is paid out yet.';
}

function PayNow({ payouts: { canPayNow, available, currency } }: { payouts: Payouts }) {
  const queries = useQueryClient();
  const pay = useWrite(
    calls.payNow.mutationOptions({
      onSuccess: ({ state }) =>
        state === 'started'
          ? toast.success({
              title: 'The payout is on its way',
              message: formatMoney(available, currency.toUpperCase()),
            })
          : toast.error({ title: 'Your payouts are on hold', message: 'The reason is on this page.' }),
      onError: ({ message }) => toast.error({ title: "Couldn't pay out", message }),
      onSettled: () => queries.invalidateQueries({ queryKey: money.key() }),
    }),
  );
  return (
    <Button icon={BanknoteArrowUp} busy={pay.isPending} disabled={!canPayNow} onClick={() => pay.mutate({})}>
      Pay out now
    </Button>
  );
}

const shape = z.object({ interval: z.enum(payoutIntervals), password: z.string().min(1, 'Enter your password') });

/** Another schedule, by the password: an open screen alone must not move money. */
function ChangeSchedule({ interval, onClose }: { interval: PayoutInterval; onClose: () => void }) {
  const queries = useQueryClient();
  const form = useForm({
    shape,
    initial: { interval, password: '' },
    send: async (input) => {
      await calls.setSchedule.call(input);
      await queries.invalidateQueries({ queryKey: money.key() });
      toast.success({ title: 'Schedule changed', message: "We've sent you an email about it, too." });
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="When are you paid out?"
      actions={
        <>
          <Button type="submit" form="payout-schedule" busy={form.isBusy}>
            Save
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      <form id="payout-schedule" onSubmit={form.submit} noValidate className="grid gap-5">
        <Select
          label="Schedule"
          options={payoutIntervals.map((value) => ({ value, label: intervalNames[value] }))}
          value={form.values.interval}
          onChange={(value) => form.set('interval', value)}
        />
        <PasswordField label="Your password" {...form.text('password')} />
        <p role="alert" className="font-medium text-rust empty:hidden">
          {form.faults['']}
        </p>
      </form>
    </Dialog>
  );
}
