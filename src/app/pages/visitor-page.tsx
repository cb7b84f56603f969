import { Outlet } from 'react-router';
import { AppFailure } from '#app/pages/app-failure.tsx';
import { PhoneBar } from '#app/pages/shell.tsx';
import { tabsOf } from '#app/pages/tabs.ts';
import { useMe } from '#features/accounts/guard.tsx';
import { useVisit } from '#features/marketing/use-visit.tsx';

/** The frame of pages that visitors read: each has a head of its own, and the bar of a phone at its foot. */
export default function VisitorPage() {
  useVisit(useMe().me);
  return (
    <>
      <Outlet />
      <OwnBar />
    </>
  );
}

/** A page that broke leaves the ways to all others. */
export function ErrorBoundary({ error }: { error: unknown }) {
  return (
    <>
      <AppFailure error={error} />
      <OwnBar />
    </>
  );
}

/** It comes when it is known whose it is: these pages say the same to everybody, so they wait for nobody. */
const OwnBar = () => <PhoneBar tabs={tabsOf(useMe().me)} />;
