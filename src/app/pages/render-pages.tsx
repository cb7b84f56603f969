import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import NotFoundPage from '#app/pages/not-found-page.tsx';
import { PhoneBar } from '#app/pages/shell.tsx';
import { visitorTabs } from '#app/pages/tabs.ts';
import AboutPage from '#features/marketing/about-page.tsx';
import AlternativePage from '#features/marketing/alternative-page.tsx';
import ComparisonPage from '#features/marketing/comparison-page.tsx';
import { ConsentQuestion } from '#features/marketing/consent-question.tsx';
import ContentPolicyPage from '#features/marketing/content-policy-page.tsx';
import type { Facts } from '#features/marketing/contract.ts';
import DiagramPage from '#features/marketing/diagram-page.tsx';
import DmcaPage from '#features/marketing/dmca-page.tsx';
import { GivenFacts } from '#features/marketing/facts-context.tsx';
import { Landing } from '#features/marketing/landing.tsx';
import PricingPage from '#features/marketing/pricing-page.tsx';
import PrivacyPage from '#features/marketing/privacy-page.tsx';
import SafetyPage from '#features/marketing/safety-page.tsx';
import { missingPage } from '#features/marketing/site-pages.ts';
import TermsPage from '#features/marketing/terms-page.tsx';

const pages: Readonly<Record<string, ComponentType>> = {
  '/': Landing,
  '/pricing': PricingPage,
  '/about': AboutPage,
  '/creator-safety': SafetyPage,
  '/onlyfans-alternative': AlternativePage,
  '/comparison': ComparisonPage,
  '/diagram': DiagramPage,
  '/terms-of-use': TermsPage,
  '/acceptable-use': ContentPolicyPage,
  '/privacy-policy': PrivacyPage,
  '/dmca': DmcaPage,
  [missingPage]: NotFoundPage,
};

/**
 * The bodies of the public pages as a visitor sees them, by their addresses, and the question about measuring. They need no React
 * in the browser: what moves in them is a small script of its own (`browser/public-page.ts`).
 */
export function renderPages(facts: Facts): Record<string, string> {
  const bodies = Object.entries(pages).map(([address, Page]) => [
    address,
    renderToStaticMarkup(
      <QueryClientProvider client={new QueryClient()}>
        <GivenFacts value={facts}>
          <StaticRouter location={address}>
            <Page />
            <PhoneBar tabs={visitorTabs} />
          </StaticRouter>
        </GivenFacts>
      </QueryClientProvider>,
    ),
  ]);
  return { ...Object.fromEntries(bodies), consent: renderToStaticMarkup(<ConsentQuestion />) };
}
