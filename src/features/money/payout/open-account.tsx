import { ORPCError } from '@orpc/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod';
import { EnterPasskey, SecondFactorField } from '#features/accounts/code-form.tsx';
import { SecondFactorCode } from '#features/accounts/contract.ts';
import { secondFactor } from '#features/accounts/guard.tsx';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { openConnected } from './use-connect.tsx';

const formId = 'payout-account';

/** The way to an account that was ever complete, by password and code: neither an open screen nor a password changes where money goes. */
export function OpenAccount({ onClose }: { onClose: () => void }) {
  const { data, isError, refetch } = useQuery(secondFactor.show.queryOptions({ staleTime: 0, gcTime: 0 }));
  if (data?.isOn === false && !data.hasPasskey) return <SetUpFirst onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Open your payout account"
      description="Your bank details are in there, so we ask who you are first. We'll also send you an email."
      actions={
        <>
          <Button type="submit" form={formId} disabled={data === undefined}>
            Open account
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {isError && <ErrorState onRetry={() => void refetch()} />}
      {data === undefined && !isError && <Skeleton className="h-20 w-full" />}
      {data !== undefined && (
        <OpenForm isCodeFresh={data.codeFreshUntil !== null} hasPasskey={data.hasPasskey} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** What whoever has no second factor is told: a password alone can be guessed or given away. */
function SetUpFirst({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Set up two-step sign-in first"
      description="Your bank details are in your payout account. To change them, you need a code from your phone as well as your password."
      actions={
        <>
          <ButtonLink to="/profile/security">Set it up</ButtonLink>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    />
  );
}

const password = z.string().min(1, 'Enter your password');

interface OpenFormProps {
  isCodeFresh: boolean;
  hasPasskey: boolean;
  onClose: () => void;
}

function OpenForm({ isCodeFresh, hasPasskey, onClose }: OpenFormProps) {
  const [isAsked, setAsked] = useState(!isCodeFresh);
  const form = useForm({
    shape: z.object({ password, code: isAsked ? SecondFactorCode : z.string() }),
    initial: { password: '', code: '' },
    send: async (input) => {
      const enter = async () => {
        await secondFactor.enter.call({ code: input.code });
        // A code is good once: after a wrong password it is not asked for again.
        setAsked(false);
      };
      await openConnected({ password: input.password }, isAsked ? enter : undefined);
      onClose();
    },
    onFault: (_faults, error) => {
      if (error instanceof ORPCError && error.code === 'CODE_REQUIRED') setAsked(true);
    },
  });
  return (
    <form id={formId} onSubmit={form.submit} noValidate className="grid gap-3">
      <PasswordField label="Your password" {...form.text('password')} />
      {isAsked && <SecondFactorField {...form.text('code')} />}
      {isAsked && hasPasskey && <EnterPasskey onDone={() => setAsked(false)} />}
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
    </form>
  );
}
