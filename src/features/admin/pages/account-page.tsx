import { useQuery } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { nameCountry } from '#kit/country-names.ts';
import { formatBytes, formatCount, formatMoney, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { adminUsers } from '../admin-calls.tsx';
import { accountStates, hasOneOf } from '../admin-words.ts';
import type { AccountCard } from '../contract.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountMoneySection } from './account-money.tsx';
import { AccountNotes } from './account-notes.tsx';
import { AccountReports } from './account-reports.tsx';
import { type Fact, FactsList } from './facts-list.tsx';
import { GrantsSection } from './grants-section.tsx';
import { MailsTo } from './mails-to.tsx';

export const meta = () => [{ title: 'Account · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One account: its standing, what was mailed to it, where it is signed in, and what can be done. */
export default function AccountPage() {
  const { userId = '' } = useParams();
  const query = useQuery(adminUsers.show.queryOptions({ input: { userId } }));
  return (
    <Loaded query={query} label="Loading the account">
      {(account) => <Account account={account} />}
    </Loaded>
  );
}

function Account({ account }: { account: AccountCard }) {
  const { displayName, email, handle, status, sessions } = account;
  const { me } = useMe();
  const isOwner = me?.adminScopes.includes('owner') === true;
  const canSeeEmails = me?.adminScopes.some((scope) => scope === 'support' || scope === 'owner') === true;
  const { word, tone } = accountStates[status] ?? { word: status, tone: 'plain' as const };
  return (
    <>
      <PageHeader
        title={displayName === '' ? email : displayName}
        back={{ to: '/admin/users', label: 'People' }}
        facts={`${isolate(email)}${handle === null ? '' : ` · @${handle}`}`}
        actions={<Chip tone={tone}>{word}</Chip>}
      />
      <div className="grid max-w-190 gap-8">
        <Facts account={account} />
        <AccountActions account={account} scopes={me?.adminScopes ?? []} isOwn={me?.user?.id === account.id} />
        {isOwner && me?.user?.id !== account.id && <GrantsSection account={account} />}
        {me?.user?.id !== account.id && <AccountNotes account={account} />}
        <AccountReports account={account} canOpen={hasOneOf(me?.adminScopes ?? [], 'moderation')} />
        {account.money !== null && <AccountMoneySection userId={account.id} money={account.money} />}
        {canSeeEmails && (
          <section>
            <SectionHeader title="Emails" />
            <MailsTo address={email} />
          </section>
        )}
        <section>
          <SectionHeader title="Where they are signed in" />
          {sessions.length === 0 ? (
            <p className="text-quiet">Nowhere.</p>
          ) : (
            <List label="Sessions">
              {sessions.map(({ id, device, country, lastUsedAt }) => (
                <li key={id}>
                  <Row
                    title={device}
                    start={<MonitorSmartphone className="size-5 flex-none text-quiet" />}
                    quiet={
                      <>
                        <span>{`${country === null ? 'Location unknown' : nameCountry(country)} · last used: `}</span>
                        <RelativeTime at={lastUsedAt} />
                      </>
                    }
                  />
                </li>
              ))}
            </List>
          )}
        </section>
      </div>
    </>
  );
}

function Facts({ account }: { account: AccountCard }) {
  const now = useNow();
  const { counts, storage, plan, twoFactor, adminScopes, country } = account;
  const facts: Fact[] = [
    ['Plan', describePlan(plan, now)],
    ['Joined', formatMoment(account.createdAt, now)],
    ['Last sign-in', account.lastLoginAt === null ? 'Never' : formatMoment(account.lastLoginAt, now)],
    ['Address', account.isConfirmed ? 'Confirmed' : 'Not confirmed yet'],
    ...(account.setupStep === 'done' ? [] : [['Setup', `Stopped at: ${account.setupStep.replace('_', ' ')}`] as Fact]),
    ...(country === null ? [] : [['Country', nameCountry(country)] as Fact]),
    ['Second factor', { none: 'None', totp: 'Authenticator app', passkey: 'Passkey' }[twoFactor] ?? twoFactor],
    ...(adminScopes.length === 0 ? [] : [['Administrator', adminScopes.join(', ')] as Fact]),
    ['Storage', `${formatBytes(storage.usedBytes)} of ${formatBytes(storage.limitBytes)}`],
    [
      'Content',
      `${formatCount(counts.albums, 'album')}, ${formatCount(counts.media, 'photo or video', 'photos and videos')}, ${formatCount(counts.links, 'link')}`,
    ],
    ...(account.salesCents === null ? [] : [['Sales', formatMoney(account.salesCents)] as Fact]),
    ...(counts.failedMedia === 0 ? [] : [['Failed uploads', String(counts.failedMedia)] as Fact]),
    ...(counts.openReports === 0 ? [] : [['Open reports', String(counts.openReports)] as Fact]),
    ...(counts.supportRequests === 0
      ? []
      : [['Wrote to support', formatCount(counts.supportRequests, 'time')] as Fact]),
    ...(account.eraseAt === null ? [] : [['Erased on', formatMoment(account.eraseAt, now)] as Fact]),
  ];
  return <FactsList facts={facts} />;
}

function describePlan({ status, trialEndsAt, isFree, freeUntil, isPaused }: AccountCard['plan'], now: Date): string {
  if (isFree) return freeUntil === null ? 'Free for good' : `Free until ${formatMoment(freeUntil, now)}`;
  if (isPaused) return 'Paused';
  if (status === 'trialing' && trialEndsAt !== null)
    return trialEndsAt <= now
      ? `Trial ended ${formatMoment(trialEndsAt, now)}`
      : `In trial until ${formatMoment(trialEndsAt, now)}`;
  return status === null
    ? 'None'
    : ({ active: 'Paid', past_due: 'Payment is late', inactive: 'Ended' }[status] ?? status);
}
