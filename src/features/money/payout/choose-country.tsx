import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as z from 'zod';
import { nameCountries } from '#features/accounts/countries-and-zones.ts';
import { isPayoutCountry, payoutCountries } from '#kit/payout-countries.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Select } from '#ui/forms/select.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { money } from '../money-calls.tsx';
import { openConnected, toastFailure } from './use-connect.tsx';

const shape = z.object({ country: z.enum(payoutCountries, 'Choose your country') });

interface ChooseCountryProps {
  onClose: () => void;
  /** Their account was made meanwhile, and has been complete. */
  onPassword: () => void;
}

/** The question that comes before a payout account is made: its country never changes. */
export function ChooseCountry(props: ChooseCountryProps) {
  const { data, isError } = useQuery(money.account.queryOptions({ input: {} }));
  return (
    <Dialog
      open
      onClose={props.onClose}
      title="Where do you live?"
      description="Your payout account is made for this country: you need a bank account and an address there. It cannot be changed later."
      actions={
        <>
          <Button type="submit" form="payout-country" disabled={data === undefined && !isError}>
            Continue to Stripe
          </Button>
          <Button variant="outline" onClick={props.onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {data === undefined && !isError ? (
        <Skeleton className="h-20 w-full" />
      ) : (
        <CountryForm {...props} proposed={data?.payoutCountry ?? ''} />
      )}
    </Dialog>
  );
}

function CountryForm({ proposed, onClose, onPassword }: ChooseCountryProps & { proposed: string }) {
  const countries = useMemo(() => nameCountries(payoutCountries), []);
  const form = useForm({
    shape,
    initial: { country: proposed },
    send: async (input) => {
      await openConnected(input).catch((error: unknown) => {
        throw toastFailure(error);
      });
      onClose();
    },
    onFault: (faults) => {
      if (faults.password !== undefined) onPassword();
    },
  });
  const { country } = form.values;
  return (
    <form id="payout-country" onSubmit={form.submit} noValidate className="grid gap-3">
      <Select
        label="Country"
        name="country"
        options={countries}
        value={isPayoutCountry(country) ? country : undefined}
        onChange={(chosen) => form.set('country', chosen)}
        placeholder="Choose your country"
        hint="Yours isn't in the list? Payouts don't reach it yet."
        error={form.faults.country}
      />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
    </form>
  );
}
