import '#app/pages/no-text-as-code.tsx';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, useSyncExternalStore } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { createPath, type Navigator, Router, type To } from 'react-router';
import { shouldRetry } from '#app/pages/retry.ts';
import type { Elements } from '#kit/elements.ts';
import { Toaster } from '#ui/feedback/toaster.tsx';
import { PageQueries } from '#wire/query-client.ts';

const addressOf = (to: To) => (typeof to === 'string' ? to : createPath(to));

/** Public pages are documents of their own: a link leads to the next document. */
const documents: Navigator = {
  createHref: addressOf,
  go: (steps) => history.go(steps),
  push: (to) => location.assign(addressOf(to)),
  replace: (to) => location.replace(addressOf(to)),
};

/** A link to another place of the same page changes nothing else. */
function watchHash(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

let isNoticed = false;

/** Notices are drawn once, whatever else is loaded into the page later. */
function takeNotices(): boolean {
  const isFirst = !isNoticed;
  isNoticed = true;
  return isFirst;
}

/** What a part of the studio's program needs around it on a page that came without React. */
function Beside({ children }: { children: Elements }) {
  const [queries] = useState(() => new PageQueries({ defaultOptions: { queries: { retry: shouldRetry } } }));
  const [drawsNotices] = useState(takeNotices);
  const hash = useSyncExternalStore(watchHash, () => location.hash);
  const { pathname, search } = location;
  return (
    <QueryClientProvider client={queries}>
      <CSPProvider disableStyleElements>
        <Router location={{ pathname, search, hash }} navigator={documents}>
          {children}
          {drawsNotices && <Toaster />}
        </Router>
      </CSPProvider>
    </QueryClientProvider>
  );
}

/** Opens the chat, whose own button takes the place of the one that was tapped. */
export async function mountChat(door: HTMLElement): Promise<void> {
  const { ChatButton } = await import('#features/assistant/chat-button.tsx');
  const place = document.createElement('div');
  door.replaceWith(place);
  createRoot(place).render(
    <Beside>
      <ChatButton isSubscribed={false} isWanted />
    </Beside>,
  );
}

/** Brings the search to the help texts that stand there. */
export async function mountHelp(place: HTMLElement): Promise<void> {
  const { HelpTopics } = await import('#features/assistant/help-topics.tsx');
  createRoot(place).render(
    <Beside>
      <HelpTopics />
    </Beside>,
  );
}

let support: Root | undefined;

/** Opens the form that reaches whoever runs the place, over the page; what was typed there before still stands in it. */
export async function openSupport(): Promise<void> {
  const { ContactDialog } = await import('#features/support/contact-dialog.tsx');
  support ??= createRoot(document.body.appendChild(document.createElement('div')));
  const root = support;
  const draw = (isOpen: boolean) =>
    root.render(
      <Beside>
        <ContactDialog open={isOpen} onClose={() => draw(false)} />
      </Beside>,
    );
  draw(true);
}

/** The contact page: its button, and the form that stands open. */
export async function mountContact(place: HTMLElement): Promise<void> {
  const { ContactOpener } = await import('#features/marketing/contact-page.tsx');
  createRoot(place).render(
    <Beside>
      <ContactOpener />
    </Beside>,
  );
}

/** Puts the form of a report where it belongs. */
export async function mountReport(place: HTMLElement): Promise<void> {
  const { ReportForm } = await import('#features/reports/report-form.tsx');
  createRoot(place).render(
    <Beside>
      <ReportForm />
    </Beside>,
  );
}

/** Wakes the application form that stands there. */
export async function mountApplication(place: HTMLElement): Promise<void> {
  const { ApplicationForm } = await import('#features/affiliates/application-form.tsx');
  createRoot(place).render(
    <Beside>
      <ApplicationForm />
    </Beside>,
  );
}
