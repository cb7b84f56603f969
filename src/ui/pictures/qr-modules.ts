import { encode } from 'uqr';

/** The dark modules as one path, runs joined row by row; the border of 4 is what ISO/IEC 18004 asks for. */
export function drawModules(text: string): { size: number; path: string } {
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
