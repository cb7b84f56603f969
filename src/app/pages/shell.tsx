import { Ellipsis, Link2, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, NavigationType, NavLink, useLocation, useMatch, useNavigate, useNavigationType } from 'react-router';
import { Shut, StudioNotice, useIsShut } from '#app/pages/site-notices.tsx';
import { helpTabs, isWithin, type ShellTab } from '#app/pages/tabs.ts';
import { BetaBadge } from '#ui/beta-badge.tsx';
import { Brand } from '#ui/brand.tsx';
import { drawIconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { Menu } from '#ui/dialogs/menu.tsx';

type ShellProps = {
  tabs: readonly ShellTab[];
  /** At the right of the name: the two round buttons of a creator. */
  actions: ReactNode;
  /** Somebody who tries what is new. */
  isBeta?: boolean;
  /** The operator's desk, which maintenance does not close. */
  isDesk?: boolean;
  children: ReactNode;
};

/** The frame of the studio: name and actions above, a bar at the foot of a phone, a quiet rail on a computer. */
export function Shell({ tabs, actions, isBeta = false, isDesk = false, children }: ShellProps) {
  const main = useFocusOfPage();
  const isShut = useIsShut();
  return (
    <>
      <a
        href="#main"
        className="fixed top-3 left-3 z-50 -translate-y-20 rounded-control bg-ink px-4 py-3 font-strong text-paper focus-visible:translate-y-0"
      >
        Skip to content
      </a>
      <nav
        aria-label="Main"
        className="fixed inset-x-0 bottom-0 z-20 flex justify-around border-t border-line bg-paper/88 px-2 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] backdrop-blur-lg md:inset-y-0 md:right-auto md:w-23 md:flex-col md:justify-start md:gap-3 md:border-t-0 md:border-r md:bg-transparent md:px-0 md:py-7 md:backdrop-blur-none"
      >
        {tabs.map((tab) => (
          <ShellPlace key={tab.to} tab={tab} />
        ))}
        <MorePlaces tabs={tabs} />
        <div className="hidden gap-3 md:mt-auto md:grid">
          {helpTabs.map((tab) => (
            <ShellPlace key={tab.to} tab={tab} />
          ))}
        </div>
      </nav>
      <div className="mx-auto max-w-290 px-[max(1.25rem,env(safe-area-inset-left))] pt-[max(1.25rem,env(safe-area-inset-top))] pb-[calc(7rem+env(safe-area-inset-bottom))] md:pt-7 md:pr-10 md:pb-16 md:pl-33">
        <StudioNotice isDesk={isDesk} />
        <header className="flex min-h-11 items-center justify-between gap-3 pb-5">
          <div className="flex items-center gap-2.5">
            <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center">
              <Brand />
            </Link>
            {isBeta && <BetaBadge />}
          </div>
          <div className="flex items-center gap-3">{actions}</div>
        </header>
        <main ref={main} id="main" tabIndex={-1} className="outline-none">
          {isShut ? <Shut /> : children}
        </main>
      </div>
    </>
  );
}

/** What had the focus may be gone with the page that was left: then the new page has it, and is read out. */
function useFocusOfPage() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const way = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (way !== NavigationType.Pop && document.activeElement === document.body)
      main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

const placeLook =
  'min-h-13 min-w-14 place-content-center justify-items-center gap-0.5 rounded-control text-13 font-medium text-quiet transition hover:text-ink md:min-w-16';

/** What the four places of a phone leave out, one tap above them and under the same thumb. */
function MorePlaces({ tabs }: Pick<ShellProps, 'tabs'>) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  if (tabs.length === 0) return null;
  const others = [...tabs.filter(({ onRailOnly }) => onRailOnly), ...helpTabs];
  const isHere = others.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  return (
    <Menu
      trigger={
        <button type="button" className={cx('grid md:hidden', placeLook, isHere && 'text-plum!')}>
          <Ellipsis className="size-5.5" />
          <span>More</span>
        </button>
      }
      items={others.map(({ to, label, icon }) => ({ label, icon, onSelect: () => void navigate(to) }))}
    />
  );
}

function ShellPlace({ tab }: { tab: ShellTab }) {
  const { pathname } = useLocation();
  return (
    <NavLink
      to={tab.to}
      end={tab.to === '/'}
      className={cx(
        placeLook,
        isWithin(tab, pathname) ? 'text-plum!' : 'aria-[current]:text-plum',
        tab.onRailOnly ? 'hidden md:grid' : 'grid',
      )}
    >
      <tab.icon className="size-5.5" />
      <span>{tab.label}</span>
    </NavLink>
  );
}

/** The bar of a phone alone, for a page with a head of its own; give that page room for it at its foot. No places, no bar. */
export function PhoneBar({ tabs }: Pick<ShellProps, 'tabs'>) {
  if (tabs.length === 0) return null;
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 flex justify-around border-t border-line bg-paper/88 px-2 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] backdrop-blur-lg md:hidden"
    >
      {tabs.map((tab) => (
        <ShellPlace key={tab.to} tab={tab} />
      ))}
    </nav>
  );
}

/** A creator's two ways to begin, from every page; inside an album they are about this album. */
export function CreatorActions() {
  const { albumId } = useMatch('/albums/:albumId/*')?.params ?? {};
  const [share, upload] =
    albumId === undefined
      ? ['/magic-links?new=1', '/albums?new=1']
      : [`/albums/${albumId}/links?new=1`, `/albums/${albumId}?add=1`];
  return (
    <>
      <Link to={share} aria-label="New link" title="New link" className={drawIconButton({ variant: 'outline' })}>
        <Link2 />
      </Link>
      <Link to={upload} aria-label="Upload" title="Upload" className={drawIconButton({ variant: 'primary' })}>
        <Plus />
      </Link>
    </>
  );
}
