import { Check, LogOut } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import type { Me } from '#features/accounts/contract.ts';
import { useMe, useSignOut } from '#features/accounts/guard.tsx';
import { CreditsShop } from '#features/credits/credits-shop.tsx';
import { packs } from '#features/credits/rules.ts';
import { usePlanCheckout } from '#features/plans/use-plan-checkout.tsx';
import { describePrice, type Plan } from '#features/settings/plan-words.ts';
import type { Elements } from '#kit/elements.ts';
import { formatPrice } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';
import type { Facts } from './contract.ts';
import { useFacts } from './facts-context.tsx';
import { Questions } from './site/questions.tsx';
import { SampleNote } from './site/sample-note.tsx';
import { SiteFrame } from './site/site-frame.tsx';
import { SitePart } from './site/site-part.tsx';
import { legalPages, metaOf } from './site-pages.ts';
import { describeCredits, facePlan, listDetails, listFeatures, listPayers } from './words/pricing-words.ts';

export const meta = () => metaOf('/pricing');

/** What it costs, and what that means for whoever looks. Who is signed in has a tab for credits. */
export default function PricingPage() {
  const { me } = useMe();
  const facts = useFacts();
  const [search] = useSearchParams();
  const { plan, limits } = facts;
  if (me?.user && search.get('tab') === 'credits') return <CreditsTab me={me} />;
  return (
    <SiteFrame ways={me?.user && <SignedInWays me={me} />}>
      <section className="mx-auto max-w-290 px-5 pt-9 pb-4 md:pt-14">
        {me?.user && <PricingTabs on="plan" />}
        <h1 className="text-38 text-balance md:text-56">One plan, everything in it</h1>
        <div className="mt-7 grid gap-5 md:mt-10 md:grid-cols-[1.2fr_1fr]">
          <PlanCard facts={facts} />
          <PlanStatus me={me} plan={plan} sellsPlans={facts.sellsPlans} />
        </div>
      </section>
      <Payers facts={facts} />
      <Details facts={facts} />
      <CreditsPart credits={facts.credits} />
      <Questions plan={plan} limits={limits} sellsPlans={facts.sellsPlans} />
    </SiteFrame>
  );
}

function CreditsTab({ me }: { me: Me }) {
  return (
    <SiteFrame ways={<SignedInWays me={me} />}>
      <section className="mx-auto max-w-290 px-5 pt-9 pb-14 md:pt-14">
        <PricingTabs on="credits" />
        <h1 className="mb-7 text-38 text-balance md:text-56">Credits</h1>
        <CreditsShop me={me} />
      </section>
    </SiteFrame>
  );
}

const tabs = [
  { name: 'plan', to: '/pricing', label: 'Plan' },
  { name: 'credits', to: '/pricing?tab=credits', label: 'Credits' },
] as const;

