import { Ban, EyeOff, FileLock2, Fingerprint, type LucideIcon, ScanEye, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '#ui/cx.ts';
import type { Facts } from '../contract.ts';
import petals from '../pictures/petals.webp?no-inline';
import { SitePart } from '../site/site-part.tsx';

type Limits = Pick<Facts['limits'], 'leaseSeconds'>;

interface Layer {
  icon: LucideIcon;
  title: string;
  text: string;
  picture?: ReactNode;
}

/** What each layer does, and honestly not more. */
const listLayers = ({ leaseSeconds }: Limits): readonly Layer[] => [
  {
    icon: FileLock2,
    title: 'No file to save',
    text: `Photos and videos have no address. They travel as encrypted pieces, and each key is good for ${leaseSeconds} seconds.`,
    picture: <PiecesPicture />,
  },
  {
    icon: Fingerprint,
    title: "A mark they can't see",
    text: "Each viewer's photos and videos carry their own invisible mark, inside the picture itself. Upload a leaked copy and compare it with every link that showed it.",
    picture: <MarkPicture />,
  },
  {
    icon: EyeOff,
    title: 'Drawn, not linked',
    text: 'Right-clicking, dragging, selecting, printing and saving give nothing away.',
  },
  { icon: ScanEye, title: 'A mark they can see', text: 'Your name and a view code across the picture, if you like.' },
  {
    icon: Timer,
    title: 'Limits',
    text: "An end date, a set time after it's first opened, one person only, a password.",
  },
  {
    icon: Ban,
    title: 'Revoke',
    text: `One tap, and no more keys are issued. Open screens close, at the latest after ${leaseSeconds} seconds, and a link that was taken back stays closed.`,
    picture: <EndPicture />,
  },
];

const spans = ['md:col-span-3', 'md:col-span-3', 'md:col-span-2', 'md:col-span-2', 'md:col-span-2', 'md:col-span-6'];

/** The layers of protection, on the dark of the viewer's pages. */
export function Layers(limits: Limits) {
  return (
    <SitePart
      title="How your pictures are protected"
      band="dark"
      lead="Six layers, each with one job. What none of them can do stands below them."
    >
      <ul className="grid gap-3 md:grid-cols-6 md:gap-4">
        {listLayers(limits).map(({ icon: Icon, title, text, picture }, at) => (
          <li
            key={title}
            className={cx(
              'overflow-hidden rounded-card border border-line bg-raised',
              spans[at],
              at === 5 && 'md:grid md:grid-cols-[1fr_1.2fr] md:items-center',
            )}
          >
            {picture && (
              <div aria-hidden="true" className={at === 5 ? 'md:order-last' : undefined}>
                {picture}
              </div>
            )}
            <div className="p-5 md:p-6">
              <h3 className="flex items-center gap-2.5 text-21">
                <Icon className="text-plum" />
                <span>{title}</span>
              </h3>
              <p className="mt-2 text-quiet">{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-8 max-w-180 text-17 text-quiet">
        No website can prevent a screenshot, or a photo of the screen. What we promise is this: copying is hard, and
        traceable.
      </p>
    </SitePart>
  );
}

/** Brightness of the encrypted pieces: any, as long as it is the same each time. */
const pieces = Array.from({ length: 96 }, (_, at) => (at * at * 31 + at * 17 + (at >> 4) * 7) % 9);
const shades = [
  'opacity-5',
  'opacity-10',
  'opacity-15',
  'opacity-20',
  'opacity-25',
  'opacity-30',
  'opacity-40',
  'opacity-50',
  'opacity-60',
];

function PiecesPicture() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 480 180"
      className="block h-44 w-full fill-plum"
      preserveAspectRatio="xMidYMid slice"
    >
      {pieces.map((shade, at) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
          key={at}
          x={(at % 16) * 30 + 2}
          y={Math.floor(at / 16) * 30 + 2}
          width="26"
          height="26"
          rx="4"
          className={shades[shade]}
        />
      ))}
    </svg>
  );
}

/** Which of two variants each tile is: the code that stands in a copy. */
const code = [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0];

function MarkPicture() {
  return (
    <div className="relative h-44 overflow-hidden">
      <img src={petals} alt="" width="360" height="360" loading="lazy" className="size-full object-cover opacity-80" />
      <svg aria-hidden="true" viewBox="0 0 480 176" preserveAspectRatio="none" className="absolute inset-0 size-full">
        {code.map((bit, at) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
            key={at}
            x={(at % 8) * 60 + 3}
            y={Math.floor(at / 8) * 58.7 + 3}
            width="54"
            height="52"
            rx="6"
            strokeWidth="1.5"
            className={bit === 1 ? 'fill-plum/25 stroke-plum' : 'fill-transparent stroke-on-photo/25'}
          />
        ))}
      </svg>
    </div>
  );
}

function EndPicture() {
  return (
    <div className="grid h-44 place-content-center justify-items-center gap-1.5 bg-paper px-5 text-center md:h-full md:min-h-44">
      <span className="grid size-11 place-items-center rounded-full border border-line text-quiet">
        <Ban />
      </span>
      <span className="font-display text-21 font-title">Access ended</span>
      <span className="text-13 text-quiet">This link has been taken back.</span>
    </div>
  );
}
