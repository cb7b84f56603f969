import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { Check, EyeOff, GripVertical, Play, TriangleAlert } from 'lucide-react';
import { ProtectedPhoto } from '#features/media/protected-photo.tsx';
import { formatLength } from '#kit/text.ts';
import { cx } from '#ui/cx.ts';
import { Spinner } from '#ui/feedback/spinner.tsx';
import type { AlbumItem } from '../contract.ts';
import { DevicePreview } from '../uploads/device-preview.tsx';
import { uploads } from '../uploads/upload-list.tsx';

type ItemTileProps = {
  item: AlbumItem;
  label: string;
  isChosen: boolean;
  /** A tap chooses. */
  isChoosing: boolean;
  onChoose: () => void;
  onOpen: () => void;
};

/** One picture of the album: tap to open, drag or hold to move, the corner to choose where a mouse hovers; the grip is for the keyboard. */
export function ItemTile({ item, label, isChosen, isChoosing, onChoose, onOpen }: ItemTileProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: item.id,
  });
  return (
    <li
      ref={setNodeRef}
      data-photo={item.id}
      {...listeners}
      style={{ transform: CSS.Transform.toString(transform), transition }}
      className={cx('group relative touch-manipulation select-none', isDragging && 'z-10 opacity-80 shadow-soft')}
    >
      <button
        type="button"
        onClick={isChoosing ? onChoose : onOpen}
        aria-label={item.state === 'ready' ? label : undefined}
        aria-describedby={hasLength(item) ? `length-${item.id}` : undefined}
        className="block w-full rounded-photo"
      >
        {/* Where words stand instead of a picture, they are part of its name. */}
        {item.state !== 'ready' && <span className="sr-only">{`${label}: `}</span>}
        <Picture item={item} />
        <span
          className={cx(
            'pointer-events-none absolute inset-0 rounded-photo',
            isChosen && 'outline-3 -outline-offset-3 outline-plum',
          )}
        />
      </button>
      <button
        type="button"
        ref={setActivatorNodeRef}
        {...attributes}
        aria-label={`Move: ${label}`}
        className="absolute right-0 bottom-0 grid size-11 cursor-grab place-items-center text-on-photo opacity-0 focus-visible:opacity-100 group-hover:opacity-100 pointer-coarse:pointer-events-none"
      >
        <span className="grid size-7 place-items-center rounded-full bg-photo-shade">
          <GripVertical className="size-4" />
        </span>
      </button>
      <ChooseCircle label={label} isChosen={isChosen} isChoosing={isChoosing} onChoose={onChoose} />
      {item.isHidden && (
        <span className="absolute top-2 right-2 grid size-7 place-items-center rounded-full bg-photo-shade text-on-photo">
          <EyeOff className="size-4" aria-label="Hidden from viewers" />
        </span>
      )}
    </li>
  );
}

/** The corner that chooses. */
function ChooseCircle({
  label,
  isChosen,
  isChoosing,
  onChoose,
}: Pick<ItemTileProps, 'label' | 'isChosen' | 'isChoosing' | 'onChoose'>) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-label={`Select: ${label}`}
      onClick={onChoose}
      className={cx(
        'absolute top-0 left-0 grid size-11 place-items-center focus-visible:opacity-100',
        // A finger does not hover: it begins with "Select".
        !isChosen && !isChoosing && 'opacity-0 group-hover:opacity-100 pointer-coarse:hidden',
      )}
    >
      <span
        className={cx(
          'grid size-6 place-items-center rounded-full border-2 border-on-photo',
          isChosen ? 'bg-plum text-on-plum' : 'bg-photo-shade',
        )}
      >
        {isChosen && <Check className="size-4" />}
      </span>
    </button>
  );
}

const isBroken = ({ state }: AlbumItem) => state === 'failed' || state === 'quarantined';

/** A video that is made says how long it is. */
const hasLength = (item: AlbumItem): item is AlbumItem & { durationMs: number } =>
  item.progress === null && item.durationMs !== null;

/** Returns why there is no picture, as the tile shows it. */
const describeState = (item: AlbumItem) => (isBroken(item) ? (item.failText ?? '') : 'Processing…');

const pill = 'absolute bottom-2 left-2 whitespace-nowrap rounded-full bg-photo-shade px-2 py-0.5 text-13 text-on-photo';

/** On a phone its reason has all the room below the circle that chooses it: three lines. */
const failed =
  'content-end gap-0.5 bg-rust-wash px-0.5 pb-1.5 text-rust leading-tight md:content-center md:gap-1.5 md:p-2';

function Picture({ item }: { item: AlbumItem }) {
  // A video has its poster long before it can be played.
  const hasPicture = item.state === 'ready' || (item.kind === 'video' && item.state === 'processing');
  if (hasPicture && item.width !== null && item.height !== null)
    return (
      <span className="relative block">
        <ProtectedPhoto
          mediaId={item.id}
          rendition={item.kind === 'video' ? 'posterthumb' : 'thumb512'}
          thumbhash={item.thumbhash ?? ''}
          width={item.width}
          height={item.height}
          alt=""
          className="aspect-square"
        />
        {item.progress !== null && (
          <span className={pill}>
            <span className="sr-only">Processing… </span>
            <span>{`${item.progress}%`}</span>
          </span>
        )}
        {hasLength(item) && (
          <span id={`length-${item.id}`} className={cx(pill, 'inline-flex items-center gap-1 tabular-nums')}>
            <Play className="size-3 fill-current" />
            <span>{formatLength(item.durationMs)}</span>
          </span>
        )}
      </span>
    );
  const isFailed = isBroken(item);
  const preview = isFailed ? undefined : uploads.previewOf(item.id);
  return (
    <span
      className={cx(
        'relative grid aspect-square justify-items-center overflow-hidden rounded-photo text-center text-13',
        isFailed ? failed : 'place-content-center gap-1.5 bg-plum-wash p-2 text-quiet',
      )}
    >
      <DevicePreview src={preview} />
      {isFailed ? (
        <TriangleAlert className="size-5 max-md:absolute max-md:top-2.5" />
      ) : (
        <Spinner className="relative size-6" />
      )}
      <span className="relative line-clamp-1 w-full break-all text-ink">{item.originalName}</span>
      <span className={cx('relative line-clamp-3', preview && 'text-ink')}>{describeState(item)}</span>
    </span>
  );
}
