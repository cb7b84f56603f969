import { createHash } from 'node:crypto';

/** A code as it is stored. */
export const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest();
