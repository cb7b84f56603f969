import { useQueryClient } from '@tanstack/react-query';
import { AtSign, Ban, KeyRound, LogOut, MailPlus, RefreshCw, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import * as z from 'zod';
import { formatDay } from '#features/plans/plan-words.ts';
import { describeRecomputed } from '#features/plans/recomputed-words.ts';
import { proseText } from '#kit/bounded-text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import type { AdminScope } from '#wire/promise.ts';
import { useWrite } from '#wire/use-write.tsx';
import { adminMails, adminUsers } from '../admin-calls.tsx';
import type { AccountCard } from '../contract.ts';
import { ChangeEmailDialog } from './change-email-dialog.tsx';
import { ReasonDialog } from './reason-dialog.tsx';

type Asked = 'changeEmail' | 'signOut' | 'suspend' | 'unsuspend' | 'removeSecondFactor';

const purposeWords = { confirm: 'confirm their address', password: 'set a new password' } as const;

interface AccountActionsProps {
  account: AccountCard;
  scopes: readonly AdminScope[];
  isOwn: boolean;
}

/** What can be done for an account or against it, as far as the administrator's scopes reach. */
export function AccountActions({ account, scopes, isOwn }: AccountActionsProps) {
  const [asked, setAsked] = useState<Asked>();
  const may = (scope: AdminScope) => scopes.includes('owner') || scopes.includes(scope);
  const { status, waitingFor, twoFactor } = account;
  const isOpen = ['pending', 'active', 'limited'].includes(status);
  const canSuspend = may('moderation') && isOpen;
  if (isOwn) return <p className="text-quiet">This is your own account. Your settings are on your profile.</p>;
  return (
    <section>
      <SectionHeader title="Help them" />
      {may('support') && waitingFor !== null && <WaitingForCode userId={account.id} waitingFor={waitingFor} />}
      <div className="flex flex-wrap gap-3">
        {may('support') && (
          <Button variant="outline" icon={LogOut} onClick={() => setAsked('signOut')}>
            Sign out everywhere
          </Button>
        )}
        {(may('support') || may('finance')) && account.plan.status !== null && <RecomputePlan userId={account.id} />}
        {may('owner') && isOpen && (
          <Button variant="outline" icon={AtSign} onClick={() => setAsked('changeEmail')}>
            Change email address
          </Button>
        )}
        {may('owner') && twoFactor !== 'none' && (
          <Button variant="outline" icon={KeyRound} onClick={() => setAsked('removeSecondFactor')}>
            Remove second factor
          </Button>
        )}
        {canSuspend && (
          <Button variant="outline" icon={Ban} onClick={() => setAsked('suspend')}>
            Suspend
          </Button>
        )}
        {may('moderation') && status === 'suspended' && (
          <Button variant="outline" icon={RotateCcw} onClick={() => setAsked('unsuspend')}>
            End suspension
          </Button>
        )}
      </div>
      {asked !== undefined && <AskedDialog asked={asked} account={account} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

function WaitingForCode({
  userId,
  waitingFor,
}: {
  userId: string;
  waitingFor: NonNullable<AccountCard['waitingFor']>;
}) {
  const queries = useQueryClient();
  const send = useWrite(
    adminUsers.mailCode.mutationOptions({
      onSuccess: () => {
        toast.success({
          title: 'A new code is on its way',
          message: 'It works in the browser where they asked for it.',
        });
        return queries.invalidateQueries({ queryKey: adminMails.key() });
      },
      onError: (error) => toast.error({ title: "Couldn't send it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <div className="mb-4 grid justify-items-start gap-3">
      <p>
        <span>{`They asked for a code to ${purposeWords[waitingFor.purpose]} `}</span>
        <RelativeTime at={waitingFor.at} />.
      </p>
      <Button icon={MailPlus} busy={send.isPending} onClick={() => send.mutate({ userId })}>
        Send a new code
      </Button>
    </div>
  );
}

function RecomputePlan({ userId }: { userId: string }) {
  const queries = useQueryClient();
  const recompute = useWrite(
    adminUsers.recomputePlan.mutationOptions({
      onSuccess: (answer) => {
        toast.success({ title: 'The payment provider has answered', message: describeRecomputed(answer, formatDay) });
        return queries.invalidateQueries({ queryKey: adminUsers.key() });
      },
      onError: (error) => toast.error({ title: "Couldn't ask it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  return (
    <Button variant="outline" icon={RefreshCw} busy={recompute.isPending} onClick={() => recompute.mutate({ userId })}>
      Recompute from provider
    </Button>
  );
}

const questions = {
  signOut: {
    title: 'Sign them out everywhere?',
    description: 'Every device has to sign in again.',
    confirm: 'Sign out',
    done: 'Signed out everywhere',
  },
  unsuspend: {
    title: 'End the suspension?',
    description: 'Their account and links work again. They get an email.',
    confirm: 'End suspension',
    done: 'The account works again',
  },
  removeSecondFactor: {
    title: 'Remove their second factor?',
    description: 'Make sure that it is the owner who asks. They are signed out everywhere and get an email.',
    confirm: 'Remove second factor',
    done: 'The second factor is gone',
  },
} as const;

function AskedDialog({ asked, account, onClose }: { asked: Asked; account: AccountCard; onClose: () => void }) {
  const queries = useQueryClient();
  const { id: userId } = account;
  const finish = (title: string) => {
    toast.success({ title });
    onClose();
    return queries.invalidateQueries({ queryKey: adminUsers.key() });
  };
  const act = useWrite({
    mutationFn: async (what: Exclude<Asked, 'suspend' | 'changeEmail'>) => {
      await adminUsers[what].call({ userId });
      return what;
    },
    onSuccess: (what) => finish(questions[what].done),
    onError: (error) => toast.error({ title: "Couldn't do it", message: Object.values(faultsOf(error))[0] }),
  });
  if (asked === 'changeEmail')
    return (
      <ChangeEmailDialog
        userId={userId}
        onClose={onClose}
        onDone={() => finish('A link is on its way to the new address')}
      />
    );
  if (asked === 'suspend')
    return (
      <ReasonDialog
        title="Suspend this account?"
        description="Nobody can open its links, subscriptions to it end, and what was paid for the time that is left goes back."
        label="Why"
        hint="The owner of the account gets it by email."
        confirm="Suspend"
        shape={z.object({ reason: proseText(500, 'Use at most 500 characters').min(1, 'Say why') })}
        onClose={onClose}
        onConfirm={async (reason) => {
          await adminUsers.suspend.call({ userId, reason });
          await finish('The account is suspended');
        }}
      />
    );
  const { title, description, confirm } = questions[asked];
  return (
    <ConfirmDialog
      open
      danger={asked !== 'unsuspend'}
      title={title}
      description={description}
      confirm={confirm}
      busy={act.isPending}
      onClose={onClose}
      onConfirm={() => act.mutate(asked)}
    />
  );
}
