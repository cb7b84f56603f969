import { saveFile } from '#ui/save-file.tsx';
import type { TakedownLetter } from '../contract.ts';

const lost = 'The connection was lost. Please try again.';

/** Asks for an evidence file and saves it; it is made again each time, which may be written down. @throws Error with a sentence for people */
export async function saveEvidence(traceId: string, kind: 'pdf' | 'json'): Promise<void> {
  const answer = await fetch(`/api/traces/${traceId}/evidence.${kind}`, { method: 'POST' }).catch(() => undefined);
  if (!answer?.ok) throw new Error((await readMessage(answer)) ?? lost);
  saveFile(await answer.blob(), `evidence-${traceId}.${kind}`);
}

/** Has the letter written that asks a host to take a copy down, and saves it. @throws Error with a sentence for people */
export async function saveTakedownLetter(traceId: string, letter: TakedownLetter): Promise<void> {
  const answer = await fetch(`/api/traces/${traceId}/letter.pdf`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(letter),
  }).catch(() => undefined);
  if (!answer?.ok) throw new Error((await readMessage(answer)) ?? lost);
  saveFile(await answer.blob(), `takedown-${traceId}.pdf`);
}

async function readMessage(answer: Response | undefined): Promise<string | undefined> {
  try {
    return ((await answer?.json()) as { message?: string } | undefined)?.message;
  } catch {
    return undefined; // a proxy's own page
  }
}
