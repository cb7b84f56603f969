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

/** Navigates by loading a document: every public page is one of its own. */
const documentNavigator: Navigator = {
  createHref: addressOf,
  go: (steps) => history.go(steps),
  push: (to) => location.assign(addressOf(to)),
  replace: (to) => location.replace(addressOf(to)),
};

/** Subscribes to the hash, the only part of the address that changes without loading another document. */
function subscribeToHash(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}

let isToasterClaimed = false;

/** Returns true for the first caller only, so that a page has one toaster however many islands it mounts. */
function claimToaster(): boolean {
  const isFirst = !isToasterClaimed;
  isToasterClaimed = true;
  return isFirst;
}

/** Provides queries, routing and notices to a React island on a public page, which is served without React. */
function IslandProviders({ children }: { children: Elements }) {
  const [queries] = useState(() => new PageQueries({ defaultOptions: { queries: { retry: shouldRetry } } }));
  const [ownsToaster] = useState(claimToaster);
  const hash = useSyncExternalStore(subscribeToHash, () => location.hash);
  const { pathname, search } = location;
  return (
    <QueryClientProvider client={queries}>
      <CSPProvider disableStyleElements>
        <Router location={{ pathname, search, hash }} navigator={documentNavigator}>
          {children}
          {ownsToaster && <Toaster />}
        </Router>
      </CSPProvider>
    </QueryClientProvider>
  );
}

/** Replaces the tapped button with the chat's own button, and opens the chat. */
export async function mountChat(door: HTMLElement): Promise<void> {
  const { ChatButton } = await import('#features/assistant/chat-button.tsx');
  const place = document.createElement('div');
  door.replaceWith(place);
  createRoot(place).render(
    <IslandProviders>
      <ChatButton isSubscribed={false} isWanted />
    </IslandProviders>,
  );
}

/** Replaces the server-rendered help texts with searchable ones. */
export async function mountHelp(place: HTMLElement): Promise<void> {
  const { HelpTopics } = await import('#features/assistant/help-topics.tsx');
  createRoot(place).render(
    <IslandProviders>
      <HelpTopics />
    </IslandProviders>,
  );
}

let supportRoot: Root | undefined;

/** Opens the support form over the page; what was typed before is kept. */
export async function openSupport(): Promise<void> {
  const { ContactDialog } = await import('#features/support/contact-dialog.tsx');
  supportRoot ??= createRoot(document.body.appendChild(document.createElement('div')));
  const root = supportRoot;
  const draw = (isOpen: boolean) =>
    root.render(
      <IslandProviders>
        <ContactDialog open={isOpen} onClose={() => draw(false)} />
      </IslandProviders>,
    );
  draw(true);
}

/** Mounts the contact page's button and its form, which opens at once. */
export async function mountContact(place: HTMLElement): Promise<void> {
  const { ContactOpener } = await import('#features/marketing/contact-page.tsx');
  createRoot(place).render(
    <IslandProviders>
      <ContactOpener />
    </IslandProviders>,
  );
}

/** Mounts the report form in the space that the page reserves for it. */
export async function mountReport(place: HTMLElement): Promise<void> {
  const { ReportForm } = await import('#features/reports/report-form.tsx');
  createRoot(place).render(
    <IslandProviders>
      <ReportForm />
    </IslandProviders>,
  );
}

/** Replaces the disabled affiliate application form that the server rendered with a working one. */
export async function mountApplication(place: HTMLElement): Promise<void> {
  const { ApplicationForm } = await import('#features/affiliates/application-form.tsx');
  createRoot(place).render(
    <IslandProviders>
      <ApplicationForm />
    </IslandProviders>,
  );
}
