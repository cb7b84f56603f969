import type { Me } from '#features/accounts/contract.ts';
import { InstalledApp } from '#features/accounts/installed-app.tsx';
import { KeepLock } from '#features/accounts/keep-lock.tsx';
import { isSending } from '#features/albums/sending-now.tsx';
import { MeasurePages } from '#features/audit/measure-pages.tsx';
import { FirstOpenNotice } from '#features/insights/first-open-notice.tsx';
import { GuessedNotice } from '#features/links/password-alert-notice.tsx';
import { KeepPush } from '#features/notices/keep-push.tsx';
import { PlanNews } from '#features/plans/plan-news.tsx';

/** What runs beside every page of the studio, and draws nothing there. */
export function BesideStudio({ me }: { me: Me | undefined }) {
  return (
    <>
      <FirstOpenNotice />
      <GuessedNotice />
      {me?.isAdmin && <MeasurePages />}
      {me?.user?.hasAppLock && <KeepLock isBusy={isSending} />}
      <KeepPush userId={me?.user?.id} />
      <InstalledApp />
      <PlanNews />
    </>
  );
}
