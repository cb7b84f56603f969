import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StaffRequestCard, StaffVerdict } from '#features/requests/desk-contract.ts';
import { longestWords } from '#features/requests/rules.ts';
import { readCents } from '#kit/cents.ts';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { FormError } from '#ui/forms/use-form.tsx';
import { adminOperations, adminRequests } from '../../admin-calls.tsx';
import { writeCents } from '../../payment-words.ts';
import { VerdictDialog } from '../verdict-dialog.tsx';

type Choice = StaffVerdict | 'part';

/** Returns the ways in which it may be decided now, the mildest first. */
function verdictsOf({ leftCents, currency, verdicts }: StaffRequestCard) {
  const left = writeCents(leftCents, currency);
  const all = {
    release: {
      label: 'The creator gets it',
      about: `${left} go to the creator, less our share.`,
      confirm: 'Release',
    },
    decline: {
      label: 'Nothing goes back',
      about: `${left} stay with the creator.`,
      confirm: 'Leave it',
    },
    refund: {
      label: 'The buyer gets it back',
      about: `${left} go back to the buyer's card, and what was delivered closes.`,
      confirm: 'Refund',
      isFinal: true,
    },
    part: {
      label: 'A part goes back',
      about: `A part of ${left} goes back to the buyer's card, and the rest is released.`,
      confirm: 'Refund a part',
      isFinal: true,
    },
  };
  const may = (choice: Choice) =>
    choice === 'part'
      ? // The rest of a part is released, so both have to be possible.
        verdicts.includes('refund') && verdicts.includes('release')
      : verdicts.includes(choice);
  const names = (Object.keys(all) as Choice[]).filter(may);
  return Object.fromEntries(names.map((name) => [name, all[name]])) as typeof all;
}

/** Asks what becomes of the money that is held for a request. */
export function DecideRequest({ request, onClose }: { request: StaffRequestCard; onClose: () => void }) {
  const queries = useQueryClient();
  const { id: requestId, leftCents, currency } = request;
  const [amount, setAmount] = useState('');
  const readPart = (): number => {
    const cents = readCents(amount);
    if (!(cents > 0) || cents >= leftCents)
      throw new FormError(`Enter an amount below ${writeCents(leftCents, currency)}.`);
    return cents;
  };
  const decide = async (choice: Choice, note: string) => {
    const amountCents = choice === 'part' ? { amountCents: readPart() } : {};
    await adminRequests.decide.call({
      requestId,
      verdict: choice === 'part' ? 'refund' : choice,
      note,
      ...amountCents,
    });
    toast.success({ title: 'It is decided, and both sides are told' });
    onClose();
    await queries.invalidateQueries({ queryKey: adminRequests.key() });
    await queries.invalidateQueries({ queryKey: adminOperations.key() });
  };
  return (
    <VerdictDialog
      title="What becomes of the money?"
      verdicts={verdictsOf(request)}
      hint="Both sides read it."
      mostLetters={longestWords}
      onDecide={decide}
      onClose={onClose}
    >
      {(choice) =>
        choice === 'part' && (
          <Field
            label="Amount that goes back"
            inputMode="decimal"
            maxLength={24}
            autoComplete="off"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
          />
        )
      }
    </VerdictDialog>
  );
}
