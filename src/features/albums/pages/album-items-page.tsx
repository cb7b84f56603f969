import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { arrayMove, rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Elements } from '#kit/elements.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useOver } from '#ui/use-over.tsx';
import { callsOf } from '#wire/client.ts';
import { useWrite } from '#wire/use-write.tsx';
import { useAlbum } from '../album-outlet.tsx';
import { type Album, type AlbumItem, albumsContract } from '../contract.ts';
import { DeletedPhotos } from '../items/deleted-photos.tsx';
import { ItemDialog } from '../items/item-dialog.tsx';
import { nameOfKind } from '../items/item-names.ts';
import { ItemTile } from '../items/item-tile.tsx';
import { SelectionBar } from '../items/selection-bar.tsx';
import { UploadArea } from '../uploads/upload-area.tsx';
import { uploads } from '../uploads/upload-list.tsx';
import { useChosen } from '../uploads/use-chosen.tsx';

const albums = callsOf('albums', albumsContract);

/** Returns what a screen reader says while a photo or a video is moved: places, never ids. */
function announce(order: readonly AlbumItem[]): Announcements {
  const placeOf = (id: string | number) => order.findIndex((item) => item.id === id) + 1;
  const nameOf = (id: string | number) => `${nameOfKind(order[placeOf(id) - 1]?.kind ?? 'photo')} ${placeOf(id)}`;
  return {
    onDragStart: ({ active }) => `${nameOf(active.id)} picked up. Move it with the arrow keys.`,
    onDragOver: ({ over }) => (over ? `Position ${placeOf(over.id)} of ${order.length}.` : "It can't go there."),
    onDragEnd: ({ over }) => (over ? `Dropped at position ${placeOf(over.id)} of ${order.length}.` : 'Put back.'),
    onDragCancel: ({ active }) => `${nameOf(active.id)} is back in its place.`,
  };
}

/** The items in their order, and what moves one of them to another place at once and on the server. */
function useOrder(albumId: string, items: AlbumItem[]): [AlbumItem[], (from: number, to: number) => void] {
  const [order, setOrder] = useState(items);
  const queries = useQueryClient();
  useEffect(() => setOrder(items), [items]);
  useEffect(() => {
    for (const { id, state } of items) if (state === 'ready' || state === 'failed') uploads.forgetPreview(id);
  }, [items]);
  const reorder = useWrite(
    albums.reorder.mutationOptions({
      onError: () => {
        setOrder(items);
        toast.error({ title: "The order wasn't saved", message: 'This was changed elsewhere. Please try again.' });
      },
      onSettled: () => queries.invalidateQueries({ queryKey: albums.one.key({ input: { albumId } }) }),
    }),
  );
  const move = (from: number, to: number) => {
    const next = arrayMove(order, from, to);
    setOrder(next);
    reorder.mutate({ albumId, mediaIds: next.map(({ id }) => id) });
  };
  return [order, move];
}

/** The item that stands open over the album, and the way to its neighbours. */
function useOpened(order: readonly AlbumItem[]) {
  const { value, open, turnTo, close } = useOver('photo');
  const at = order.findIndex(({ id }) => id === value);
  const turn = (step: 1 | -1) => {
    const next = order[at + step];
    if (next !== undefined) turnTo(next.id);
  };
  return { item: order[at], place: { at, of: order.length }, open, turn, close };
}

interface OpenedItemProps {
  album: Album;
  opened: ReturnType<typeof useOpened>;
  onDeleted: (id: string) => void;
  onUndone: (back: readonly string[]) => void;
}

/** The dialog of the item that stands open, if there is one. */
function OpenedItem({ album, opened, onDeleted, onUndone }: OpenedItemProps) {
  const { item, place, turn, close } = opened;
  if (item === undefined) return null;
  return (
    <ItemDialog
      albumId={album.id}
      item={item}
      teaserCount={album.teaserCount}
      place={place}
      onTurn={turn}
      onClose={close}
      onDeleted={() => onDeleted(item.id)}
      onUndone={() => onUndone([item.id])}
    />
  );
}

/** Lifting an item and putting it down, with a mouse, a finger or the keyboard. */
function useLifting(order: readonly AlbumItem[], move: (from: number, to: number) => void) {
  const [isMoving, setMoving] = useState(false);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const drop = ({ active, over }: DragEndEvent) => {
    setMoving(false);
    const [from, to] = [active.id, over?.id].map((id) => order.findIndex((item) => item.id === id));
    if (from === undefined || to === undefined || from < 0 || to < 0 || from === to) return;
    move(from, to);
  };
  const lifting = {
    sensors,
    onDragStart: () => setMoving(true),
    onDragEnd: drop,
    onDragCancel: () => setMoving(false),
  };
  return { isMoving, lifting };
}

/** Begins to choose, and ends it. */
function SelectButton({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <Button variant="bare" aria-pressed={isOn} onClick={() => onChange(!isOn)}>
      {isOn ? 'Done' : 'Select'}
    </Button>
  );
}

/** For fingers: how something is moved. */
function HoldHint({ items }: { items: readonly AlbumItem[] }) {
  return (
    <p className="mt-3 hidden text-13 text-quiet pointer-coarse:block">
      {items.some(({ kind }) => kind === 'video')
        ? 'Press and hold to rearrange.'
        : 'Press and hold a photo to rearrange.'}
    </p>
  );
}

/** The album's pictures: upload, order, choose, look. */
export default function AlbumItemsPage() {
  const { album, items } = useAlbum();
  const [order, move] = useOrder(album.id, items);
  const { grid, chosen, isChoosing, setChoosing, choose, leave, leaveOne, welcome } = useChosen(order);
  const opened = useOpened(order);
  const { isMoving, lifting } = useLifting(order, move);
  return (
    <UploadArea
      album={album}
      items={order}
      isMoving={isMoving}
      tools={order.length > 0 && <SelectButton isOn={isChoosing} onChange={setChoosing} />}
    >
      {(uploading: Elements) => (
        <DndContext {...lifting} collisionDetection={closestCenter} accessibility={{ announcements: announce(order) }}>
          <SortableContext items={order.map(({ id }) => id)} strategy={rectSortingStrategy}>
            <ul ref={grid} className="grid grid-cols-3 gap-1.5 md:grid-cols-5 md:gap-2.5" aria-label="Items">
              {uploading}
              {order.map((item, place) => (
                <ItemTile
                  key={item.id}
                  item={item}
                  label={`${nameOfKind(item.kind)} ${place + 1} of ${order.length}${item.caption && `, ${item.caption}`}`}
                  isChosen={chosen.has(item.id)}
                  isChoosing={isChoosing}
                  onChoose={() => choose(item.id)}
                  onOpen={() => opened.open(item.id)}
                />
              ))}
            </ul>
          </SortableContext>
          {order.length > 1 && <HoldHint items={order} />}
          <SelectionBar
            albumId={album.id}
            chosen={order.filter(({ id }) => chosen.has(id))}
            onDone={leave}
            onUndone={welcome}
          />
          <DeletedPhotos albumId={album.id} onUndone={welcome} />
          {/* What the bar lies over can be scrolled from under it. */}
          {chosen.size > 0 && <div className="h-16" />}
          <OpenedItem album={album} opened={opened} onDeleted={leaveOne} onUndone={welcome} />
        </DndContext>
      )}
    </UploadArea>
  );
}