function PricingTabs({ on }: { on: (typeof tabs)[number]['name'] }) {
  return (
    <nav aria-label="Pricing" className="mb-7 flex gap-5.5 border-b border-line">
      {tabs.map(({ name, to, label }) => (
        <Link
          key={name}
          to={to}
          aria-current={name === on ? 'page' : undefined}
          className="touch-44 flex min-h-12 items-center border-b-2 border-transparent font-medium text-quiet -outline-offset-2 transition hover:text-ink aria-[current]:border-plum aria-[current]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** What credits are, for whoever reads about the plan. */
function CreditsPart({ credits }: Pick<Facts, 'credits'>) {
  const packWords = packs.map(({ credits: size, cents }) => `${size} for ${formatPrice(cents)}`).join(' · ');
  return (
    <SitePart id="credits" title="Credits, for what goes beyond" lead={describeCredits(credits)}>
      <p className="max-w-180 text-quiet">{`${packWords}. Credits that you buy never expire, and the unused part of a pack is refunded within 14 days.`}</p>
    </SitePart>
  );
}

function SignedInWays({ me }: { me: Me }) {
  if (me.hasAccess)
    return (
      <ButtonLink to="/" variant="bare">
        Your studio
      </ButtonLink>
    );
  if (me.plan.isSold && !me.isStopped && me.setupStep === 'done')
    return (
      <>
        <ButtonLink to="/account/billing" variant="bare">
          Billing
        </ButtonLink>
        <ButtonLink to="/account/payouts" variant="bare">
          Payouts
        </ButtonLink>
      </>
    );
  return <span className="max-w-48 truncate text-13 text-quiet md:max-w-none">{me.user?.email}</span>;
}

function PlanCard({ facts: { plan, limits } }: { facts: Facts }) {
  return (
    <Card aria-label="Creator Plan" className="p-6 md:p-8">
      <h2 className="text-21">Creator Plan</h2>
      <p className="mt-2 flex items-baseline gap-2">
        <span className="font-display text-56 font-title tabular-nums">{describePrice(plan)}</span>
        <span className="text-17 text-quiet">/ month</span>
      </p>
      <ul className="mt-6 grid gap-3 border-t border-line pt-6">
        {listFeatures(limits).map((feature) => (
          <li key={feature} className="flex gap-3">
            <Check className="mt-1 flex-none text-moss" />
            <span>{feature}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The terms beside the button, or how it stands with their own plan. */
function PlanStatus({ me, plan, sellsPlans }: { me: Me | undefined; plan: Plan; sellsPlans: boolean }) {
  const { title, lines, action } = facePlan(me, plan, sellsPlans);
  return (
    <section
      aria-label="Your terms"
      className={cx(
        'grid content-start gap-4 rounded-card bg-plum-wash p-6 md:p-8',
        // Who comes for their own plan reads on a phone about that first.
        me?.user && 'max-md:order-first',
      )}
    >
      <h2 className="text-28 text-balance">{title}</h2>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <div className="mt-2 grid justify-items-start gap-3">
        <Action action={action} />
      </div>
    </section>
  );
}

function Action({ action }: Pick<ReturnType<typeof facePlan>, 'action'>) {
  const signOut = useSignOut();
  if (action === 'start')
    return (
      <ButtonLink to="/auth?action=signup" size="large">
        Start Free Trial
      </ButtonLink>
    );
  if (action === 'finish')
    return (
      <ButtonLink to="/account/setup" size="large">
        Finish setting up
      </ButtonLink>
    );
  if (action === 'studio')
    return (
      <ButtonLink to="/" size="large">
        Open your studio
      </ButtonLink>
    );
  if (action === 'card')
    return (
      <>
        <ButtonLink to="/account/billing" size="large">
          Add a card
        </ButtonLink>
        <ButtonLink to="/" variant="bare">
          Open your studio
        </ButtonLink>
      </>
    );
  return (
    <>
      {action === 'choose' && <ChoosePlan />}
      {action === 'resume' && (
        <ButtonLink to="/account/billing" size="large">
          Resume plan
        </ButtonLink>
      )}
      <Button variant="outline" size="large" icon={LogOut} onClick={() => signOut()}>
        Sign out
      </Button>
      <nav aria-label="What you agreed to" className="flex flex-wrap gap-x-5">
        {legalPages.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className="inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline"
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}

/** Takes the plan where they stand. */
function ChoosePlan() {
  const { begin, isBusy, panel: drawn } = usePlanCheckout();
  const panel: Elements = drawn;
  return (
    <>
      <Button size="large" busy={isBusy} onClick={begin}>
        Choose plan
      </Button>
      {panel}
    </>
  );
}

function Payers({ facts }: { facts: Facts }) {
  return (
    <SitePart title="Who pays what">
      <dl className="grid gap-x-8 gap-y-7 md:grid-cols-3">
        {listPayers(facts.plan, facts).map(({ who, what }) => (
          <div key={who} className="border-t border-line pt-4">
            <dt className="font-display text-21 font-title">{who}</dt>
            <dd className="mt-1.5 text-quiet">{what}</dd>
          </div>
        ))}
      </dl>
    </SitePart>
  );
}

/** The small print, in a size that can be read. */
function Details({ facts }: { facts: Facts }) {
  const claims = facts.claims.filter(({ place }) => place === 'pricing');
  return (
    <SitePart title="Good to know" band="wash">
      <dl className="grid gap-x-12 gap-y-7 md:grid-cols-2">
        {listDetails(facts).map(({ what, how }) => (
          <div key={what} className="border-t border-edge/40 pt-4">
            <dt className="font-display text-21 font-title">{what}</dt>
            <dd className="mt-1.5 text-quiet">{how}</dd>
          </div>
        ))}
      </dl>
      {claims.length > 0 && (
        <ul className="mt-8 grid gap-2">
          {claims.map(({ text }) => (
            <li key={text} className="flex gap-3">
              <Check className="mt-0.5 flex-none text-moss" />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      )}
      {claims.some(({ isSample }) => isSample) && <SampleNote className="mt-4" />}
    </SitePart>
  );
}
