import { type JSX, memo } from 'react';
import { cx } from '#ui/cx.ts';
import eveningLarge from '../pictures/evening-large.webp?no-inline';
import lamp from '../pictures/lamp.webp?no-inline';
import lampLarge from '../pictures/lamp-large.webp?no-inline';

/** When the second sentence of the first scene begins, and with it the spreading. */
export const spreadMs = 4200;
const ringMs = 420;
/** Columns and rows of copies around the one that was sent; as far as the eye goes on a large screen. */
const [columns, rows] = [11, 9] as const;
const allRings = 6;

const places = Array.from({ length: columns * rows }, (_, at) => {
  const [x, y] = [(at % columns) - (columns - 1) / 2, Math.floor(at / columns) - (rows - 1) / 2];
  return { key: `${x}:${y}`, ring: Math.round(Math.hypot(x, y)) };
});

/** One photo, and ring by ring its copies. */
const Copies = memo(function Copies({ rings }: { rings: number }) {
  return (
    <ul className="absolute top-[31%] left-1/2 grid -translate-1/2 grid-cols-[repeat(11,7.5rem)] gap-1.5 md:grid-cols-[repeat(11,10rem)] md:gap-2 short:top-[26%]">
      {places.map(({ key, ring }) => (
        <li
          key={key}
          className={cx(
            'aspect-square overflow-hidden rounded-photo transition duration-500',
            ring > rings && 'scale-75 opacity-0',
            ring > 0 && ring <= rings && 'opacity-70',
          )}
        >
          <img src={lamp} alt="" width="360" height="360" className="size-full object-cover" />
        </li>
      ))}
    </ul>
  );
});

const ringsAt = (sceneMs: number) => Math.min(allRings, Math.max(0, Math.floor((sceneMs - spreadMs) / ringMs)));

const shade = 'absolute inset-0';
const picture = 'absolute inset-0 size-full object-cover';

/** The sky over the sea. @param className how tall: the taller, the lower the sun, and the more room for words above it */
function Sky({ className }: { className: string }) {
  return (
    <img
      src={eveningLarge}
      alt=""
      width="1080"
      height="1350"
      className={cx('absolute inset-x-0 top-0 w-full object-cover', className)}
    />
  );
}

/** What each scene stands before, from the first to the last. */
const grounds: readonly ((props: { sceneMs: number }) => JSX.Element)[] = [
  ({ sceneMs }) => (
    <>
      <Copies rings={ringsAt(sceneMs)} />
      <span className={cx(shade, 'bg-linear-to-b from-paper/60 to-transparent to-15%')} />
      <span className={cx(shade, 'bg-linear-to-b from-transparent from-20% via-paper/85 via-54% to-paper to-70%')} />
    </>
  ),
  () => (
    <>
      <Copies rings={allRings} />
      <span className={cx(shade, 'bg-paper/82')} />
      <span className={cx(shade, 'bg-radial-[at_50%_110%] from-rust-wash to-transparent to-70%')} />
    </>
  ),
  ({ sceneMs }) => (
    <>
      <span
        className={cx(
          shade,
          'transition-opacity duration-[6000ms] ease-calm',
          sceneMs < 200 ? 'opacity-0' : 'opacity-100',
        )}
      >
        <Sky className="h-[max(140%,74rem)]" />
      </span>
      <span className={cx(shade, 'bg-linear-to-b from-paper/70 via-paper/50 via-65% to-paper/10 to-85%')} />
    </>
  ),
  () => <span className={cx(shade, 'bg-radial-[at_70%_45%] from-plum-wash to-paper to-75%')} />,
  () => <span className={cx(shade, 'bg-radial-[at_50%_30%] from-ember-wash to-paper to-75%')} />,
  () => <span className={cx(shade, 'bg-radial-[at_30%_45%] from-plum-wash to-paper to-75%')} />,
  ({ sceneMs }) => (
    <>
      <span className={cx(shade, 'transition-opacity duration-[1600ms]', sceneMs < 300 ? 'opacity-50' : 'opacity-0')}>
        <img src={lampLarge} alt="" width="1080" height="1350" className={picture} />
      </span>
      <span className={cx(shade, 'bg-radial-[at_50%_50%] from-rust-wash to-transparent to-65%')} />
    </>
  ),
  () => (
    <>
      <Sky className="h-[max(166%,88rem)]" />
      <span className={cx(shade, 'bg-linear-to-b from-paper/50 via-paper/50 via-80% to-paper/5')} />
    </>
  ),
];

/** The pictures behind the scenes: each comes up over the one before. */
export function Backdrop({ scene, sceneMs }: { scene: number; sceneMs: number }) {
  return (
    <div aria-hidden="true" className="pointer-events-none fixed inset-0 overflow-hidden bg-paper">
      {grounds.map((Ground, at) =>
        at + 1 === scene || at + 2 === scene ? (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a scene is its number
            key={at}
            className={cx('absolute inset-0 bg-paper', at > 0 && 'animate-fade')}
          >
            <Ground sceneMs={at + 1 === scene ? sceneMs : Number.POSITIVE_INFINITY} />
          </div>
        ) : null,
      )}
    </div>
  );
}

/** Asks for what is shown later, so that it is there by then. */
export function fetchBackdrops(): void {
  for (const src of [eveningLarge, lampLarge]) new Image().src = src;
}
