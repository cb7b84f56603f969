import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import NotFoundPage from '#app/pages/not-found-page.tsx';
import { PhoneBar } from '#app/pages/shell.tsx';
import type { SiteFacts } from '#app/pages/site-facts.ts';
import { visitorTabs } from '#app/pages/tabs.ts';
import { InvitationEnded } from '#features/accounts/invitation-ended.tsx';
import { ChatLauncher } from '#features/assistant/chat-launcher.tsx';
import { assistantContract } from '#features/assistant/contract.ts';
import AboutPage from '#features/marketing/about-page.tsx';
import AlternativePage from '#features/marketing/alternative-page.tsx';
import ComparisonPage from '#features/marketing/comparison-page.tsx';
import { ConsentQuestion } from '#features/marketing/consent-question.tsx';
import ContactPage from '#features/marketing/contact-page.tsx';
import ContentPolicyPage from '#features/marketing/content-policy-page.tsx';
import DemoPage from '#features/marketing/demo-page.tsx';
import DiagramPage from '#features/marketing/diagram-page.tsx';
import DmcaPage from '#features/marketing/dmca-page.tsx';
import { GivenFacts } from '#features/marketing/facts-context.tsx';
import HelpPage from '#features/marketing/help-page.tsx';
import { measuredBy } from '#features/marketing/operator-words.ts';
import PricingPage from '#features/marketing/pricing-page.tsx';
import PrivacyPage from '#features/marketing/privacy-page.tsx';
import ProgrammePage from '#features/marketing/programme-page.tsx';
import ReportPage from '#features/marketing/report-page.tsx';
import SafetyPage from '#features/marketing/safety-page.tsx';
import { endedInvitation, missingPage } from '#features/marketing/site-pages.ts';
import TermsPage from '#features/marketing/terms-page.tsx';
import { Landing } from '#features/marketing/visitor-home.tsx';
import { callsOf } from '#wire/client.ts';

const pages: Readonly<Record<string, ComponentType>> = {
  '/': LandingWithChat,
  '/demo': DemoPage,
  '/help': HelpPage,
  '/pricing': PricingPage,
  '/about': AboutPage,
  '/creator-safety': SafetyPage,
  '/onlyfans-alternative': AlternativePage,
  '/comparison': ComparisonPage,
  '/signup': ProgrammePage,
  '/diagram': DiagramPage,
  '/contact': ContactPage,
  '/report': ReportPage,
  '/terms-of-use': TermsPage,
  '/acceptable-use': ContentPolicyPage,
  '/privacy-policy': PrivacyPage,
  '/dmca': DmcaPage,
  [missingPage]: NotFoundPage,
  [endedInvitation]: InvitationEnded,
};

/**
 * The bodies of the public pages as a visitor sees them, by their addresses, and the question about measuring. They need no React
 * in the browser: what moves in them is a small script of its own (`browser/public-page.ts`).
 */
export function renderPages({ site, help }: SiteFacts): Record<string, string> {
  const queries = new QueryClient();
  queries.setQueryData(callsOf('assistant', assistantContract).facts.queryKey(), help);
  const bodies = Object.entries(pages).map(([address, Page]) => [
    address,
    renderToStaticMarkup(
      <QueryClientProvider client={queries}>
        <GivenFacts value={site}>
          <StaticRouter location={address}>
            <Page />
            {/* The demo fills the screen, and has a way back of its own. */}
            {address !== '/demo' && <PhoneBar tabs={visitorTabs} />}
          </StaticRouter>
        </GivenFacts>
      </QueryClientProvider>,
    ),
  ]);
  return { ...Object.fromEntries(bodies), consent: renderToStaticMarkup(<ConsentQuestion {...measuredBy(site)} />) };
}

/** Its chat is loaded when it is asked for (`public-script.tsx`). */
function LandingWithChat() {
  return (
    <>
      <Landing />
      <ChatLauncher />
    </>
  );
}
