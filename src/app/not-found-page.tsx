import { notFound } from '#features/marketing/not-found-words.ts';
import { ButtonLink } from '#ui/button-link.tsx';

export function meta() {
  return [{ title: notFound.title }, { name: 'robots', content: 'noindex' }];
}

/** Spec §2: any address that is no page. */
export default function NotFoundPage() {
  return (
    <main id="main" className="grid min-h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <p aria-hidden="true" className="font-display text-56 font-title text-plum">
        404
      </p>
      <h1 className="text-28 md:text-38">{notFound.headline}</h1>
      <p className="max-w-96 text-balance text-quiet">{notFound.text}</p>
      <ButtonLink to="/">{notFound.way}</ButtonLink>
    </main>
  );
}
