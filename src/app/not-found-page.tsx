import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { notFound } from '#features/marketing/not-found-words.ts';
import { ButtonLink } from '#ui/button-link.tsx';

export function meta() {
  return [{ title: notFound.title }, { name: 'robots', content: 'noindex' }];
}

/** What the server knows to be missing: the address that this document was asked for under, and whatever was told since. */
const told = new Set(
  performance.getEntriesByType('navigation').map(({ name }) => new URL(name, window.location.origin).pathname),
);

/** Lets the server log an address that was gone to inside the app, where it is asked for nothing (spec §2). */
function useTelling(pathname: string): void {
  useEffect(() => {
    if (told.has(pathname)) return;
    told.add(pathname);
    // The question is the message: the server writes down what it does not find, and its answer is known here already.
    void fetch(pathname, { method: 'HEAD', cache: 'no-store', credentials: 'omit' }).catch(() => undefined);
  }, [pathname]);
}

/** Spec §2: any address that is no page. */
export default function NotFoundPage() {
  useTelling(useLocation().pathname);
  return (
    <main
      id="main"
      className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 pb-24 text-center md:pb-6"
    >
      <p aria-hidden="true" className="font-display text-56 font-title text-plum">
        404
      </p>
      <h1 className="text-28 md:text-38">{notFound.headline}</h1>
      <p className="max-w-96 text-balance text-quiet">{notFound.text}</p>
      <ButtonLink to="/">{notFound.way}</ButtonLink>
    </main>
  );
}
