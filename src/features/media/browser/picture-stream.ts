import { createFrameCutter, type Frame, jsonOf } from './frames.ts';
import type { Pictures } from './pictures.ts';

/** One rendition of one item. */
export interface Wanted {
  mediaId: string;
  rendition: string;
}

/** What every stream's first frame holds, whatever else it says: the leases in the order of the pictures that follow. */
export interface StreamHead {
  leases: (Wanted & { packId: string })[];
  expiresInMs?: number;
}

/** The name under which a picture and its canvas meet. */
export const nameOf = ({ mediaId, rendition }: Wanted): string => `${mediaId}/${rendition}`;

export interface StreamEvents {
  onHead(head: StreamHead): void;
  /** The server ends the stream because access has ended; `refusal` as `open` would answer it. */
  onRefused(refusal: unknown): void;
}

/**
 * Reads one answer of `open` or `leases`: kind 0 its head, kind 1 keys and pack of a picture (u16 number, u16 tiles, keys,
 * pack), kind 2 a refusal in the middle.
 */
export function readPictureStream(pictures: Pictures, { onHead, onRefused }: StreamEvents) {
  let leases: StreamHead['leases'] | undefined;
  const stale: Wanted[] = [];
  /** How many have come whole, or were gone: the number of the one that is coming. */
  let whole = 0;
  /** The picture that is coming in; undefined until its keys are whole. */
  let coming: { name: string; packAt: number } | undefined;

  const beginPicture = ({ body, filled }: Frame) => {
    const lease = leases?.[whole];
    const tiles = filled < 4 ? 0 : new DataView(body.buffer).getUint16(2);
    const packAt = 4 + 32 * tiles;
    // Without a tile it is gone, and the others keep their places.
    if (lease === undefined || tiles === 0 || filled < packAt) return;
    const keys = body.slice(4, packAt);
    coming = { name: nameOf(lease), packAt };
    if (packAt < body.length) pictures.begin(coming.name, { keys, pack: body.subarray(packAt) }, filled - packAt);
    else if (!pictures.renew(coming.name, keys, lease.packId)) stale.push(lease);
  };
  const takePicture = (part: Frame) => {
    if (coming === undefined) beginPicture(part);
    else pictures.grow(coming.name, part.filled - coming.packAt);
    if (part.filled < part.body.length) return;
    coming = undefined;
    whole++;
  };
  const cutter = createFrameCutter((part) => {
    if (part.kind === 1) return takePicture(part);
    if (part.filled < part.body.length) return;
    if (part.kind === 2) return onRefused(jsonOf(part));
    const head = jsonOf(part) as StreamHead;
    leases = head.leases;
    onHead(head);
  });
  return {
    push: cutter.push,
    /** Keys came for ciphertext that is not here: these must be asked for whole. */
    stale: (): readonly Wanted[] => stale,
    /** What has not come whole so far; undefined before the head is there. */
    owed: (): readonly Wanted[] | undefined => leases && [...leases.slice(whole), ...stale],
  };
}
