import { useState } from 'react';
import { CreatorActions, Shell } from '#app/shell.tsx';
import { creatorTabs } from '#app/tabs.ts';
import { Guarded, useMe } from '#features/accounts/guard.tsx';
import { Dashboard } from '#features/dashboard/dashboard.tsx';
import { Landing } from '#features/marketing/landing.tsx';
import { FullSpinner } from '#ui/full-spinner.tsx';

export const meta = () => [
  { title: 'PrivateFans – Secure, No-Leak Private Albums' },
  {
    name: 'description',
    content: 'Share photos through a link that knows who it is for. See who looked. Take it back whenever you want.',
  },
];

/**
 * Whether the document came with the landing page in it: the server sends it to browsers without a session. The first picture
 * drawn here must be the one that is there.
 */
const isPrerendered = () => typeof document === 'undefined' || document.querySelector('[data-landing]') !== null;

/** `/` has two faces: the landing page for visitors, the dashboard for whoever is signed in. */
export default function HomePage() {
  const [beganAsLanding] = useState(isPrerendered);
  const { me, isLoading } = useMe();
  if (me?.user) return <Home />;
  if (isLoading && !beganAsLanding) return <FullSpinner text="Authenticating..." />;
  return <Landing />;
}

function Home() {
  const { me } = useMe();
  return (
    <Guarded need="home">
      <Shell tabs={creatorTabs} actions={<CreatorActions />}>
        {me && <Dashboard me={me} />}
      </Shell>
    </Guarded>
  );
}
