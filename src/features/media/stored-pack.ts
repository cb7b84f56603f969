/** Where one pack lies and what it shows. */
export interface StoredPack {
  id: string;
  creatorId: string;
  mediaId: string;
  rendition: string;
  path: string;
}

/** A pack with the wrapped key of its medium. */
export interface KeyedPack extends StoredPack {
  columns: number;
  rows: number;
  keyId: string;
  wrapped: Buffer;
}
