import { Play } from 'lucide-react';
import { ProgressRing } from '#ui/feedback/progress-bar.tsx';
import { LineChart } from '#ui/figures/line-chart.tsx';
import { StackedChart } from '#ui/figures/stacked-chart.tsx';
import { GallerySection } from '#ui/gallery/gallery-section.tsx';
import { PhotoCaption, PhotoTile } from '#ui/pictures/photo-tile.tsx';
import { QrCode } from '#ui/pictures/qr-code.tsx';

const dusk =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3ClinearGradient id='s' x2='0' y2='1'%3E%3Cstop stop-color='%23402a50'/%3E%3Cstop offset='.6' stop-color='%23c25a6c'/%3E%3Cstop offset='1' stop-color='%23ffb060'/%3E%3C/linearGradient%3E%3Cpath fill='url(%23s)' d='M0 0h9v6H0z'/%3E%3Cpath fill='%23271c33' d='M0 6h9v3H0z'/%3E%3Ccircle cx='5.4' cy='5.4' r='.7' fill='%23ffe2b0'/%3E%3C/svg%3E";
const thumbhashes = ['1QcSHQRnh493V4dIh4eXh1h4kJUI', '3OcRJYB4d3h/iIeHeEh3eIhw+j3A'];
const week = [3, 9, 4, 14, 11, 26, 34].map((value, day) => ({ day: `${day + 6} Nov`, value }));
const kinds = [
  { label: 'Tips', tone: 'ember' },
  { label: 'Albums', tone: 'plum' },
  { label: 'Refunds', tone: 'rust' },
] as const;
const earned = week.map(({ day, value }, at) => ({ day, values: [value * 45, (at % 3) * 900, at === 4 ? -900 : 0] }));

/** Photos in each state, a chart, a code. */
export function Pictures() {
  return (
    <GallerySection title="Pictures and figures">
      <div className="grid grid-cols-3 gap-1.5 md:gap-2.5">
        <div className="grid aspect-square place-content-center justify-items-center gap-2 rounded-photo bg-plum-wash text-center text-13">
          <ProgressRing label="IMG_2041.HEIC" done={0.64} />
          <span className="leading-snug">
            IMG_2041.HEIC
            <br />
            <span className="text-quiet tabular-nums">3.1 of 4.8 MB</span>
          </span>
        </div>
        <PhotoTile alt="Sunset over the sea" thumbhash={thumbhashes[0]} src={dusk} />
        <PhotoTile alt="Sunset, moving" src={dusk}>
          <PhotoCaption>
            <Play className="size-3.5" />
            0:42
          </PhotoCaption>
        </PhotoTile>
        <PhotoTile alt="Still loading" thumbhash={thumbhashes[1]} />
        <PhotoTile alt="Lost picture" src="data:image/png;base64,AAAA" />
        <PhotoTile alt="Not loaded yet" />
      </div>
      <LineChart label="Views" points={week} />
      <LineChart label="Viewers" points={[]} />
      <StackedChart label="Earned" by="day" kinds={kinds} points={earned} formatValue={(cents) => `$${cents / 100}`} />
      <QrCode text="https://example.com/view/6bTqZk0rW2mYc1LhV8sXfA" label="QR code of Bob's link" />
    </GallerySection>
  );
}
