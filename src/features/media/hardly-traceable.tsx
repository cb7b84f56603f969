import { TriangleAlert } from 'lucide-react';
import { cx } from '#ui/cx.ts';

/** Says that a photo has room for too little of the mark: in the studio before it leaks, and beside the answer once it did. */
export function HardlyTraceable({ which = 'This photo is', className }: { which?: string; className?: string }) {
  return (
    <p className={cx('flex items-start gap-2.5 rounded-control bg-rust-wash p-3', className)}>
      <TriangleAlert className="mt-0.5 size-4.5 flex-none text-rust" aria-hidden="true" />
      <span>
        <span className="text-rust">Can hardly be traced. </span>
        <span>{`${which} too small for a mark that identifies a link. A larger size holds more of it.`}</span>
      </span>
    </p>
  );
}
