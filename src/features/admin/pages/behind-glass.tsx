import { Images } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createLoader } from '#features/media/browser/preview-loader.ts';
import { OwnVideo } from '#features/media/own-video-player.tsx';
import { type MediaSource, MediaSourceContext, ProtectedPhoto } from '#features/media/protected-photo.tsx';
import type { GlassItem, OpenGlass } from '#features/reports/glass-contract.ts';
import { formatCount } from '#kit/text.ts';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { EmptyState } from '#ui/feedback/empty-state.tsx';
import { SkeletonRows } from '#ui/feedback/skeleton.tsx';
import { Switch } from '#ui/forms/switch.tsx';

/** What an open look shows: blurred, until whoever looks wants to see it. */
export function BehindGlass({ glass: { id, mark, items, isCut } }: { glass: OpenGlass }) {
  const source = useSource(id, mark);
  const [isClear, setClear] = useState(false);
  const [large, setLarge] = useState<GlassItem>();
  if (items.length === 0)
    return (
      <EmptyState icon={Images} title="Nothing is there any more">
        Its creator has taken everything out.
      </EmptyState>
    );
  if (source === undefined) return <SkeletonRows label="Opening" />;
  return (
    <MediaSourceContext value={source}>
      <Switch label="Show without blur" checked={isClear} onChange={setClear} />
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-4">
        {items.map((item, n) => (
          <li key={item.mediaId}>
            <button
              type="button"
              aria-label={`Open ${item.kind} ${n + 1}`}
              onClick={() => setLarge(item)}
              className="block w-full overflow-hidden rounded-photo"
            >
              <ProtectedPhoto
                {...item}
                rendition={item.kind === 'video' ? 'posterthumb' : 'thumb512'}
                alt=""
                className={cx('aspect-square', !isClear && 'blur-xl')}
              />
            </button>
          </li>
        ))}
      </ul>
      {isCut && <p className="text-13 text-quiet">{`The first ${formatCount(items.length, 'item')} are listed.`}</p>}
      {large !== undefined && <Large item={large} onClose={() => setLarge(undefined)} />}
    </MediaSourceContext>
  );
}

/** Fetches and draws for one look; with its end every key is forgotten. */
function useSource(glassId: string, mark: string): MediaSource | undefined {
  const [source, setSource] = useState<MediaSource>();
  useEffect(() => {
    const opened = openSource(glassId, mark);
    setSource(opened);
    return opened.loader.close;
  }, [glassId, mark]);
  return source;
}

/** One of them as large as it is. */
function Large({ item, onClose }: { item: GlassItem; onClose: () => void }) {
  const { kind, width, height } = item;
  const common = { ...item, alt: `The ${kind} in question` };
  return (
    <Dialog open onClose={onClose} title={kind === 'video' ? 'Video' : 'Photo'}>
      {kind === 'video' ? (
        <OwnVideo {...common} />
      ) : (
        <div className="mx-auto" style={{ width: `min(100%, 70dvh * ${width / height})` }}>
          <ProtectedPhoto {...common} rendition="p2048" />
        </div>
      )}
    </Dialog>
  );
}

const openSource = (glassId: string, mark: string): MediaSource => ({
  loader: createLoader({ url: `/api/admin/glass/${glassId}/leases`, mark }),
  mark,
  listOf: (mediaId: string) => `/api/admin/glass/${glassId}/media/${mediaId}/video/main.m3u8`,
  keysOf: (mediaId: string) => `/api/v1/admin/glass/${glassId}/media/${mediaId}/video-keys`,
});
