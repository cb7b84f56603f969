import { callsOf } from '#wire/client.ts';
import { previewsContract } from './preview-contract.ts';

/** The calls of previews. */
export const previews = callsOf('previews', previewsContract);
