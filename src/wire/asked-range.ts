import type { ByteRange } from '#engines/storage/storage.ts';

/**
 * The one part of a file that a `Range` header asks for (RFC 9110 §14.2); undefined is all of it, also for what asks for several
 * parts or in another unit: a server may always answer so. `'none'` lies behind its end.
 */
export function readAskedRange(header: string | undefined, sizeBytes: number): ByteRange | 'none' | undefined {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.replace(/\s/g, '') ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') {
    const many = Math.min(Number(last), sizeBytes);
    return many === 0 ? 'none' : { from: sizeBytes - many, to: sizeBytes - 1 };
  }
  const [from, to] = [Number(first), last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)];
  if (last !== '' && Number(last) < from) return undefined;
  return from >= sizeBytes ? 'none' : { from, to };
}
