import { useState } from 'react';
import { isNamedAfter } from '#features/links/rules.ts';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import { smallRenditionOf } from '#features/media/rules.ts';
import { formatCount, formatDuration, isolate } from '#kit/text.ts';
import { minuteMs } from '#kit/time.ts';
import { LineChart } from '#ui/figures/line-chart.tsx';
import { StatTile } from '#ui/figures/stat-tile.tsx';
import { Segmented } from '#ui/forms/segmented.tsx';
import { Card } from '#ui/layout/card.tsx';
import { SectionHeader } from '#ui/layout/section-header.tsx';
import type { Days, NamedSums, Overview } from '../contract.ts';
import { chartDays, nameDevice, nameSource } from '../insight-texts.ts';
import { MoneyTiles } from './money-tiles.tsx';
import { PartList } from './part-list.tsx';

type Measure = 'views' | 'watchMs' | 'opens';
const measures: { value: Measure; label: string }[] = [
  { value: 'views', label: 'Views' },
  { value: 'watchMs', label: 'Time' },
  { value: 'opens', label: 'Opens' },
];

/** Watch time as a figure: from ten minutes on, seconds say nothing any more. */
export const describeTime = (ms: number) =>
  ms >= 10 * minuteMs && ms < 60 * minuteMs ? `${Math.floor(ms / minuteMs)} min` : formatDuration(ms);
const describeCount = (count: number) => count.toLocaleString('en');
const describeIn: Readonly<Record<Measure, (value: number) => string>> = {
  views: describeCount,
  watchMs: describeTime,
  opens: describeCount,
};

/** The figures of a span: one is large, with its days as a line; the rest is quiet. */
export function Figures({ overview: { figures, days }, days: span }: { overview: Overview; days: Days }) {
  const [measure, setMeasure] = useState<Measure>('views');
  const { views, uniqueViewers, newViewers, watchMs, opens, screensClosed } = figures;
  const { label = '' } = measures.find(({ value }) => value === measure) ?? {};
  return (
    <div className="grid gap-3">
      <Card>
        <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
          <p>
            <span className="block text-quiet">{label}</span>
            <span className="block font-display text-56 font-title tabular-nums lining-nums">
              {describeIn[measure](figures[measure])}
            </span>
          </p>
          <Segmented label="Chart shows" options={measures} value={measure} onChange={setMeasure} />
        </div>
        <LineChart label="By day" points={chartDays(days, (day) => day[measure])} formatValue={describeIn[measure]} />
      </Card>
      <div className="grid grid-cols-2 gap-3 md:grid-cols-3">
        <StatTile
          label="Viewers"
          value={describeCount(uniqueViewers)}
          note={newViewers > 0 ? `${describeCount(newViewers)} new` : 'none new'}
        />
        <StatTile
          label="Watch time"
          value={describeTime(watchMs)}
          note={views > 0 ? `${formatDuration(watchMs / views)} a view` : 'no views yet'}
        />
        <StatTile label="Opens" value={describeCount(opens)} note="times opened" />
        <MoneyTiles days={span} />
        <StatTile label="Screens closed" value={describeCount(screensClosed)} note="by revoking a link" />
      </div>
    </div>
  );
}

/** The pictures that were looked at longest. */
export function TopPhotos({ overview: { items } }: { overview: Overview }) {
  if (items.length === 0) return null;
  return (
    <section>
      <SectionHeader title={items.some(({ kind }) => kind === 'video') ? 'Photos and videos' : 'Photos'} />
      <ul className="grid grid-cols-3 gap-2 md:grid-cols-6">
        {items.map(({ mediaId, kind, thumbhash, width, height, looks, watchMs }) => (
          <li key={mediaId} className="min-w-0">
            <ProtectedPhoto
              mediaId={mediaId}
              rendition={smallRenditionOf(kind)}
              thumbhash={thumbhash}
              width={width}
              height={height}
              alt={`${kind === 'video' ? 'Video' : 'Photo'} viewed ${formatCount(looks, 'time')}, ${formatDuration(watchMs)}`}
              className="aspect-square"
            />
            <p className="mt-1 truncate text-13 font-medium tabular-nums">{formatDuration(watchMs)}</p>
            <p className="truncate text-13 text-quiet tabular-nums">{formatCount(looks, 'view')}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const viewsOf = ({ views, opens }: NamedSums) =>
  views > 0 ? formatCount(views, 'view') : `opened ${opens.toLocaleString('en')}×`;

const describeFor = ({ linkName, recipientName }: Overview['links'][number]) =>
  recipientName === null || isNamedAfter(linkName, recipientName) ? undefined : `for ${isolate(recipientName)}`;

/** Links and albums by what they brought. */
export function TopLinks({ overview: { links, albums } }: { overview: Overview }) {
  return (
    <>
      <PartList
        title="Links"
        parts={links.map((link) => ({
          key: link.linkId,
          name: link.linkName || 'Untitled Link',
          to: `/magic-links/${link.linkId}`,
          note: describeFor(link),
          figure: [viewsOf({ name: '', ...link }), describeTime(link.watchMs)].join(' · '),
          size: link.views,
        }))}
      />
      {albums.length > 0 && (
        <PartList
          title="Albums"
          parts={albums.map((album) => ({
            key: album.albumId,
            name: album.name,
            to: `/albums/${album.albumId}`,
            figure: `${formatCount(album.looks, 'item view')} · ${describeTime(album.watchMs)}`,
            size: album.watchMs,
          }))}
        />
      )}
    </>
  );
}

/** On what, in which app. */
export function Audience({ overview: { devices, apps } }: { overview: Overview }) {
  const rows = (list: readonly NamedSums[], nameOf: (name: string) => string) =>
    list.map((row) => ({ key: row.name, name: nameOf(row.name), figure: viewsOf(row), size: row.views }));
  return (
    <>
      <PartList title="Devices" parts={rows(devices, nameDevice)} />
      <PartList title="Opened in" parts={rows(apps, nameSource)}>
        <p className="mt-3 text-13 text-quiet">
          An app is known when it opens links in a browser of its own. Most chats hand them to the phone's browser,
          which doesn't say where a link came from.
        </p>
      </PartList>
    </>
  );
}
