import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { PendingApproval } from '#features/access/pending-approval.tsx';
import type { Me } from '#features/accounts/contract.ts';
import { useMe, useSignOut } from '#features/accounts/guard.tsx';
import { HomeScreenOffer } from '#features/accounts/home-screen-offer.tsx';
import { describeNoAccess } from '#features/accounts/plan-end.ts';
import { CreditsCard } from '#features/credits/credits-card.tsx';
import { CreditsPopover } from '#features/credits/credits-popover.tsx';
import { LookingNow } from '#features/insights/looking-now.tsx';
import { SecurityEvents } from '#features/security/security-events.tsx';
import { isolate } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { Chip } from '#ui/chip.tsx';
import { useNow } from '#ui/clock.ts';
import { cx } from '#ui/cx.ts';
import { Skeleton } from '#ui/feedback/skeleton.tsx';
import { Card } from '#ui/layout/card.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { callsOf } from '#wire/client.ts';
import { useLive } from '#wire/use-live.tsx';
import { AccountMenu } from './account-menu.tsx';
import { dashboardContract } from './contract.ts';
import { GetPaid } from './get-paid.tsx';
import { GettingStarted } from './getting-started.tsx';
import { LatestAlbums } from './latest-albums.tsx';
import { LatestLinks } from './latest-links.tsx';
import { describePlan, greet, hasFailedCard } from './rules.ts';
import { useFirstAnswers } from './use-first-answers.tsx';
import { WeekCard } from './week-card.tsx';

const dashboard = callsOf('dashboard', dashboardContract);

/** The home page of a signed-in creator: current activity first, then links and albums, then the rest. */
export function Dashboard({ me }: { me: Me }) {
  const { isChecking } = useMe();
  const now = useNow();
  const { displayName = '', timeZone = 'UTC' } = me.user ?? {};
  return (
    <>
      <PageHeader
        title={`${greet(now, timeZone)}, ${isolate(displayName)}`}
        actions={
          me.hasAccess && (
            <>
              {!me.entitlements.suiteUser && <CreditsPopover />}
              <AccountMenu me={me} />
            </>
          )
        }
      />
      {hasFailedCard(me) && <PaymentFailedNotice />}
      {me.hasAccess && <DashboardSections me={me} />}
      {!me.hasAccess && (isChecking ? <DashboardSkeleton /> : <NoAccessNotice me={me} />)}
    </>
  );
}

function DashboardSections({ me }: { me: Me }) {
  useLive(['album.', 'media.', 'link.', 'visit.opened', 'visit.moved'], [dashboard.progress.key()]);
  const { data: progress } = useQuery(dashboard.progress.queryOptions());
  const isLoaded = useFirstAnswers();
  return (
    <>
      {!isLoaded && <DashboardSkeleton />}
      <div className={cx('gap-8 md:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)] md:gap-7', isLoaded ? 'grid' : 'hidden')}>
        <Column>
          <LookingNow />
          <PendingApproval />
          {progress && <GettingStarted progress={progress} />}
          <HomeScreenOffer isDue={me.user?.isHomeScreenDue === true} />
          <LatestLinks />
          <WeekCard />
          <SecurityEvents />
        </Column>
        <Column>
          <LatestAlbums />
          <GetPaid />
          {me.entitlements.suiteUser && <CreditsCard />}
          <PlanCard me={me} />
        </Column>
      </div>
    </>
  );
}

const Column = ({ children }: { children: ReactNode }) => (
  <div className="grid min-w-0 content-start gap-7">{children}</div>
);

function PlanCard({ me }: { me: Me }) {
  const { title, text, tone } = describePlan(me);
  return (
    <Card className="grid gap-2" aria-label="Your plan">
      <span>
        <Chip tone={tone}>{title}</Chip>
      </span>
      <p className="text-13 text-quiet">{text}</p>
      <ButtonLink to="/subscription" variant="bare" className="-ml-2.5 justify-self-start">
        Manage
      </ButtonLink>
    </Card>
  );
}

/** Warns that a payment failed; access continues while the payment is retried. */
function PaymentFailedNotice() {
  return (
    <Card tone="rust" role="alert" className="mb-7 grid justify-items-start gap-3">
      <h2 className="text-21 text-rust">This month isn't paid yet</h2>
      <p>Everything keeps working for now. Billing says why, what happens next and until when.</p>
      <ButtonLink to="/account/billing">Go to billing</ButtonLink>
    </Card>
  );
}

/** Replaces the dashboard of a creator without access: explains why, and links to plans, billing and payouts. */
function NoAccessNotice({ me }: { me: Me }) {
  const signOut = useSignOut();
  const { title, text } = describeNoAccess(me);
  return (
    <Card tone="rust" role="alert" className="grid justify-items-start gap-3">
      <h2 className="text-21 text-rust">{title}</h2>
      <p>{text}</p>
      <p className="flex flex-wrap gap-3">
        {!me.isStopped && me.plan.isSold && (
          <>
            {!me.planIsPaused && <ButtonLink to="/pricing">Choose plan</ButtonLink>}
            <ButtonLink to="/account/billing" variant={me.planIsPaused ? 'primary' : 'outline'}>
              {me.planIsPaused ? 'Resume plan' : 'Billing'}
            </ButtonLink>
          </>
        )}
        {!me.isStopped && (
          <ButtonLink to="/account/payouts" variant="outline">
            Payouts
          </ButtonLink>
        )}
        <Button variant="outline" icon={LogOut} onClick={() => signOut()}>
          Sign out
        </Button>
        {(me.isStopped || !me.plan.isSold) && (
          <ButtonLink to="/pricing" variant="bare">
            About the plan
          </ButtonLink>
        )}
        <ButtonLink to="/help" variant="bare">
          Help
        </ButtonLink>
        <ButtonLink to="/contact" variant="bare">
          Support
        </ButtonLink>
      </p>
    </Card>
  );
}

function DashboardSkeleton() {
  return (
    <div className="grid gap-4" aria-busy="true">
      <Skeleton className="h-36 w-full rounded-card" />
      <Skeleton className="h-64 w-full rounded-card" />
    </div>
  );
}
