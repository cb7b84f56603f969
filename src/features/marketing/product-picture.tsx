import { drawButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { cx } from '#ui/cx.ts';
import { LiveDot } from '#ui/live-dot.tsx';
import city from './pictures/city.webp?no-inline';
import dunes from './pictures/dunes.webp?no-inline';
import evening from './pictures/evening.webp?no-inline';
import fronds from './pictures/fronds.webp?no-inline';
import lamp from './pictures/lamp.webp?no-inline';
import linen from './pictures/linen.webp?no-inline';
import petals from './pictures/petals.webp?no-inline';
import sea from './pictures/sea.webp?no-inline';
import shutters from './pictures/shutters.webp?no-inline';

/** The reveal as a viewer sees it: one picture after another sharpens out of its colours. */
const tiles = [
  { src: evening, blur: '' },
  { src: shutters, blur: '' },
  { src: petals, blur: '' },
  { src: fronds, blur: '' },
  { src: lamp, blur: '' },
  { src: sea, blur: 'blur-[2px]' },
  { src: dunes, blur: 'scale-115 blur-[7px]' },
  { src: linen, blur: 'scale-115 blur-[11px]' },
  { src: city, blur: 'scale-115 blur-[14px]' },
];

/** The product in one picture: a gallery being revealed, and what its creator sees at the same moment. */
export function ProductPicture() {
  return (
    <div
      role="img"
      aria-label="A private album on a phone, its photos sharpening one after another. A card says: Bob opened Golden hour, 10:32, Germany, 4 minutes 12 seconds. Beside it stands Revoke."
      className="relative overflow-hidden rounded-sheet shadow-soft"
    >
      <ul aria-hidden="true" className="dark grid grid-cols-3 gap-0.5 bg-paper">
        {tiles.map(({ src, blur }) => (
          <li key={src} className="aspect-square overflow-hidden">
            <img
              src={src}
              alt=""
              width="360"
              height="360"
              decoding="async"
              className={cx('size-full object-cover', blur)}
            />
          </li>
        ))}
      </ul>
      <Card
        aria-hidden="true"
        className="absolute inset-x-3.5 bottom-3.5 flex items-center gap-3.5 py-3.5 shadow-soft max-md:px-4"
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
