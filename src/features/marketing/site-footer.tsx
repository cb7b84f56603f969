import { Link } from 'react-router';
import { Brand } from '#ui/brand.tsx';
import { legalPages } from './legal-words.ts';

/** The foot of every public page. */
export function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-290 flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-8 text-13 text-quiet">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <Brand />
          <p>Makes copying hard, and traceable.</p>
        </div>
        <nav aria-label="Legal" className="flex flex-wrap gap-x-5">
          {legalPages.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline"
            >
              {label}
            </Link>
          ))}
        </nav>
      </div>
    </footer>
  );
}
