import type { Elements } from '#kit/elements.ts';

/** One part of the gallery with its name. */
export function GallerySection({ title, children }: { title: string; children: Elements }) {
  return (
    <section className="grid gap-4">
      <h2 className="border-b border-line pb-2 text-21">{title}</h2>
      {children}
    </section>
  );
}
