import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import type { PartnerCard } from '#features/affiliates/desk-contract.ts';
import { formatCount, formatMoney, isolate } from '#kit/text.ts';
import { formatMoment } from '#kit/time.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { Loaded } from '#ui/feedback/loaded.tsx';
import { Card } from '#ui/layout/card.tsx';
import { List, Row } from '#ui/layout/list.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import { adminAffiliates } from '../admin-calls.tsx';
import { hasOneOf } from '../admin-words.ts';
import { partnerWords, voidWords } from '../partner-words.ts';
import { type Fact, FactsList } from './facts-list.tsx';
import { PartnerActions } from './partner-actions.tsx';
import { RestoreReferral } from './restore-referral.tsx';
import { VoidDialog } from './void-dialog.tsx';

export const meta = () => [{ title: 'Partner · Admin · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One partner: what they wrote, what came of their code, and what can be decided. */
export default function PartnerPage() {
  const { affiliateId = '' } = useParams();
  const query = useQuery(adminAffiliates.show.queryOptions({ input: { affiliateId } }));
  return (
    <Loaded query={query} label="Loading the partner">
      {(partner) => <Partner key={partner.id} partner={partner} />}
    </Loaded>
  );
}

function Partner({ partner }: { partner: PartnerCard }) {
  const { name, email, state, audience, userId, hints } = partner;
  const { word, tone } = partnerWords[state];
  const { me } = useMe();
  const scopes = me?.adminScopes ?? [];
  const canDecide = hasOneOf(scopes, 'owner');
  const canSeeAccounts = hasOneOf(scopes, 'support', 'moderation');
  return (
    <>
      <PageHeader
        title={isolate(name)}
        back={{ to: '/admin/affiliates', label: 'Partners' }}
        facts={isolate(email)}
        actions={<Chip tone={tone}>{word}</Chip>}
      />
      <div className="grid max-w-190 gap-8">
        <Card className="grid gap-3">
          <p className="whitespace-pre-line wrap-anywhere">{isolate(audience)}</p>
          {userId !== null && canSeeAccounts && (
            <Link
              to={`/admin/users/${userId}`}
              className="inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline"
            >
              Their account
            </Link>
          )}
        </Card>
        {hints.length > 0 && (
          <section aria-label="Look at this">
            <SectionHeader title="Look at this before you pay" />
            <ul className="grid gap-1.5">
              {hints.map((hint) => (
                <li key={hint} className="text-rust">
                  {hint}
                </li>
              ))}
            </ul>
          </section>
        )}
        <Facts partner={partner} />
        {canDecide && <PartnerActions partner={partner} />}
        <Referrals referrals={partner.referrals} canDecide={canDecide} canSeeAccounts={canSeeAccounts} />
      </div>
    </>
  );
}

function Facts({ partner }: { partner: PartnerCard }) {
  const now = useNow();
  const { code, sharePercent, note, decidedAt, isClaimed } = partner;
  const facts: Fact[] = [
    ['Applied', formatMoment(partner.createdAt, now)],
    ...(decidedAt === null ? [] : [['Decided', formatMoment(decidedAt, now)] as Fact]),
    ...(note === '' ? [] : [['Reason', note] as Fact]),
    ...(code === null ? [] : [['Code', `${code}${isClaimed ? '' : ', not taken up yet'}`] as Fact]),
    ...(sharePercent === null ? [] : [['Share', `${sharePercent}%`] as Fact]),
    ['Clicks', `About ${partner.clicks}: one for each browser`],
    ['Sign-ups', `${partner.signUps}, of which ${partner.active} pay; ${partner.voided} void`],
    ['Earned', formatMoney(partner.earnedCents)],
    ['Waiting', formatMoney(partner.pendingCents)],
    ['To be paid', formatMoney(partner.payableCents)],
    ['Paid', formatMoney(partner.paidCents)],
    ...(partner.debtCents === 0 ? [] : [['Gone back', formatMoney(partner.debtCents)] as Fact]),
  ];
  return <FactsList facts={facts} />;
}

function describeVoid({
  voidReason,
  voidNote,
  isKept,
}: Pick<PartnerCard['referrals'][number], 'voidReason' | 'voidNote' | 'isKept'>): string | undefined {
  if (voidReason === null) return isKept ? 'Was void, and counts again: nothing makes it void by itself' : undefined;
  return [voidWords[voidReason], voidNote].filter(Boolean).join(': ');
}

interface ReferralsProps {
  referrals: PartnerCard['referrals'];
  canDecide: boolean;
  canSeeAccounts: boolean;
}

function Referrals({ referrals, canDecide, canSeeAccounts }: ReferralsProps) {
  const now = useNow();
  const [asked, setAsked] = useState<string>();
  return (
    <section>
      <SectionHeader title="Who came" />
      {referrals.length === 0 ? (
        <p className="text-quiet">Nobody yet.</p>
      ) : (
        <List label="Referrals">
          {referrals.map(({ id, userId, source, signedUpAt, voidReason, voidNote, isKept, earnedCents }) => (
            <li key={id}>
              <Row
                title={`Signed up ${formatMoment(signedUpAt, now)}`}
                to={userId === null || !canSeeAccounts ? undefined : `/admin/users/${userId}`}
                mark={voidReason === null ? undefined : <Chip tone="rust">Void</Chip>}
                quiet={`${source === 'code' ? 'By a typed code' : 'By the link'} · ${formatMoney(earnedCents)} earned`}
                story={describeVoid({ voidReason, voidNote, isKept })}
                end={
                  canDecide &&
                  (voidReason === null ? (
                    <Button variant="bare" onClick={() => setAsked(id)}>
                      Void
                    </Button>
                  ) : (
                    <RestoreReferral referralId={id} />
                  ))
                }
              />
            </li>
          ))}
        </List>
      )}
      {referrals.length === 200 && (
        <p className="mt-3 text-13 text-quiet">{`The newest ${formatCount(200, 'sign-up')}.`}</p>
      )}
      {asked !== undefined && <VoidDialog referralId={asked} onClose={() => setAsked(undefined)} />}
    </section>
  );
}
