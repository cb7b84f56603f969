import { uploads } from './uploads/upload-list.tsx';
import { isBusy } from './uploads/upload-rules.ts';

/** Returns whether this page is sending files. */
export const isSending = (): boolean => uploads.entries().some(({ state }) => isBusy(state));
