import { keep } from './kept.ts';
import { readSettings } from './store.ts';

/** The settings in force, from memory: read again when one was changed in any process, and after 30 s at the latest. */
export const settingsOf = keep(readSettings);
