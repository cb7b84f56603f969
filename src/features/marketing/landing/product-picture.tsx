import { drawButton } from '#ui/buttons/button.tsx';
import { cx } from '#ui/cx.ts';
import { Card } from '#ui/layout/card.tsx';
import { LiveDot } from '#ui/live-dot.tsx';
import city from '../pictures/city.webp?no-inline';
import dunes from '../pictures/dunes.webp?no-inline';
import evening from '../pictures/evening.webp?no-inline';
import fronds from '../pictures/fronds.webp?no-inline';
import lamp from '../pictures/lamp.webp?no-inline';
import linen from '../pictures/linen.webp?no-inline';
import petals from '../pictures/petals.webp?no-inline';
import sea from '../pictures/sea.webp?no-inline';
import shutters from '../pictures/shutters.webp?no-inline';

/** The reveal as a viewer sees it: one picture after another sharpens out of its colours, and the last ones are still to come. */
const tiles = [
  { src: evening, look: '[animation-delay:150ms]' },
  { src: shutters, look: '[animation-delay:270ms]' },
  { src: petals, look: '[animation-delay:390ms]' },
  { src: fronds, look: '[animation-delay:510ms]' },
  { src: lamp, look: '[animation-delay:630ms]' },
  { src: sea, look: 'blur-[2px] [animation-delay:750ms]' },
  { src: dunes, look: 'scale-115 blur-[7px] [animation-delay:870ms]' },
  { src: linen, look: 'scale-115 blur-[11px] [animation-delay:990ms]' },
  { src: city, look: 'scale-115 blur-[14px] [animation-delay:1110ms]' },
];

/** The product in one picture: a gallery being revealed, and what its creator sees at the same moment. */
export function ProductPicture() {
  return (
    <div
      role="img"
      aria-label="A private album on a phone, its photos sharpening one after another. A card says: Bob opened Golden hour, 10:32, Germany, 4 minutes 12 seconds. Beside it stands Revoke."
      className="relative min-h-50 flex-1 overflow-hidden rounded-sheet shadow-soft max-md:max-h-105 md:aspect-square md:min-h-0"
    >
      <ul aria-hidden="true" className="dark absolute inset-0 grid grid-cols-3 grid-rows-3 gap-0.5 bg-paper">
        {tiles.map(({ src, look }) => (
          <li key={src} className="overflow-hidden">
            <img
              src={src}
              alt=""
              width="360"
              height="360"
              decoding="async"
              className={cx('size-full animate-sharpen object-cover', look)}
            />
          </li>
        ))}
      </ul>
      <Card
        aria-hidden="true"
        className="absolute inset-x-3.5 bottom-3.5 flex animate-rise items-center gap-3.5 py-3.5 shadow-soft [animation-delay:1300ms] max-md:px-4"
      >
        <LiveDot />
        <span className="min-w-0 flex-1 text-13">
          <strong className="block truncate">Bob opened Golden hour</strong>
          <span className="block truncate text-quiet">10:32 · Germany · 4 min 12 s</span>
        </span>
        <span className={drawButton({ variant: 'outline' }, 'text-13')}>Revoke</span>
      </Card>
    </div>
  );
}
