import { ORPCError } from '@orpc/client';
import { useState } from 'react';
import type * as z from 'zod';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { faultsOf, useForm } from '#ui/forms/use-form.tsx';
import { type Me, SetupConsent } from '../contract.ts';
import { accounts } from '../guard.tsx';
import { FormFault } from './auth-frame.tsx';
import { LegalLink, LegalLinks } from './legal-links.tsx';

type Saved = () => Promise<void>;

const isBecause = (error: unknown, reason: string) =>
  error instanceof ORPCError && (error.data as { reason?: string } | undefined)?.reason === reason;

type Consent = z.output<typeof SetupConsent>;

interface ConsentProps {
  /** What was entered before, for whoever has come back. */
  known: NonNullable<Me['user']>['consent'];
  onSaved: Saved;
  onTooYoung: () => void;
}

/** What is typed and ticked; a date of birth that the server is unsure of waits in `entered`. */
function useConsent(known: ConsentProps['known'], onSaved: Saved) {
  const [entered, setEntered] = useState<Consent>();
  const [isUnsure, setUnsure] = useState(false);
  const form = useForm({
    shape: SetupConsent,
    initial: {
      birthDate: known?.birthDate ?? '',
      acceptsTerms: true,
      acceptsContentPolicy: known !== null,
      wantsNews: known?.wantsNews ?? false,
    },
    send: async (input) => {
      try {
        await accounts.setUpConsent.call(input);
      } catch (error) {
        if (!isBecause(error, 'UNSURE_BIRTH_DATE')) throw error;
        setEntered(input);
        return setUnsure(true);
      }
      await onSaved();
    },
  });
  return { form, entered, isUnsure, setUnsure };
}

/** Third: date of birth and what must be agreed to. */
export function ConsentStep({ known, onSaved, onTooYoung }: ConsentProps) {
  const { form, entered, isUnsure, setUnsure } = useConsent(known, onSaved);
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <Field
        label="Date of birth"
        type="date"
        autoComplete="bday"
        min="1900-01-01"
        hint="Never shown to anyone. You must be 18 or older."
        {...form.text('birthDate')}
      />
      <div className="grid gap-1">
        <Checkbox
          label={
            <>
              I agree to the <LegalLink text="content">content policy</LegalLink>: I am the only person shown, or I have
              the written consent of everyone shown
            </>
          }
          {...form.box('acceptsContentPolicy')}
        />
        <Checkbox label="Send me occasional news" hint="You can change this at any time." {...form.box('wantsNews')} />
      </div>
      {/* The box of the sign-up stands for whoever typed the address; here it is known whose it is, and written down. */}
      <p className="text-13 text-quiet">
        By continuing you confirm the <LegalLink text="terms">terms of use</LegalLink> you agreed to when you signed up.
      </p>
      <LegalLinks texts={['privacy']} />
      <FormFault>{form.faults['']}</FormFault>
      <Button type="submit" size="large" busy={form.isBusy}>
        Next
      </Button>
      {entered && (
        <UnsureBirthDate
          entered={entered}
          isOpen={isUnsure}
          onClose={() => setUnsure(false)}
          onSaved={onSaved}
          onTooYoung={onTooYoung}
        />
      )}
    </form>
  );
}

interface UnsureProps {
  entered: Consent;
  isOpen: boolean;
  onClose: () => void;
  onSaved: Saved;
  onTooYoung: () => void;
}

/** A mistyped year must not close an account: whoever entered one under 18 is asked once more. */
function UnsureBirthDate({ entered, isOpen, onClose, onSaved, onTooYoung }: UnsureProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const confirm = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      await accounts.setUpConsent.call({ ...entered, isBirthDateSure: true });
      await onSaved();
    } catch (error) {
      if (isBecause(error, 'UNDER_AGE')) return onTooYoung();
      setFault(Object.values(faultsOf(error))[0]);
    } finally {
      setBusy(false);
    }
  };
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' });
  return (
    <ConfirmDialog
      open={isOpen}
      onClose={onClose}
      title={`You entered ${entered.birthDate.slice(0, 4)} – is that right?`}
      description={`Your date of birth: ${day.format(new Date(entered.birthDate))}. If it's a typo, cancel and correct it.`}
      confirm="Yes, that's right"
      busy={isBusy}
      onConfirm={() => void confirm()}
    >
      <FormFault>{fault}</FormFault>
    </ConfirmDialog>
  );
}
