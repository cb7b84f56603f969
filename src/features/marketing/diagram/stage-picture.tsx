import { Ban, Clock, KeyRound, Lock, type LucideIcon, MapPinOff, UserRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { LiveDot } from '#ui/live-dot.tsx';
import evening from '../pictures/evening.webp?no-inline';

const side = 8;
const cells = Array.from({ length: side * side }, (_, at) => at);
/** A or B for each tile: any pattern, as long as it stays the same. */
const isB = (at: number) => (at * 7 + (at >> 2) * 5 + (at >> 4)) % 3 === 0;

/** The photo as a square, with something drawn over its tiles. */
function Photo({ children, faded }: { children?: ReactNode; faded?: boolean }) {
  return (
    <span className="relative block size-52 overflow-hidden rounded-card sm:size-64 md:size-72">
      <img
        src={evening}
        alt=""
        width="360"
        height="360"
        loading="lazy"
        className={`size-full object-cover ${faded ? 'opacity-0' : ''}`}
      />
      <svg aria-hidden="true" viewBox="0 0 80 80" className="absolute inset-0 size-full">
        {children}
      </svg>
    </span>
  );
}

/** One shape a tile. */
const eachTile = (draw: (at: number, place: { x: number; y: number; width: number; height: number }) => ReactNode) =>
  cells.map((at) =>
    draw(at, { x: (at % side) * 10 + 0.4, y: Math.floor(at / side) * 10 + 0.4, width: 9.2, height: 9.2 }),
  );

const pictures: Readonly<Record<string, () => ReactNode>> = {
  phone: () => (
    <span className="relative block rounded-[2rem] border-4 border-line p-2">
      <Photo />
      <Badge icon={MapPinOff} text="Location removed" />
    </span>
  ),
  pieces: () => (
    <Photo faded>
      {eachTile((at, place) => (
        <g key={at}>
          <rect {...place} rx="1" className={isB(at) ? 'fill-plum opacity-55' : 'fill-plum opacity-20'} />
          <text x={place.x + 4.6} y={place.y + 6.4} textAnchor="middle" className="fill-ink text-[4px] font-strong">
            {isB(at) ? 'B' : 'A'}
          </text>
        </g>
      ))}
    </Photo>
  ),
  rules: () => (
    <span className="grid gap-3">
      {(
        [
          [UserRound, 'For Bob'],
          [Clock, '24 hours from first look'],
          [Lock, 'With a password'],
        ] as const
      ).map(([Icon, text]) => (
        <span
          key={text}
          className="flex min-h-13 items-center gap-3.5 rounded-control border border-line bg-raised px-5 font-display text-21 font-title"
        >
          <Icon className="text-plum" />
          <span>{text}</span>
        </span>
      ))}
    </span>
  ),
  keys: () => (
    <span className="relative block">
      <PatternOnPhoto ofA="fill-transparent stroke-on-photo/30" ofB="fill-plum/45 stroke-plum" />
      <Badge icon={KeyRound} text="Bob's pattern" />
    </span>
  ),
  picture: () => (
    <span className="grid gap-4">
      <Photo />
      <span className="flex items-center gap-3 text-13">
        <LiveDot />
        Bob is looking now, photo 7 of 24
      </span>
    </span>
  ),
  revoke: () => (
    <span className="grid size-52 place-content-center justify-items-center gap-2 rounded-card border border-line text-center sm:size-64 md:size-72">
      <Ban className="size-9 text-quiet" />
      <span className="font-display text-28 font-title">Access ended</span>
      <span className="text-13 text-quiet">No more keys</span>
    </span>
  ),
  trace: () => (
    <span className="grid gap-4">
      <PatternOnPhoto ofA="fill-transparent stroke-ember/35" ofB="fill-ember/35 stroke-ember" />
      <span className="text-center font-display text-21 font-title">This copy came from Bob's link</span>
    </span>
  ),
};

/** The photo with the pattern of one viewer over it. @param ofA @param ofB classes of a tile in that variant */
function PatternOnPhoto({ ofA, ofB }: { ofA: string; ofB: string }) {
  return (
    <Photo>
      {eachTile((at, place) => (
        <rect key={at} {...place} rx="1" strokeWidth="0.6" className={isB(at) ? ofB : ofA} />
      ))}
    </Photo>
  );
}

function Badge({ icon: Icon, text }: { icon: LucideIcon; text: string }) {
  return (
    <span className="absolute inset-x-0 -bottom-4 grid place-items-center">
      <span className="inline-flex min-h-9 items-center gap-2 rounded-full border border-line bg-raised px-4 text-13 font-strong">
        <Icon className="text-plum" />
        <span>{text}</span>
      </span>
    </span>
  );
}

/** What can be seen at one place of the way. */
export function StagePicture({ id }: { id: string }) {
  return pictures[id]?.();
}
