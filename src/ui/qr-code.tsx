import { useMemo } from 'react';
import { encode } from 'uqr';

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

/** The dark modules as one path, runs joined row by row; the border of 4 is what ISO/IEC 18004 asks for. */
function drawModules(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1]) return [];
      const end = row.findIndex((next, at) => at > x && !next);
      return [`M${x} ${y}h${(end < 0 ? size : end) - x}v1H${x}z`];
    }),
  );
  return { size, path: runs.join('') };
}
