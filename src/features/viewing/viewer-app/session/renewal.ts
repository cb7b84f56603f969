import type { Refusal, Sample } from '../../contract.ts';

/** What a renewal tells the server. */
export interface Report {
  visitId: string;
  samples: Sample[];
  lookingAt?: string;
  idleMs: number;
  leaving: boolean;
}

/** What the server gives for it. */
export interface Renewed {
  expiresInMs: number;
  renewAfterMs: number;
  endsInMs?: number;
  /** Media that are shown no more. */
  gone?: string[];
}

export type Renewal = { renewed: Renewed } | { refusal: Refusal } | 'offline';

/** Sends one renewal, so that it outlives a page that is frozen or gone meanwhile. */
export async function renew(report: Report): Promise<Renewal> {
  try {
    const answer = await fetch('/api/v1/view/renew', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
      body: JSON.stringify(report),
      keepalive: true,
    });
    return renewalOf(answer.status, await answer.json());
  } catch {
    return 'offline'; // the renewer tries again until the lease runs out
  }
}

function renewalOf(status: number, said: Renewed & { code?: string; message?: string; data?: Refusal }): Renewal {
  if (status === 200) return { renewed: said };
  if (status === 429 || status >= 500) return 'offline';
  return { refusal: refusalFrom(said) };
}

/** The reason as the server words it; every other no is an end without one. */
export function refusalFrom(said: unknown): Refusal {
  const { code, message, data, title } = (said ?? {}) as Partial<Refusal> & {
    message?: string;
    data?: Partial<Refusal>;
  };
  if (code === 'LINK' && title !== undefined) return said as Refusal;
  if (data?.title !== undefined) return data as Refusal;
  return { code: 'LINK', reason: 'NOT_FOUND', title: 'Access ended', text: message ?? '' };
}
