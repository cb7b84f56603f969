import * as z from 'zod';

/** An id in the input of a call: whoever writes it in capitals means the same row. In addresses ids are lower case only. */
export const Uuid = z.uuid().toLowerCase();
