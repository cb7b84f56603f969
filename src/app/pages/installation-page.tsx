import { NobodyKnown, useMe } from '#features/accounts/guard.tsx';
import { InstallationDiagram } from '#features/admin/installation-diagram.tsx';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import NotFoundPage from './not-found-page.tsx';

export const meta = () => [{ title: 'This installation · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** What this installation is made of, for administrators; for everybody else there is no such page. */
export default function InstallationPage() {
  const { me, isLoading, hasFailed, askAgain } = useMe();
  if (me?.isAdmin) return <InstallationDiagram />;
  if (isLoading) return <FullSpinner text="Authenticating..." />;
  return hasFailed ? <NobodyKnown onRetry={askAgain} /> : <NotFoundPage />;
}
