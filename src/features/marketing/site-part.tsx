import type { Elements } from '#ui/elements.ts';

/** One part of a public page under its own headline. */
export function SitePart({ id, title, children }: { id?: string; title: string; children: Elements }) {
  return (
    <section id={id} className="mx-auto max-w-290 scroll-mt-16 px-5 py-10 md:py-14">
      <h2 className="mb-6 text-28 md:mb-8 md:text-38">{title}</h2>
      {children}
    </section>
  );
}
