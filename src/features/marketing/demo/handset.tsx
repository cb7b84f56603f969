import { CircleSlash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import lamp from '../pictures/lamp-large.webp?no-inline';

/** A phone in somebody's hand. */
function Handset({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <div className={cx('relative overflow-hidden rounded-sheet border-6 border-line bg-paper shadow-soft', className)}>
      {children}
    </div>
  );
}

/** What the viewer of a link has before his eyes: the photo, and at once nothing any more. */
export function ViewerHandset({ isClosed, className }: { isClosed: boolean; className?: string }) {
  return (
    <Handset className={cx('dark', className)}>
      <img
        src={lamp}
        alt=""
        width="1080"
        height="1350"
        className={cx(
          'absolute inset-0 size-full object-cover transition duration-300',
          isClosed && 'scale-105 opacity-0',
        )}
      />
      <span
        className={cx(
          'absolute inset-x-0 bottom-0 bg-linear-to-t from-photo-shade to-transparent px-3 pt-8 pb-3 text-center text-13 text-on-photo transition duration-300',
          isClosed && 'opacity-0',
        )}
      >
        Marked for Bob
      </span>
      <span
        className={cx(
          'absolute inset-0 grid place-content-center justify-items-center gap-1.5 px-5 text-center transition delay-200 duration-500',
          !isClosed && 'opacity-0',
        )}
      >
        <CircleSlash2 className="mb-1 size-7 text-quiet max-md:low:size-5" />
        <span className="font-display text-21 font-title">Access ended</span>
        <span className="text-13 text-quiet max-md:low:hidden">The creator has ended access to this link.</span>
      </span>
    </Handset>
  );
}
