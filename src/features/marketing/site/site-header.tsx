import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useMe } from '#features/accounts/guard.tsx';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { headerLinks } from './site-links.ts';

/**
 * The head of a public page, with the two ways in, or the way back for somebody who is in already.
 * @param children what stands there instead
 */
export function SiteHeader({ children }: { children?: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="fixed top-3 left-3 z-50 -translate-y-20 rounded-control bg-ink px-4 py-3 font-strong text-paper focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-20 bg-paper/88 pt-[env(safe-area-inset-top)] backdrop-blur-lg">
        <div className="mx-auto flex min-h-16 max-w-290 items-center gap-x-8 px-5">
          <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center">
            <Brand />
          </Link>
          <nav aria-label="Site" className="hidden gap-x-6 md:flex">
            {headerLinks.map(({ to, label }) => (
              <Link
                key={to}
                to={to}
                className="inline-flex min-h-11 items-center font-medium text-quiet transition hover:text-ink aria-[current]:text-ink"
              >
                {label}
              </Link>
            ))}
          </nav>
          <nav aria-label="Account" className="ml-auto flex items-center gap-1">
            {children || <UsualWays />}
          </nav>
        </div>
      </header>
    </>
  );
}

function UsualWays() {
  const { me } = useMe();
  if (me?.user)
    return (
      <ButtonLink to="/" variant="bare">
        {me.hasAccess ? 'Your studio' : 'Home'}
      </ButtonLink>
    );
  return (
    <>
      <ButtonLink to="/auth" variant="bare">
        Sign In
      </ButtonLink>
      <ButtonLink to="/auth?action=signup">Try FREE</ButtonLink>
    </>
  );
}
