import { useState } from 'react';
import { cx } from '#ui/cx.ts';

const sizes = { normal: 'size-10 text-15', large: 'size-16 text-28', huge: 'size-24 text-38' };

type AvatarProps = {
  name: string;
  /** Address of a picture; without one, or where it does not come, it is the first letter of the name. */
  src?: string | null | undefined;
  size?: keyof typeof sizes;
};

/** A person in a soft circle; the name itself stands beside it. */
export function Avatar({ name, src, size = 'normal' }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const [letter = '?'] = name.trim().toLocaleUpperCase();
  const look = cx('flex-none rounded-full bg-plum-wash', sizes[size]);
  if (src && src !== failed)
    return (
      <img src={src} alt="" aria-hidden="true" onError={() => setFailed(src)} className={cx(look, 'object-cover')} />
    );
  return (
    <span aria-hidden="true" className={cx(look, 'grid place-items-center font-display font-title text-plum')}>
      {letter}
    </span>
  );
}
