import type { Elements } from '#kit/elements.ts';
import { cx } from '#ui/cx.ts';

type SitePartProps = {
  id?: string;
  title: string;
  /** A sentence or two under the headline. */
  lead?: string;
  /** A band across the whole page: a shade of the paper, or dark as the viewer's pages are. */
  band?: 'wash' | 'dark';
  children: Elements;
};

const bands = { wash: 'bg-plum-wash/55', dark: 'dark bg-paper text-ink' };

/** One part of a public page under its own headline. */
export function SitePart({ id, title, lead, band, children }: SitePartProps) {
  return (
    <section id={id} className={cx('scroll-mt-16', band && bands[band])}>
      <div className={cx('mx-auto max-w-290 px-5', band ? 'py-14 md:py-22' : 'py-12 md:py-18')}>
        <div className="mb-8 grid max-w-180 gap-3 md:mb-10">
          <h2 className="text-28 md:text-38">{title}</h2>
          {lead && <p className="text-17 text-quiet">{lead}</p>}
        </div>
        {children}
      </div>
    </section>
  );
}
