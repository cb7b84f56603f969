import { cx } from '#ui/cx.ts';

const sizes = { normal: 'size-10 text-15', large: 'size-16 text-28' };

/** The first letter of a name in a soft circle; the name itself stands beside it. */
export function Avatar({ name, size = 'normal' }: { name: string; size?: keyof typeof sizes }) {
  const [letter = '?'] = name.trim().toLocaleUpperCase();
  return (
    <span
      aria-hidden="true"
      className={cx(
        'grid flex-none place-items-center rounded-full bg-plum-wash font-display font-title text-plum',
        sizes[size],
      )}
    >
      {letter}
    </span>
  );
}
