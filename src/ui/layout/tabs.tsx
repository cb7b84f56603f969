import { useEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { cx } from '#ui/cx.ts';

export type Tab = {
  to: string;
  label: string;
  count?: number | undefined;
  /** The count waits for the reader: it is drawn in ember. */
  waiting?: boolean;
  /** Active on this exact address only. */
  end?: boolean;
};

/** Parts of one page, each with an address of its own; where they run out of a small screen, the active one is in sight. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address is another active tab, and tabs may come later
  useEffect(() => {
    if (row.current === null) return;
    const showActive = ({ target: { clientWidth } }: { target: Element }) => {
      const active = row.current?.querySelector<HTMLElement>('[aria-current]');
      if (row.current && active) row.current.scrollLeft = active.offsetLeft - (clientWidth - active.offsetWidth) / 2;
    };
    // It is told of the first size as well, and of every other: a phone that is turned.
    const sizes = new ResizeObserver((entries) => entries.forEach(showActive));
    sizes.observe(row.current);
    return () => sizes.disconnect();
  }, [pathname, tabs.length]);
  return (
    <nav
      ref={row}
      aria-label={label}
      className="scroll-quiet relative -mx-5 mb-3.5 flex gap-5.5 overflow-x-auto border-b border-line px-5 contain-inline-size md:mx-0 md:px-0"
    >
      {tabs.map((tab) => (
        <NavLink
          key={tab.to}
          to={tab.to}
          end={tab.end ?? false}
          className="touch-44 flex min-h-12 flex-none items-center gap-1.5 border-b-2 border-transparent font-medium text-quiet -outline-offset-2 transition hover:text-ink aria-[current]:border-plum aria-[current]:text-ink"
        >
          <span>{tab.label}</span>
          {tab.count !== undefined && (
            <span className={cx('tabular-nums', tab.waiting ? 'text-ember-ink' : 'text-quiet')}>{tab.count}</span>
          )}
        </NavLink>
      ))}
    </nav>
  );
}
