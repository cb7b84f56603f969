import type { ComponentId } from '../operations-contract.ts';

/** A place on the grid: how far along the way from the outside to the outside, and which of the lanes beside each other. */
export interface GridPlace {
  along: number;
  lane: number;
}

/** The grid lies across a desk and stands upright on a phone. */
export const gridSize = { along: 5, lane: 3 } as const;

export const gridPlaces: Readonly<Record<ComponentId, GridPlace>> = {
  provider: { along: 0, lane: 0 },
  browsers: { along: 0, lane: 1 },
  assistant: { along: 0, lane: 2 },
  web: { along: 1, lane: 1 },
  keys: { along: 1, lane: 2 },
  queue: { along: 2, lane: 0 },
  database: { along: 2, lane: 1 },
  storage: { along: 2, lane: 2 },
  workers: { along: 3, lane: 1 },
  backup: { along: 3, lane: 2 },
  mail: { along: 4, lane: 0.5 },
  push: { along: 4, lane: 1.5 },
};

/** A line between two components, past others where it has to. */
export interface Line {
  ends: readonly [ComponentId, ComponentId];
  by?: GridPlace;
}

export const lines: readonly Line[] = [
  { ends: ['browsers', 'web'] },
  { ends: ['provider', 'web'] },
  { ends: ['assistant', 'web'] },
  { ends: ['keys', 'web'] },
  { ends: ['web', 'queue'] },
  { ends: ['web', 'database'] },
  { ends: ['web', 'storage'] },
  { ends: ['queue', 'workers'] },
  { ends: ['database', 'workers'] },
  { ends: ['storage', 'workers'] },
  { ends: ['database', 'backup'] },
  { ends: ['storage', 'backup'] },
  { ends: ['workers', 'mail'] },
  { ends: ['workers', 'push'] },
  { ends: ['provider', 'workers'], by: { along: 2, lane: 0.5 } },
  { ends: ['keys', 'workers'], by: { along: 2, lane: 1.5 } },
];

const percent = (place: number, size: number) => ((place + 0.5) / size) * 100;

/** Returns where a place is, in percent of the picture's sides. */
export const placeInPercent = ({ along, lane }: GridPlace) => ({
  along: percent(along, gridSize.along),
  lane: percent(lane, gridSize.lane),
});

/** Returns the line as an SVG path over a picture of 100 by 100. */
export function drawLine({ ends: [from, to], by }: Line, isUpright: boolean): string {
  const stops = [gridPlaces[from], ...(by === undefined ? [] : [by]), gridPlaces[to]].map(placeInPercent);
  const point = ({ along, lane }: GridPlace) => {
    const [x, y] = isUpright ? [lane, along] : [along, lane];
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  };
  const [first = { along: 0, lane: 0 }, ...others] = stops;
  let before = first;
  const curves = others.map((stop) => {
    const along = (before.along + stop.along) / 2;
    const curve = `C${point({ along, lane: before.lane })} ${point({ along, lane: stop.lane })} ${point(stop)}`;
    before = stop;
    return curve;
  });
  return `M${point(first)} ${curves.join(' ')}`;
}
