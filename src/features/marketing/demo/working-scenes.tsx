import { Activity, Check, EyeOff, Link2, type LucideIcon, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#ui/buttons/button.tsx';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';
import { Avatar } from '#ui/pictures/avatar.tsx';
import evening from '../pictures/evening.webp?no-inline';
import fronds from '../pictures/fronds.webp?no-inline';
import lamp from '../pictures/lamp.webp?no-inline';
import petals from '../pictures/petals.webp?no-inline';
import shutters from '../pictures/shutters.webp?no-inline';
import { Counter } from './counter.tsx';
import { Appearing, type SceneProps, titleType } from './scene.tsx';
import { TypedText } from './typed-text.tsx';

const photos = [lamp, evening, shutters, petals, fronds];
const reassurances: readonly { icon: LucideIcon; title: string; text: string }[] = [
  { icon: Undo2, title: 'Revoke anytime', text: 'One tap, for good.' },
  { icon: EyeOff, title: 'No screenshots', text: 'Deterred, and every copy is marked.' },
  { icon: Activity, title: 'Full activity tracking', text: 'Who looked, when and for how long.' },
];

/** Nobody has to tap: the story goes on by itself. */
const madeAtMs = 8400;

/** Scene 4: an album becomes a link, in a picture of the studio. */
export function UploadScene({ sceneMs }: SceneProps) {
  return (
    <div className="grid w-full max-w-270 items-center gap-x-16 gap-y-6 md:gap-y-10 low:gap-y-5 lg:grid-cols-2 sm:short:grid-cols-2">
      <h2 className={cx(titleType, 'self-end max-lg:text-center')}>
        <TypedText sceneMs={sceneMs} delayMs={200} stepMs={60}>
          Your album becomes a link that only works your way.
        </TypedText>
      </h2>
      <AlbumPicture sceneMs={sceneMs} />
      <ul className="grid gap-x-3 gap-y-5 self-start justify-self-center max-lg:grid-cols-3 lg:justify-self-start">
        {reassurances.map(({ icon: Icon, title, text }, at) => (
          <li key={title}>
            <Appearing
              isThere={sceneMs > 9000 + 500 * at}
              className="flex gap-x-3.5 gap-y-1.5 max-lg:flex-col max-lg:items-center max-lg:text-center"
            >
              <Icon className="size-6 text-plum" />
              <span>
                <strong className="block text-13 leading-tight md:text-17">{title}</strong>
                <span className="block text-15 text-quiet max-md:hidden">{text}</span>
              </span>
            </Appearing>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The album that is being made, as the studio would show it by day. The button works. */
function AlbumPicture({ sceneMs }: { sceneMs: number }) {
  const isPriced = sceneMs > 4200;
  const isPrivate = sceneMs > 6000;
  const [isTapped, setTapped] = useState(false);
  // Where nothing moves by itself, it waits for the tap.
  const isMade = isTapped || (sceneMs > madeAtMs && Number.isFinite(sceneMs));
  const arrived = photos.filter((_, at) => sceneMs > 900 + 550 * at).length;
  return (
    <Card
      aria-label="The album in the studio"
      className="light grid w-full max-w-120 gap-3.5 justify-self-center text-ink shadow-soft lg:row-span-2 sm:short:row-span-2"
    >
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-display text-21 font-title">Golden hour</span>
        <span className="text-13 text-quiet">{arrived === 1 ? '1 photo' : `${arrived} photos`}</span>
      </p>
      <ArrivingPhotos arrived={arrived} />
      <p className="flex min-h-12 items-center justify-between rounded-control border border-line px-3.5">
        <span className="font-medium">Price</span>
        <span className="flex items-baseline gap-2">
          <span className="text-13 text-quiet">example</span>
          <span className={cx('font-display text-21 font-title transition duration-300', !isPriced && 'opacity-0')}>
            $50
          </span>
        </span>
      </p>
      <p className="flex min-h-9 items-center justify-between px-3.5">
        <span className="font-medium">Private link only</span>
        <span
          className={cx('flex h-7 w-12 items-center rounded-full p-0.5 transition', isPrivate ? 'bg-plum' : 'bg-edge')}
        >
          <span className={cx('size-6 rounded-full bg-raised shadow-soft transition', isPrivate && 'translate-x-5')} />
        </span>
      </p>
      {isMade ? (
        <p
          role="status"
          className="flex min-h-13 items-center justify-center gap-2 rounded-control bg-moss-wash px-3 text-17 font-strong text-moss max-sm:text-15"
        >
          <Check />
          <span>Link created and copied</span>
        </p>
      ) : (
        <Button
          size="large"
          icon={Link2}
          className={cx('max-sm:px-3', sceneMs > madeAtMs - 300 && Number.isFinite(sceneMs) && 'scale-96')}
          onClick={() => setTapped(true)}
        >
          Create Protected Link
        </Button>
      )}
    </Card>
  );
}

function ArrivingPhotos({ arrived }: { arrived: number }) {
  return (
    <ul className="grid aspect-[2/1] grid-cols-4 grid-rows-2 gap-1.5 max-lg:low:aspect-[5/1] max-lg:low:grid-cols-5 max-lg:low:grid-rows-1">
      {photos.map((src, at) => (
        <li
          key={src}
          className={cx(
            'relative overflow-hidden rounded-photo bg-line',
            at === 0 && 'col-span-2 row-span-2 max-lg:low:col-span-1 max-lg:low:row-span-1',
          )}
        >
          <img
            src={src}
            alt=""
            width="360"
            height="360"
            className={cx('size-full object-cover transition duration-500', at >= arrived && 'scale-110 opacity-0')}
          />
        </li>
      ))}
    </ul>
  );
}

const payments = [
  { who: 'Jules', what: 'Golden hour · album', sum: '$50', at: 2600 },
  { who: 'Bob', what: 'Tip', sum: '$15', at: 3300 },
  { who: 'Amara', what: 'Monthly fan', sum: '$12', at: 4000 },
];

/** Scene 5: what it brings. The sums are examples, and say so. */
export function EarningScene({ sceneMs, keptPercent }: SceneProps) {
  return (
    <div className="grid w-full max-w-270 items-center gap-x-16 gap-y-8 low:gap-y-6 sm:short:grid-cols-2 lg:grid-cols-[1.15fr_1fr]">
      <div className="grid gap-5 max-lg:justify-items-center max-lg:text-center md:gap-8">
        <h2 className={titleType}>
          <TypedText sceneMs={sceneMs} delayMs={200} stepMs={55}>
            People pay for what you choose to show.
          </TypedText>
        </h2>
        <Appearing isThere={sceneMs > 2300}>
          <p className="font-display text-[clamp(4rem,22vw,8.5rem)] leading-none font-title tracking-tight text-ember short:text-56">
            <Counter cents={7_700} sceneMs={sceneMs} delayMs={2600} />
          </p>
          <p className="mt-1 text-15 text-quiet">One evening, as an example</p>
        </Appearing>
      </div>
      <div className="grid gap-5">
        <ul className="grid w-full max-w-110 gap-2.5 justify-self-center">
          {payments.map(({ who, what, sum, at }) => (
            <li
              key={who}
              className={cx(
                'flex items-center gap-3.5 rounded-card border border-line bg-raised px-4 py-3 transition duration-500',
                sceneMs < at && 'translate-y-4 opacity-0',
              )}
            >
              <Avatar name={who} />
              <span className="min-w-0 flex-1">
                <strong className="block text-17">{who}</strong>
                <span className="block text-13 text-quiet">{what}</span>
              </span>
              <span className="font-display text-21 font-title text-moss">{sum}</span>
            </li>
          ))}
        </ul>
        <Appearing isThere={sceneMs > 6200} className="text-center text-17 text-balance">
          {`You keep ${keptPercent}%. No public profile, no feed.`}
        </Appearing>
      </div>
    </div>
  );
}
