import type { Opened, OpenRequest } from '../../contract.ts';
import type { PreviewId, PreviewState, PreviewStep, ViewerPreview } from '../../preview/preview-contract.ts';

/** Answers the calls of a viewer's page in place of the server. */
export interface StandIn {
  /** @returns undefined for a call that is not a viewer's: it goes out */
  answer(pathname: string, body: string): Response | undefined;
}

export interface StandInSettings {
  preview: ViewerPreview;
  /** The screen that the tap on Open leads to. */
  wanted: PreviewId;
  /** Milliseconds, as `performance.now()` tells them. */
  now(): number;
  /** Hears which screen is shown from now on. */
  onShown(id: PreviewId): void;
}

/** As `Response.json`, which Safari before 17 does not know. */
const answerJson = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { ...init, headers: { 'content-type': 'application/json' } });

const calls = /^\/api\/(?:v1\/)?(?:view|live)\/(?:.*\/)?([\w-]+)$/;

/** Plays the server for one page: whatever is typed is right, nothing is sent, and each step leads to the next screen. */
export function createStandIn({ preview, wanted, now, onShown }: StandInSettings): StandIn {
  let at: PreviewId | undefined;
  let hasPaid = false;
  let endsAt: number | undefined;
  const stateOf = (id: PreviewId) => preview.states.find((state) => state.id === id);
  const show = (id: PreviewId): PreviewState['refusal'] => {
    at = id;
    hasPaid = false;
    onShown(id);
    return stateOf(id)?.refusal;
  };
  const open = (said: Partial<OpenRequest>): Response => {
    const refusal = show(at === undefined ? wanted : stepFrom(stateOf(at), said, hasPaid));
    if (refusal !== undefined) return answerJson(refusal);
    const { endsInMs } = preview.opened;
    endsAt = endsInMs === undefined ? undefined : now() + endsInMs;
    return new Response(frameOf(preview.opened), { headers: { 'content-type': 'application/octet-stream' } });
  };
  const renew = (): Response => {
    const { renewAfterMs, expiresInMs } = preview.opened;
    const endsInMs = endsAt === undefined ? undefined : endsAt - now();
    const over = preview.states.find(({ id }) => id === 'TIME_USED' || id === 'TIMED_OUT');
    if (endsInMs !== undefined && endsInMs <= 0 && over !== undefined)
      return answerJson({ code: 'LINK', data: show(over.id) }, { status: 410 });
    return answerJson({ renewAfterMs, expiresInMs, tokens: {}, ...(endsInMs !== undefined && { endsInMs }) });
  };
  return {
    answer(pathname, body) {
      const [, call] = calls.exec(pathname) ?? [];
      if (call === undefined) return undefined;
      if (call === 'open') return open(JSON.parse(body) as Partial<OpenRequest>);
      if (call === 'renew') return renew();
      if (call === 'checkout-status') return answerJson({ state: 'processing' });
      if (call !== 'checkout') return answerJson({ code: 'NOT_FOUND' }, { status: 404 });
      hasPaid = true;
      return answerJson({ code: 'LINK' });
    },
  };
}

/** Returns where a screen leads with what was said; without an answer it stays. */
function stepFrom(state: PreviewState | undefined, said: Partial<OpenRequest>, hasPaid: boolean): PreviewId {
  if (state === undefined) return 'OPEN';
  const steps = Object.entries(state.next) as [PreviewStep, PreviewId][];
  const taken = steps.find(([step]) => (step === 'pays' ? hasPaid : said[step] !== undefined));
  return taken?.[1] ?? state.id;
}

/** The list as the head of a stream: [u32 length][u8 kind 0][JSON]. */
function frameOf(opened: Opened): Uint8Array<ArrayBuffer> {
  const list = new TextEncoder().encode(JSON.stringify(opened));
  const frame = new Uint8Array(5 + list.length);
  new DataView(frame.buffer).setUint32(0, list.length);
  frame.set(list, 5);
  return frame;
}
