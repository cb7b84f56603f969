import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/button-link.tsx';

/**
 * The head of a public page, with the two ways in.
 * @param children what stands there instead for somebody who is signed in
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
        <div className="mx-auto flex min-h-16 max-w-290 items-center justify-between gap-3 px-5">
          <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center">
            <Brand />
          </Link>
          <nav aria-label="Account" className="flex items-center gap-1">
            {children ?? (
              <>
                <ButtonLink to="/auth" variant="bare">
                  Sign In
                </ButtonLink>
                <ButtonLink to="/auth?action=signup">Try FREE</ButtonLink>
              </>
            )}
          </nav>
        </div>
      </header>
    </>
  );
}
