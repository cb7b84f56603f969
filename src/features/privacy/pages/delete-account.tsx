import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import * as z from 'zod';
import { SecondFactorField } from '#features/accounts/code-form.tsx';
import { SecondFactorCode } from '#features/accounts/contract.ts';
import { leave, secondFactor, useMe } from '#features/accounts/guard.tsx';
import { deletionGraceDays } from '#features/accounts/rules.ts';
import { formatDate } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { ErrorState } from '#ui/feedback/error-state.tsx';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Field } from '#ui/forms/field.tsx';
import { PasswordField } from '#ui/forms/password-field.tsx';
import { useForm } from '#ui/forms/use-form.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { DeletionEffects } from '../contract.ts';
import { describeEffects } from '../deletion-words.ts';
import { privacy } from '../privacy-calls.tsx';
import { deleteWord } from '../rules.ts';
import { useCode } from './use-code.tsx';

/** The way out, with what it does. */
export function DeleteAccount() {
  const [isOpen, setOpen] = useState(false);
  return (
    <section>
      <SectionHeader title="Delete your account" />
      <Card className="grid justify-items-start gap-4">
        <p className="text-quiet">
          {`Your links stop at once. For ${deletionGraceDays} days you can sign in and keep your account; then everything in it is erased for good.`}
        </p>
        <Button variant="quietDanger" icon={Trash2} onClick={() => setOpen(true)}>
          Delete account
        </Button>
        {isOpen && <DeleteDialog onClose={() => setOpen(false)} />}
      </Card>
    </section>
  );
}

const formId = 'delete-account';

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const effects = useQuery(privacy.showDeletion.queryOptions({ staleTime: 0, gcTime: 0 }));
  const factor = useQuery(secondFactor.show.queryOptions({ staleTime: 0, gcTime: 0 }));
  const isReady = effects.data !== undefined && factor.data !== undefined;
  const [isBusy, setBusy] = useState(false);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Delete your account?"
      actions={
        <>
          <Button type="submit" form={formId} variant="danger" disabled={!isReady} busy={isBusy}>
            Delete account
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    >
      {(effects.isError || factor.isError) && (
        <ErrorState onRetry={() => void Promise.all([effects.refetch(), factor.refetch()])} />
      )}
      {!isReady && !effects.isError && !factor.isError && <Skeleton className="h-40 w-full" />}
      {isReady && (
        <div className="grid gap-4">
          <Effects effects={effects.data} />
          <DeleteForm needsCode={factor.data.isOn && factor.data.codeFreshUntil === null} onBusy={setBusy} />
        </div>
      )}
    </Dialog>
  );
}

function Effects({ effects }: { effects: DeletionEffects }) {
  return (
    <ul className="grid list-disc gap-1.5 pl-5" aria-label="What happens">
      {describeEffects(effects).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

const Wanted = z.object({
  password: z.string().min(1, 'Enter your password'),
  confirmation: z.string().refine((typed) => typed.trim() === deleteWord, `Type ${deleteWord}, in capital letters`),
});

function DeleteForm({ needsCode, onBusy }: { needsCode: boolean; onBusy: (isBusy: boolean) => void }) {
  const { me } = useMe();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { isAsked, enter, onFault } = useCode(needsCode);
  const form = useForm({
    shape: Wanted.extend({ code: isAsked ? SecondFactorCode : z.string() }),
    initial: { password: '', code: '', confirmation: '' },
    send: async ({ password, code, confirmation }) => {
      onBusy(true);
      await enter(code);
      const { eraseAt } = await privacy.deleteAccount.call({ password, confirmation });
      await leave(queries, navigate);
      toast.success({
        title: `Your account will be erased on ${formatDate(eraseAt, new Date())}`,
        message: 'Sign in before then to keep it. We sent you an email.',
        goesAlong: true,
      });
    },
    onFault: (_faults, error) => {
      onBusy(false);
      onFault(error);
    },
  });
  return (
    <form id={formId} onSubmit={form.submit} noValidate className="grid gap-3">
      <input type="hidden" name="username" autoComplete="username" value={me?.user?.email ?? ''} readOnly />
      <PasswordField label="Your password" {...form.text('password')} />
      {isAsked && <SecondFactorField {...form.text('code')} />}
      <Field
        label={`Type ${deleteWord}`}
        autoComplete="off"
        autoCapitalize="characters"
        {...form.text('confirmation')}
      />
      <p role="alert" className="font-medium text-rust empty:hidden">
        {form.faults['']}
      </p>
    </form>
  );
}
