import { CircleHelp, CircleUserRound, LifeBuoy, LogOut, ShieldUser, UserRoundCheck } from 'lucide-react';
import { useNavigate } from 'react-router';
import type { Me } from '#features/accounts/contract.ts';
import { useSignOut } from '#features/accounts/guard.tsx';
import { Menu } from '#ui/dialogs/menu.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';

/** Who is signed in, and what is theirs: the operator's desk too for whoever is an administrator. */
export function AccountMenu({ me: { user, isAdmin } }: { me: Me }) {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const admin = { label: 'Admin', icon: ShieldUser, onSelect: () => void navigate('/admin') };
  return (
    <Menu
      trigger={
        <button type="button" aria-label="Your account" title="Your account" className="touch-44 rounded-full">
          <Avatar name={user?.displayName ?? ''} src={user?.avatarUrl} />
        </button>
      }
      items={[
        { label: 'Profile', icon: CircleUserRound, onSelect: () => void navigate('/profile') },
        ...(isAdmin ? [admin] : []),
        { label: 'Access requests', icon: UserRoundCheck, onSelect: () => void navigate('/access-requests') },
        { label: 'Help', icon: CircleHelp, onSelect: () => void navigate('/help') },
        { label: 'Support', icon: LifeBuoy, onSelect: () => void navigate('/contact') },
        'line',
        { label: 'Sign Out', icon: LogOut, onSelect: () => void signOut() },
      ]}
    />
  );
}
