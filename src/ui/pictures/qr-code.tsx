import { useMemo } from 'react';
import { drawModules } from './qr-modules.ts';

/** An address as a square that a camera reads; always dark on light, or scanners fail. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawModules(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="light block aspect-square w-full max-w-70 rounded-card bg-raised"
    >
      <path d={path} className="fill-ink" />
    </svg>
  );
}
