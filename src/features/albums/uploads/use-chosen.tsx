import { useEffect, useRef, useState } from 'react';
import type { AlbumItem } from '../contract.ts';
import { addPhotosId } from './pickers.tsx';

const nothing: ReadonlySet<string> = new Set();

/** Where the focus is to go, once the grid is as it will be. */
interface Aim {
  /** The photo that stands here then, or the last one. */
  place: number;
  /** Photos that must have left the grid before. */
  gone: readonly string[];
  /** Photos that must have come back: the first of them is meant. */
  back: readonly string[];
}

/**
 * The chosen photos, and where the focus of a keyboard goes when what had it is taken away: to the photo that moves up, to
 * one that comes back, to "Add photos or videos" in an empty album. Whoever has gone elsewhere meanwhile stays there.
 */
export function useChosen(order: readonly AlbumItem[]) {
  const [chosen, setChosen] = useState(nothing);
  const [isAsked, setAsked] = useState(false);
  const [aim, setAim] = useState<Aim>();
  const grid = useRef<HTMLUListElement>(null);
  const place = useRef(0);
  const placeOf = (ids: ReadonlySet<string>) => order.findIndex(({ id }) => ids.has(id));
  const choose = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    if (next.size > 0) place.current = placeOf(next);
    setChosen(next);
  };
  useEffect(() => {
    if (aim === undefined) return;
    const has = (id: string) => order.some((item) => item.id === id);
    if (aim.gone.some(has) || !aim.back.every(has)) return;
    setAim(undefined);
    const target = order.find(({ id }) => id === aim.back[0]) ?? order[Math.min(aim.place, order.length - 1)];
    // A dialog or a menu that closes puts the focus back first.
    setTimeout(() => {
      if (!hasLostFocus()) return;
      const tile = target && grid.current?.querySelector<HTMLElement>(`[data-photo="${target.id}"] button`);
      (tile ?? document.getElementById(addPhotosId))?.focus();
    }, 0);
  }, [aim, order]);
  return {
    grid,
    chosen,
    /** A tap on a picture chooses it. */
    isChoosing: isAsked || chosen.size > 0,
    setChoosing: (params: boolean) => {
      setAsked(params);
      if (!params) setChosen(nothing);
    },
    choose,
    /** Nothing is chosen any more. @param gone what leaves the album with it */
    leave: (gone: readonly string[]) => {
      setChosen(nothing);
      setAsked(false);
      setAim({ place: place.current, gone, back: [] });
    },
    /** One photo leaves the album that was not chosen. */
    leaveOne: (id: string) => setAim({ place: Math.max(0, placeOf(new Set([id]))), gone: [id], back: [] }),
    /** Photos come back. */
    welcome: (back: readonly string[]) => setAim({ place: 0, gone: [], back }),
  };
}

/** Nothing has the focus, or the page's own part, which is where it falls back to. */
function hasLostFocus(): boolean {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.id === 'main';
}
