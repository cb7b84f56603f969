import '#app/pages/no-text-as-code.tsx';
import '#app/pages/plain-zod.ts';
import './app.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import instrumentSans from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import icon from '#app/icon.svg?url&no-inline';
import { AppFailure } from '#app/pages/app-failure.tsx';
import { useFrameBorder } from '#app/pages/frame-border.tsx';
import { MaintenanceWatch } from '#app/pages/maintenance-watch.tsx';
import { shouldRetry } from '#app/pages/retry.ts';
import { ErrorWatch } from '#features/support/error-watch.tsx';
import type { Elements } from '#kit/elements.ts';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { Toaster } from '#ui/feedback/toaster.tsx';
import fraunces from '#ui/fonts/fraunces-480.woff2?url';
import { PageQueries } from '#wire/query-client.ts';

/** The frame of every page's HTML, prerendered ones included. */
export function Layout({ children }: { children: Elements }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fdf9f4" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#150d13" />
        <meta name="apple-mobile-web-app-title" content="PrivateFans" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="apple-touch-icon" href="/icons/usual-180.png" />
        <link rel="icon" type="image/svg+xml" href={icon} />
        <link rel="preload" as="font" type="font/woff2" href={instrumentSans} crossOrigin="anonymous" />
        <link rel="preload" as="font" type="font/woff2" href={fraunces} crossOrigin="anonymous" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

export function meta() {
  return [{ title: 'PrivateFans' }];
}

export function HydrateFallback() {
  return <FullSpinner text="Loading app..." />;
}

export function ErrorBoundary({ error }: { error: unknown }) {
  return <AppFailure error={error} />;
}

/** No component may bring `<style>` elements of its own: the policy of the pages is `style-src 'self'`. */
export default function Root() {
  const [queries] = useState(() => new PageQueries({ defaultOptions: { queries: { retry: shouldRetry } } }));
  const isLeaving = useFrameBorder();
  return (
    <QueryClientProvider client={queries}>
      <CSPProvider disableStyleElements>
        {isLeaving ? <FullSpinner text="Loading app..." /> : <Outlet />}
        <Toaster />
        <ErrorWatch />
        <MaintenanceWatch />
      </CSPProvider>
    </QueryClientProvider>
  );
}
