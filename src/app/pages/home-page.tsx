import { lazy, Suspense } from 'react';
import { PhoneBar } from '#app/pages/shell.tsx';
import { visitorTabs } from '#app/pages/tabs.ts';
import { Locked, NobodyKnown, useMe } from '#features/accounts/guard.tsx';
import { ChatButton } from '#features/assistant/chat-button.tsx';
import { metaOf } from '#features/marketing/site-pages.ts';
import { useVisit } from '#features/marketing/use-visit.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';

export const meta = () => metaOf('/');

/** A browser gets this program at `/` when it has a session: the studio is on its way before anybody knows whose. */
const loadStudioHome = () => import('#app/pages/studio-home.tsx').then(({ StudioHome }) => ({ default: StudioHome }));
const StudioHome = lazy(loadStudioHome);
// When this fails, `lazy` asks once more and the page says what went wrong.
loadStudioHome().catch(() => undefined);
const Landing = lazy(() =>
  import('#features/marketing/visitor-home.tsx').then((module) => ({ default: module.Landing })),
);

/** `/` has two faces: the landing page for visitors, the dashboard for whoever is signed in. */
export default function HomePage() {
  const { me, isLoading, hasFailed, askAgain } = useMe();
  useVisit(me);
  const waiting = <FullSpinner text="Authenticating..." />;
  if (me?.isLocked) return <Locked />;
  if (me)
    return (
      <Suspense fallback={waiting}>
        {me.user ? (
          <StudioHome me={me} />
        ) : (
          <>
            <Landing />
            <ChatButton isSubscribed={false} />
            <PhoneBar tabs={visitorTabs} />
          </>
        )}
      </Suspense>
    );
  if (isLoading && !hasFailed) return waiting;
  return <NobodyKnown onRetry={askAgain} />;
}
