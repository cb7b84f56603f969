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

type AskedFor = { what: Grant; isEnd: boolean } | 'credits';

/** What the account was given free of charge, and how that begins and ends. */
export function GrantsSection({ account }: { account: AccountCard }) {
  const now = useNow();
  const [asked, setAsked] = useState<AskedFor>();
  const { id: userId, plan, entitlements, credits } = account;
  const has: Readonly<Record<Grant, boolean>> = { free: plan.isFree, ...entitlements };
  const until = plan.freeUntil === null ? 'For good' : `Until ${formatMoment(plan.freeUntil, now)}`;
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
      {asked !== undefined && <Asked userId={userId} asked={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

/** The question before something is given or ended. */
function Asked({ userId, asked, onClose }: { userId: string; asked: AskedFor; onClose: () => void }) {
  const queries = useQueryClient();
  const finish = (title: string) => {
    toast.success({ title });
    onClose();
    return queries.invalidateQueries({ queryKey: adminUsers.key() });
  };
  const given = 'They have it, and an email says so';
  const change = useWrite(
    adminUsers.grantAccess.mutationOptions({
      onSuccess: (_, { isEnd }) => finish(isEnd ? 'It has ended' : given),
      onError: (error) => toast.error({ title: "Couldn't do it", message: Object.values(faultsOf(error))[0] }),
    }),
  );
  if (asked === 'credits')
    return <CreditsDialog userId={userId} onClose={onClose} onDone={() => finish('They have their credits')} />;
  const { what, isEnd } = asked;
  if (what === 'free' && !isEnd)
    return <FreeAccessDialog userId={userId} onClose={onClose} onDone={() => finish(given)} />;
  const { name } = grantWords[what];
  return (
    <ConfirmDialog
      open
      danger={isEnd}
      title={isEnd ? `End this: ${name}?` : `Give them: ${name}?`}
      description={isEnd ? 'It ends at once. No email is sent.' : 'They have it at once, and an email says so.'}
      confirm={isEnd ? 'End it' : 'Give'}
      busy={change.isPending}
      onClose={onClose}
      onConfirm={() => change.mutate({ userId, days: null, what, isEnd })}
    />
  );
}
