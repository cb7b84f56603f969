import { useParams } from 'react-router';
import { InvitedPage } from '#features/accounts/invited.tsx';
import { isPassToken } from '#features/links/pass-rules.ts';
import { PassPage } from '#features/viewing/free-pass.tsx';

export const meta = () => [{ title: 'You are invited · PrivateFans' }, { name: 'robots', content: 'noindex' }];

/** One address of two kinds: an invitation of whoever runs the installation, and a creator's free pass. */
export default function FreeJoinPage() {
  const { token = '' } = useParams();
  return isPassToken(token) ? <PassPage /> : <InvitedPage />;
}
