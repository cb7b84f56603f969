import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { notFound } from '#features/marketing/not-found-words.ts';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';

export function meta() {
  return [{ title: notFound.title }, { name: 'robots', content: 'noindex' }];
}

/** What the server knows to be missing: the address that this document was asked for under, and whatever was told since. */
const reported = new Set(
  performance.getEntriesByType('navigation').map(({ name }) => new URL(name, window.location.origin).pathname),
);

/** Lets the server log an address that was gone to inside the app, where it is asked for nothing. */
function useTelling(pathname: string): void {
  useEffect(() => {
    if (reported.has(pathname)) return;
    reported.add(pathname);
    // The question is the message: the server writes down what it does not find, and its answer is known here already.
    void fetch(pathname, { method: 'HEAD', cache: 'no-store', credentials: 'omit' }).catch(() => undefined);
  }, [pathname]);
}

/** Any address that is not a page. */
export default function NotFoundPage() {
  useTelling(useLocation().pathname);
  return (
    <div className="mx-auto grid min-h-dvh max-w-290 grid-rows-[auto_1fr] px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24 md:pb-16">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid place-content-center justify-items-center gap-4 text-center">
        <p aria-hidden="true" className="font-display text-56 font-title text-plum">
          404
        </p>
        <h1 className="text-28 md:text-38">{notFound.headline}</h1>
        <p className="max-w-96 text-balance text-quiet">{notFound.text}</p>
        <ButtonLink to="/">{notFound.way}</ButtonLink>
      </main>
    </div>
  );
}
