import { useMe } from '#features/accounts/guard.tsx';
import { PageHeader } from '#ui/layout/page-header.tsx';
import { OwnData } from './own-data.tsx';

export const meta = () => [{ title: 'Privacy & data · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One's own data, with a plan or without. */
export default function DataPage() {
  const { me } = useMe();
  return (
    <>
      <PageHeader
        title="Privacy & data"
        facts={me?.user?.email}
        {...(me?.hasAccess === true && { back: { to: '/profile', label: 'Profile' } })}
      />
      <OwnData />
    </>
  );
}
