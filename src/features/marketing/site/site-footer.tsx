import { Link } from 'react-router';
import { Brand } from '#ui/brand.tsx';
import { footerLinks } from './site-links.ts';
import { SupportLink } from './support-link.tsx';

const link = 'inline-flex min-h-11 min-w-11 items-center underline-offset-4 hover:text-ink hover:underline md:min-h-9';

/** The foot of every public page. */
export function SiteFooter() {
  return (
    <footer className="border-t border-line text-quiet">
      <div className="mx-auto grid max-w-290 gap-x-10 gap-y-8 px-5 py-12 md:grid-cols-[1.4fr_2fr]">
        <div className="grid content-start gap-2">
          <Brand className="text-ink" />
          <p className="max-w-70">Makes copying hard, and traceable.</p>
          <p>
            <SupportLink className={link} />
          </p>
        </div>
        <div className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-3">
          {footerLinks.map(({ title, links }) => (
            <nav key={title} aria-label={title}>
              <p aria-hidden="true" className="mb-1 text-13 font-strong text-ink">
                {title}
              </p>
              <ul>
                {links.map(({ to, label }) => (
                  <li key={to}>
                    <Link to={to} className={link}>
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
      </div>
    </footer>
  );
}
