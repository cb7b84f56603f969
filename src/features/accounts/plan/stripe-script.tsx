import { admit } from '../browser/page-guest.ts';
import { framePolicy, isFrom, stripeFrame } from '../provider-frame.ts';
import { isInert } from './inert-html.ts';

export type Mounted = { mount: (place: HTMLElement) => void; destroy: () => void };
type StripeOf = (key: string) => {
  createEmbeddedCheckoutPage: (options: { clientSecret: string }) => Promise<Mounted>;
};
type ScriptPolicy = { createScriptURL(address: string): string };
interface ScriptMaker {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string | null }): ScriptPolicy;
}

export const failed = 'Failed to load Stripe configuration';

let loading: Promise<StripeOf> | undefined;

/** Said where the page came without what the frame needs. */
const needsReload = 'Please reload this page to pay.';

/**
 * Loads the provider's script the first time that somebody is about to pay. From then on it may add more of its own scripts, and
 * write HTML of which nothing runs.
 */
export function loadStripe(scriptUrl: string): Promise<StripeOf> {
  loading ??= addScript(scriptUrl).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

let policy: ScriptPolicy | undefined;

/** A page makes a policy of a name once: an attempt after one that failed has to use the same. */
function policyOf(scriptUrl: string): ScriptPolicy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: ScriptMaker };
  policy ??= trustedTypes?.createPolicy(framePolicy, {
    createScriptURL: (address) => (address === scriptUrl ? address : null),
  });
  return policy;
}

/** @throws on a page that may not show the frame */
function letIn(scriptUrl: string): ScriptPolicy | undefined {
  try {
    const made = policyOf(scriptUrl);
    admit({ mayAddScript: (address) => isFrom(stripeFrame.scripts, address), mayWrite: isInert });
    return made;
  } catch {
    throw new Error(needsReload);
  }
}

async function addScript(scriptUrl: string): Promise<StripeOf> {
  const address = letIn(scriptUrl)?.createScriptURL(scriptUrl) ?? scriptUrl;
  return new Promise((loaded, fail) => {
    const script = document.createElement('script');
    script.onload = () => {
      const { Stripe } = globalThis as { Stripe?: StripeOf };
      if (Stripe === undefined) fail(new Error(failed));
      else loaded(Stripe);
    };
    script.onerror = () => {
      script.remove();
      fail(new Error(failed));
    };
    script.src = address;
    document.head.append(script);
  });
}
