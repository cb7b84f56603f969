import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '#ui/buttons/icon-button.tsx';
import { cx } from '#ui/cx.ts';
import { describeMaintenance, type SiteState } from './site-state.ts';

/** A line of the operator's above a page: their banner, or that there is maintenance. */
export function SiteStrip({
  site,
  children,
  onDismiss,
}: {
  site: SiteState;
  /** What stands there instead of the sentence that everybody reads. */
  children?: ReactNode;
  onDismiss?: (() => void) | undefined;
}) {
  const { isMaintenance, banner } = site;
  const words = isMaintenance ? describeMaintenance(site) : banner;
  if (words === '') return null;
  return (
    <div
      role="status"
      className={cx(
        'flex min-h-11 items-center justify-between gap-3 rounded-control border px-4 py-2 text-pretty',
        isMaintenance ? 'border-rust/40 bg-rust-wash text-rust' : 'border-line bg-raised',
      )}
    >
      <p className="min-w-0 wrap-anywhere">{children || words}</p>
      {onDismiss !== undefined && !isMaintenance && <IconButton label="Dismiss" icon={X} onClick={onDismiss} />}
    </div>
  );
}
