/** What text may become; `null` refuses it. */
interface Rules {
  createScriptURL(address: string): string | null;
  createHTML(text: string): string | null;
  createScript(text: string): string | null;
}

/** What TypeScript's library of the browser does not know yet. */
interface TrustedTypes {
  defaultPolicy: object | null;
  createPolicy(name: 'default', rules: Partial<Rules>): object;
}

/** What a page makes itself, as a blob, has our origin too. */
const isOurs = ({ origin, protocol }: URL) => origin === location.origin && protocol === location.protocol;

/**
 * Under a policy with trusted types an address becomes a program in this one way: as a built file of ours. Text is not read as HTML
 * or as a program at all, unless a page brings rules for it.
 * @param text set once in a page's life, by whoever asks first: React's pages do, before anything is drawn
 */
export function trustOwnScripts(text: Partial<Pick<Rules, 'createHTML' | 'createScript'>> = {}): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined || trustedTypes.defaultPolicy !== null) return;
  trustedTypes.createPolicy('default', {
    createScriptURL: (address) => (isOurs(new URL(address, location.href)) ? address : null),
    ...text,
  });
}
