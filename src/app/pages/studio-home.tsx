import { CreatorActions, Shell } from '#app/pages/shell.tsx';
import { tabsOf } from '#app/pages/tabs.ts';
import type { Me } from '#features/accounts/contract.ts';
import { Guarded } from '#features/accounts/guard.tsx';
import { ChatButton } from '#features/assistant/chat-button.tsx';
import { MeasurePages } from '#features/audit/measure-pages.tsx';
import { Dashboard } from '#features/dashboard/dashboard.tsx';
import { FirstOpenNotice } from '#features/insights/first-open-notice.tsx';
import { GuessedNotice } from '#features/links/password-alert-notice.tsx';

/** Home of somebody who is signed in, in the frame of the studio. */
export function StudioHome({ me }: { me: Me }) {
  return (
    <Guarded need="home">
      <Shell tabs={tabsOf(me)} actions={me.hasAccess && <CreatorActions />} isBeta={me.entitlements.isBeta}>
        <FirstOpenNotice />
        <GuessedNotice />
        <Dashboard me={me} />
        {me.isAdmin && <MeasurePages />}
      </Shell>
      {me.hasAccess && <ChatButton isSubscribed />}
    </Guarded>
  );
}
