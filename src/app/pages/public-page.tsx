import { Outlet } from 'react-router';
import { PhoneBar } from '#app/pages/shell.tsx';
import { tabsOf, visitorTabs } from '#app/pages/tabs.ts';
import { useMe } from '#features/accounts/guard.tsx';
import { useVisit } from '#features/marketing/use-visit.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';

/** The frame of a public page that says something else to somebody who is signed in. */
export default function PublicPage() {
  const { me, isLoading } = useMe();
  useVisit(me);
  if (me === undefined && isLoading) return <FullSpinner text="Authenticating..." />;
  return (
    <>
      <Outlet />
      <PhoneBar tabs={me === undefined ? visitorTabs : tabsOf(me)} />
    </>
  );
}
