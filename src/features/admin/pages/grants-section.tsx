import { useQueryClient } from '@tanstack/react-query';
import { Coins, Gift } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { useNow } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { faultsOf } from '#ui/forms/use-form.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { useWrite } from '#wire/use-write.tsx';
import { adminUsers } from '../admin-calls.tsx';
import type { AccountCard, grants } from '../contract.ts';
import { CreditsDialog, FreeAccessDialog } from './grant-dialogs.tsx';

type Grant = (typeof grants)[number];

const grantWords: Readonly<Record<Grant, { name: string; about: string }>> = {
  free: { name: 'Free access', about: 'Everything that the plan gives, without paying.' },
  suite: { name: 'The suite', about: 'Credits every month.' },
  beta: { name: 'What is new', about: 'What others get later.' },
};

/** What the account was given free of charge, and how that begins and ends. */
export function GrantsSection({ account }: { account: AccountCard }) {
  const queries = useQueryClient();
  const now = useNow();
  const [asked, setAsked] = useState<{ what: Grant; isEnd: boolean } | 'credits'>();
  const { id: userId, plan, entitlements, credits } = account;
  const has: Readonly<Record<Grant, boolean>> = { free: plan.isFree, ...entitlements };
  const finish = (title: string) => {
    toast.success({ title });
    setAsked(undefined);
    return queries.invalidateQueries({ queryKey: adminUsers.key() });
  };
  const change = useWrite(
    adminUsers.grantAccess.mutationOptions({
      onSuccess: (_, { isEnd }) => finish(isEnd ? 'It has ended' : 'They have it, and an email says so'),
      onError: (error) => toast.error({ title: "Couldn't do it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  const until = plan.freeUntil === null ? 'For good' : `Until ${formatMoment(plan.freeUntil, now)}`;
  const isDialog = asked !== undefined && asked !== 'credits' && (asked.isEnd || asked.what !== 'free');
  return (
    <section>
      <SectionHeader title="Given free of charge" />
      <List label="Given free of charge">
        {(Object.keys(grantWords) as Grant[]).map((what) => (
          <li key={what}>
            <Row
              title={grantWords[what].name}
              quiet={has[what] ? (what === 'free' ? until : 'They have it') : grantWords[what].about}
              end={
                <Button variant="bare" icon={Gift} onClick={() => setAsked({ what, isEnd: has[what] })}>
                  {has[what] ? 'End' : 'Give'}
                </Button>
              }
            />
          </li>
        ))}
        <li>
          <Row
            title="Credits"
            quiet={`They have ${formatCount(credits, 'credit')}`}
            end={
              <Button variant="bare" icon={Coins} onClick={() => setAsked('credits')}>
                Give
              </Button>
            }
          />
        </li>
      </List>
      {asked === 'credits' && (
        <CreditsDialog
          userId={userId}
          onClose={() => setAsked(undefined)}
          onDone={() => finish('They have their credits')}
        />
      )}
      {asked !== undefined && asked !== 'credits' && !isDialog && (
        <FreeAccessDialog
          userId={userId}
          onClose={() => setAsked(undefined)}
          onDone={() => finish('They have it, and an email says so')}
        />
      )}
      {asked !== undefined && asked !== 'credits' && isDialog && (
        <ConfirmDialog
          open
          danger={asked.isEnd}
          title={
            asked.isEnd ? `End this: ${grantWords[asked.what].name}?` : `Give them: ${grantWords[asked.what].name}?`
          }
          description={
            asked.isEnd ? 'It ends at once. No email is sent.' : 'They have it at once, and an email says so.'
          }
          confirm={asked.isEnd ? 'End it' : 'Give'}
          busy={change.isPending}
          onClose={() => setAsked(undefined)}
          onConfirm={() => change.mutate({ userId, days: null, ...asked })}
        />
      )}
    </section>
  );
}
