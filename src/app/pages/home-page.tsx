import { lazy, Suspense } from 'react';
import { PhoneBar } from '#app/pages/shell.tsx';
import { visitorTabs } from '#app/pages/tabs.ts';
import { useMe } from '#features/accounts/guard.tsx';
import { ChatButton } from '#features/assistant/chat-button.tsx';
import { Landing } from '#features/marketing/landing.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { FullSpinner } from '#ui/full-spinner.tsx';

export const meta = () => [
  { title: 'PrivateFans – Secure, No-Leak Private Albums' },
  {
    name: 'description',
    content:
      "Share photos and videos through a link that knows who it's for. See who looked. Take it back whenever you want.",
  },
];

/**
 * Whether the document came with the landing page in it: the server sends it to browsers without a session. The first picture
 * drawn here must be the one that is there.
 */
const cameAsLanding = typeof document === 'undefined' || document.querySelector('[data-landing]') !== null;

/** The studio is not for visitors to load; a browser with a session has it on its way before anybody knows who that is. */
const loadStudioHome = () => import('#app/pages/studio-home.tsx').then(({ StudioHome }) => ({ default: StudioHome }));
const StudioHome = lazy(loadStudioHome);
// When this fails, `lazy` asks once more and the page says what went wrong.
if (!cameAsLanding) loadStudioHome().catch(() => undefined);

/** `/` has two faces: the landing page for visitors, the dashboard for whoever is signed in. */
export default function HomePage() {
  const { me, isLoading, hasFailed, askAgain } = useMe();
  const waiting = <FullSpinner text="Authenticating..." />;
  if (me?.user)
    return (
      <Suspense fallback={waiting}>
        <StudioHome me={me} />
      </Suspense>
    );
  if (cameAsLanding || me)
    return (
      <>
        <Landing />
        <ChatButton isSubscribed={false} />
        <PhoneBar tabs={visitorTabs} />
      </>
    );
  if (isLoading && !hasFailed) return waiting;
  return (
    <main id="main" className="mx-auto grid min-h-dvh max-w-110 content-center p-5">
      <ErrorState onRetry={() => void askAgain()} />
    </main>
  );
}
