const lost = 'The connection was lost. Please try again.';

/** Asks for an evidence file and saves it; it is made anew each time, which may be written down. @throws Error with a sentence for people */
export async function saveEvidence(traceId: string, kind: 'pdf' | 'json'): Promise<void> {
  const answer = await fetch(`/api/traces/${traceId}/evidence.${kind}`, { method: 'POST' }).catch(() => undefined);
  if (!answer?.ok) throw new Error((await readMessage(answer)) ?? lost);
  const address = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `evidence-${traceId}.${kind}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // the browser may still be writing
}

async function readMessage(answer: Response | undefined): Promise<string | undefined> {
  try {
    return ((await answer?.json()) as { message?: string } | undefined)?.message;
  } catch {
    return undefined; // a proxy's own page
  }
}
