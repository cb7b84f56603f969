import * as z from 'zod';

/** An id as it comes in: whoever writes it in capitals means the same row, and inside the house ids are lower case. */
export const Uuid = z.uuid().toLowerCase();
