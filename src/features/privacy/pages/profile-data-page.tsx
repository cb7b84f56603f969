import { OwnData } from './own-data.tsx';

export const meta = () => [{ title: 'Privacy & data · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** The same within the profile. */
export default function ProfileDataPage() {
  return <OwnData />;
}
