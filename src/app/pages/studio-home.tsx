import { BesideStudio } from '#app/pages/beside-studio.tsx';
import { CreatorActions, Shell } from '#app/pages/shell.tsx';
import { tabsOf } from '#app/pages/tabs.ts';
import type { Me } from '#features/accounts/contract.ts';
import { Guarded } from '#features/accounts/guard.tsx';
import { ChatButton } from '#features/assistant/chat-button.tsx';
import { Dashboard } from '#features/dashboard/dashboard.tsx';
import { usePlanReturn } from '#features/plans/use-plan-return.tsx';

/** Home of somebody who is signed in, in the frame of the studio. */
export function StudioHome({ me }: { me: Me }) {
  usePlanReturn(me);
  return (
    <Guarded need="home">
      <Shell tabs={tabsOf(me)} actions={me.hasAccess && <CreatorActions />} isBeta={me.entitlements.isBeta}>
        <BesideStudio me={me} />
        <Dashboard me={me} />
      </Shell>
      {me.hasAccess && <ChatButton isSubscribed />}
    </Guarded>
  );
}
