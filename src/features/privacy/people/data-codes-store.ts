import { openMailedCodes } from '#features/viewing/mailed-codes-store.ts';

/** Codes by which somebody without an account says what becomes of their data; one for each act. */
export const dataCodes = openMailedCodes({ kind: 'data', table: 'data_codes', subject: 'act' });
