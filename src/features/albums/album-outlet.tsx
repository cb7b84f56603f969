import { useOutletContext } from 'react-router';
import type { Album, AlbumItem, Sold } from './contract.ts';

/** What the album's frame hands to its tabs. */
export interface AlbumInFrame {
  album: Album;
  items: AlbumItem[];
  sold: Sold;
}

/** The album of the frame that this tab stands in. */
export const useAlbum = () => useOutletContext<AlbumInFrame>();
