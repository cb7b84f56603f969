import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { cx } from '#ui/cx.ts';

type PageHeaderProps = {
  title: string;
  /** Where this page belongs: a quiet link above the title. */
  back?: { to: string; label: string };
  /** One line of facts under the title. */
  facts?: ReactNode;
  /** The page's own button or two, beside the title. */
  actions?: ReactNode;
  /** So many that on a phone they stand under the facts. */
  hasManyActions?: boolean;
};

/** The top of a page: way back, one large title, its action. */
export function PageHeader({ title, back, facts, actions, hasManyActions = false }: PageHeaderProps) {
  return (
    <header className="mb-4.5">
      {back && (
        <Link
          to={back.to}
          className="-ml-1.5 mb-1 inline-flex min-h-11 items-center gap-1 pr-3 text-13 text-quiet hover:text-ink"
        >
          <ChevronLeft className="size-4.5" />
          <span>{back.label}</span>
        </Link>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="min-w-0 grow basis-36 text-28 wrap-break-word md:text-38">{title}</h1>
        {actions && (
          <div className={cx('flex flex-wrap gap-2', hasManyActions && 'order-1 md:order-none')}>{actions}</div>
        )}
        {facts && <p className="-mt-1.5 min-w-0 basis-full text-13 text-quiet">{facts}</p>}
      </div>
    </header>
  );
}
