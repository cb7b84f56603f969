import { useState } from 'react';
import { cx } from '#ui/cx.ts';

/** The device's own thumbnail behind what is said of a file; nothing where the device cannot draw it. */
export function DevicePreview({ src, isClear = false }: { src: string | undefined; isClear?: boolean }) {
  const [failed, setFailed] = useState<string>();
  if (src === undefined || src === failed) return null;
  return (
    <img
      src={src}
      alt=""
      onError={() => setFailed(src)}
      className={cx('absolute inset-0 size-full object-cover', !isClear && 'opacity-25')}
    />
  );
}

/** The device's own thumbnail of a file, where browsers can draw it. */
export const previewOf = (file: File): string | undefined =>
  /^image\/(jpeg|png|webp|gif|avif)$/.test(file.type) ? URL.createObjectURL(file) : undefined;
