import { callsOf } from '#wire/client.ts';
import { tracingContract } from '../contract.ts';

export const tracing = callsOf('tracing', tracingContract);

/** Returns where the pages of an album's leaks are. */
export const leaksOf = (albumId: string): string => `/albums/${albumId}/leaks`;

/** Where the moment of a video that a copy shows can be looked at. */
export const originalOf = (traceId: string): string => `/api/traces/${traceId}/original`;

/** Where the copy of a trace can be looked at. */
export const previewOf = (traceId: string): string => `/api/traces/${traceId}/preview`;
