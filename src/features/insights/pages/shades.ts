/** How dark a part is drawn by its level: from nothing to the most. */
export const shades = [
  'fill-line',
  'fill-plum opacity-25',
  'fill-plum opacity-50',
  'fill-plum opacity-75',
  'fill-plum',
] as const;
