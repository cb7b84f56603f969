import { BanknoteArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { PayoutStatus } from '#features/payouts/contract.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Card } from '#ui/layout/card.tsx';
import { useKeptPercent } from '../use-kept-percent.tsx';
import { ChooseCountry } from './choose-country.tsx';
import { OpenAccount } from './open-account.tsx';
import { useConnect } from './use-connect.tsx';

interface Words {
  title: string;
  text: string;
  button?: string;
}

const words: Readonly<Record<'none' | 'pending' | 'complete' | 'closed', Words>> = {
  none: {
    title: 'Get Paid',
    text: 'Connect a payout account, then ask for tips, sell albums or take subscriptions.',
    button: 'Connect Stripe',
  },
  pending: {
    title: 'Get Paid',
    text: 'Almost there: your payout account still needs something from you.',
    button: 'Complete Setup',
  },
  complete: {
    title: 'Payout account',
    text: 'Connected. Your bank details are with Stripe.',
    button: 'Manage Account',
  },
  closed: {
    title: 'Your payout account was closed',
    text: 'Stripe closed this account. Nobody can pay you; what was bought stays open.',
  },
};

const restricted: Words = {
  title: 'Your payout account needs attention',
  text: "Stripe needs something from you. Until you've provided it, nobody can pay you; what was bought stays open.",
  button: 'Complete Setup',
};

interface GetPaidProps {
  account: PayoutStatus;
  /** Complete once and not any more. */
  isRestricted: boolean;
}

/** An account that is still to be made asks where; one that was ever complete for the password. */
function questionOf({ account, isRestricted }: GetPaidProps): 'country' | 'password' | undefined {
  if (account === 'complete' || isRestricted) return 'password';
  return account === 'none' ? 'country' : undefined;
}

/** Where a creator connects the account that they are paid on. */
export function GetPaid({ account, isRestricted }: GetPaidProps) {
  const [asked, setAsked] = useState<'country' | 'password'>();
  const { go, isBusy } = useConnect(() => setAsked('password'));
  const keptPercent = useKeptPercent();
  if (account === 'off')
    return (
      <Card>
        <h2 className="text-21">Get Paid</h2>
        <p className="mt-1 text-quiet">Payments aren't set up on this installation yet.</p>
      </Card>
    );
  const { title, text, button } = isRestricted ? restricted : words[account];
  const asks = questionOf({ account, isRestricted });
  const share = !isRestricted && account === 'none' ? ` You keep ${keptPercent}% of every payment.` : '';
  return (
    <Card
      tone={isRestricted || account === 'closed' ? 'rust' : 'plain'}
      className="grid gap-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-center"
    >
      <div>
        <h2 className="text-21">{title}</h2>
        <p className="mt-1 max-w-140 text-quiet">{`${text}${share}`}</p>
      </div>
      {account === 'closed' && (
        <ButtonLink to="/contact" variant="outline" className="justify-self-start">
          Write to support
        </ButtonLink>
      )}
      {button !== undefined && (
        <Button
          variant={account === 'complete' ? 'outline' : 'primary'}
          icon={BanknoteArrowUp}
          busy={isBusy}
          onClick={() => (asks === undefined ? void go() : setAsked(asks))}
          className="justify-self-start"
        >
          {button}
        </Button>
      )}
      {asked === 'country' && (
        <ChooseCountry onClose={() => setAsked(undefined)} onPassword={() => setAsked('password')} />
      )}
      {asked === 'password' && <OpenAccount onClose={() => setAsked(undefined)} />}
    </Card>
  );
}
