import { Link2, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import { Chip } from '#ui/chip.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import type { Facts } from '../contract.ts';
import city from '../pictures/city.webp?no-inline';
import dunes from '../pictures/dunes.webp?no-inline';
import evening from '../pictures/evening.webp?no-inline';
import petals from '../pictures/petals.webp?no-inline';
import sea from '../pictures/sea.webp?no-inline';
import { SitePart } from '../site/site-part.tsx';

interface Step {
  title: string;
  text: string;
  picture: ReactNode;
}

const steps: readonly Step[] = [
  { title: 'Watch Demo', text: "See an album through your viewers' eyes.", picture: <PlayerPicture /> },
  {
    title: 'Create Albums',
    text: 'Upload photos and videos. Location, device and time are removed from every one.',
    picture: <AlbumPicture />,
  },
  {
    title: 'Send a Magic Link',
    text: 'One for each person, on your terms: an end date, a viewer limit, a password.',
    picture: <LinkPicture />,
  },
  {
    title: 'They Can View',
    text: "No account, no app. You see who's looking as it happens, and you can close their screen.",
    picture: <ViewerPicture />,
  },
];

/** Four steps, each with a small picture made of the product's own parts. */
export function Steps({ facts: { demoUrl } }: { facts: Facts }) {
  return (
    <SitePart id="how" title="How PrivateFans Works" band="wash">
      <ol className="grid gap-x-5 gap-y-9 sm:grid-cols-2 lg:grid-cols-4">
        {steps.map(({ title, text, picture }, at) => (
          <li key={title} className="grid content-start">
            <div
              aria-hidden="true"
              className="grid h-44 place-items-center overflow-hidden rounded-card border border-line bg-raised"
            >
              {picture}
            </div>
            <h3 className="mt-4 flex items-baseline gap-2.5 text-21">
              <span aria-hidden="true" className="text-plum tabular-nums">
                {at + 1}
              </span>
              <span>{title}</span>
            </h3>
            <p className="mt-1 text-quiet">{text}</p>
            {at === 0 && (
              <p className="flex flex-wrap gap-x-5">
                <a href="/demo" className={way}>
                  Watch Demo
                </a>
                {demoUrl !== null && (
                  <a href={demoUrl} className={way}>
                    Open the demo album
                  </a>
                )}
              </p>
            )}
          </li>
        ))}
      </ol>
    </SitePart>
  );
}

const way = 'inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline';
const small = 'size-full object-cover';

function PlayerPicture() {
  return (
    <span className="relative block h-44 w-full overflow-hidden">
      <img src={sea} alt="" width="360" height="360" loading="lazy" className={small} />
      <span className="absolute inset-0 grid place-items-center">
        <span className="grid size-14 place-items-center rounded-full bg-raised text-plum shadow-soft">
          <Play className="ml-0.5 size-6 fill-current" />
        </span>
      </span>
      <span className="absolute inset-x-4 bottom-4 h-1 overflow-hidden rounded-full bg-raised/45">
        <span className="block h-full w-2/5 rounded-full bg-raised" />
      </span>
    </span>
  );
}

function AlbumPicture() {
  return (
    <span className="relative block h-30 w-46">
      {[
        { src: city, at: 'left-0 -rotate-6' },
        { src: petals, at: 'right-0 rotate-6' },
        { src: evening, at: 'left-1/2 -translate-x-1/2 -translate-y-2 shadow-soft' },
      ].map(({ src, at }) => (
        <span
          key={src}
          className={`absolute top-3 h-27 w-21 overflow-hidden rounded-photo border-2 border-raised ${at}`}
        >
          <img src={src} alt="" width="360" height="360" loading="lazy" className={small} />
        </span>
      ))}
      <span className="absolute inset-x-0 -bottom-3 grid place-items-center">
        <Chip tone="moss">24 photos, cleaned</Chip>
      </span>
    </span>
  );
}

function LinkPicture() {
  return (
    <span className="grid justify-items-center gap-3.5 px-4 text-center">
      <span className="font-display text-17 leading-snug font-title">
        For <u className="decoration-dotted underline-offset-4">Bob</u>, for{' '}
        <u className="decoration-dotted underline-offset-4">24 hours</u> from first look, ends{' '}
        <u className="decoration-dotted underline-offset-4">20 Dec</u>
      </span>
      <span className="inline-flex min-h-9 items-center gap-2 rounded-control bg-plum px-3.5 text-13 font-strong text-on-plum">
        <Link2 />
        Link copied
      </span>
    </span>
  );
}

function ViewerPicture() {
  return (
    <span className="flex w-full items-center gap-3.5 px-5">
      <span className="h-26 w-20 flex-none overflow-hidden rounded-photo">
        <img src={dunes} alt="" width="360" height="360" loading="lazy" className={small} />
      </span>
      <span className="grid min-w-0 gap-1 text-13">
        <span className="flex items-center gap-2.5 font-strong">
          <LiveDot />
          Bob is looking
        </span>
        <span className="text-quiet">Photo 7 of 24</span>
        <span className="text-quiet">Germany · 2 min 08 s</span>
        <span className="mt-1 inline-flex min-h-8 items-center justify-self-start rounded-control border border-line px-2.5 font-strong">
          Close screen
        </span>
      </span>
    </span>
  );
}
