import { ORPCError } from '@orpc/client';
import { useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type * as z from 'zod';
import { PartnerCode, usePartnerCode } from '#features/referrals/partner-code.tsx';
import { formatCount, formatMoney } from '#kit/text.ts';
import { Button } from '#ui/buttons/button.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { Checkbox } from '#ui/forms/checkbox.tsx';
import { Field } from '#ui/forms/field.tsx';
import { type Faults, FormError, useForm } from '#ui/forms/use-form.tsx';
import { isMeasured } from '../browser/measurable.ts';
import { CheckoutPanel } from '../checkout-panel.tsx';
import { type Me, SignUp } from '../contract.ts';
import { accounts, useMe } from '../guard.tsx';
import { plans } from '../plan/plan-calls.tsx';
import { safeReturnTo, trialCode } from '../rules.ts';
import { keepWanted } from '../wanted-address.tsx';
import { AuthFrame, FormFault } from './auth-frame.tsx';
import { CheckEmail } from './check-email.tsx';
import { goOnIfSent, type MailSent, readResendMs } from './code-field.tsx';
import { needCookies } from './cookies.tsx';
import { describeFailedSignUp } from './failure-words.ts';
import { LegalLink, LegalLinks } from './legal-links.tsx';
import { QuietLink } from './sign-in-form.tsx';

/** Returns what the server said, or that something went wrong; without an answer it said nothing. */
const describeFault = (isOnWaysIn: boolean) => (faults: Faults, error?: unknown) => {
  const said = error instanceof ORPCError || error instanceof FormError ? error.message : '';
  if (error !== undefined) toast.error(describeFailedSignUp(error, said, isOnWaysIn));
  else if (faults.email !== undefined) toast.error({ title: 'Invalid email', message: faults.email });
};

/** Opens the checkout of the trial, in which no card is asked for. @returns nothing where it failed, which is told */
async function beginTrial(email: string): Promise<string | undefined> {
  try {
    const { clientSecret } = await plans.createTrialCheckout.call({ email, mode: 'embedded', trialCode });
    if (clientSecret !== '') return clientSecret;
    throw new FormError('No client secret received');
  } catch (error) {
    const said = error instanceof ORPCError || error instanceof FormError ? error.message : '';
    toast.error({ title: 'Checkout Error', message: said || 'Failed to start checkout' });
    return undefined;
  }
}

/** What somebody was invited by. */
interface Invited {
  token: string;
  /** How long the account is free; null for good. */
  days: number | null;
}

interface SignUpFormProps {
  email: string;
  invitation?: Invited;
  onDone: () => Promise<void>;
}

/** The free trial, or a place by invitation: an address and a box, nothing else. */
export function SignUpForm({ email: known, invitation, onDone }: SignUpFormProps) {
  const { sent, setSent } = useSent();
  const [search] = useSearchParams();
  const { me } = useMe();
  const partner = usePartnerCode(search.get('ref') ?? '');
  const [clientSecret, setSecret] = useState<string>();
  const { title, text, button } = faceOf(me, invitation);
  const signUp = (input: z.input<typeof SignUp>) =>
    accounts.signUp.call({ ...input, ...(invitation && { invitation: invitation.token }) });
  const form = useForm({
    shape: SignUp,
    initial: { email: known, isAdult: false },
    send: async (input) => {
      needCookies();
      await partner.send();
      await captureLead(input.email, search, invitation ? '/free-join' : window.location.pathname);
      if (invitation === undefined && me?.plan.isSold) {
        keepWanted(safeReturnTo(search.get('returnTo'), window.location.origin));
        return setSecret(await beginTrial(input.email));
      }
      await setSent({ ...(await signUp(input).catch(goOnIfSent)), email: input.email });
    },
    onFault: describeFault(invitation === undefined),
  });
  const { email, isAdult } = form.values;
  const resend = () => signUp({ email: sent?.email ?? email, isAdult: true });
  if (sent !== undefined)
    return <CheckEmail {...sent} onResend={resend} onOther={() => void setSent(undefined)} onDone={onDone} />;
  return (
    <AuthFrame title={title} text={text}>
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <Field label="Email" type="email" autoComplete="email" inputMode="email" {...form.text('email')} />
        <Checkbox
          label={
            <>
              I confirm that I am 18 years or older and agree to the{' '}
              <LegalLink text="terms">terms of service</LegalLink>
            </>
          }
          {...form.box('isAdult')}
        />
        {invitation === undefined && <PartnerCode partner={partner} />}
        <LegalLinks texts={['content', 'privacy']} />
        <FormFault isAnnounced>{form.faults['']}</FormFault>
        <Button type="submit" size="large" busy={form.isBusy} disabled={email.trim() === '' || !isAdult}>
          {button}
        </Button>
        <p className="text-center text-13 text-quiet">No credit card required, cancel anytime</p>
        <div className="grid justify-items-center">
          <QuietLink to="/auth">Already have an account? Sign In</QuietLink>
        </div>
      </form>
      <CheckoutPanel title={title} clientSecret={clientSecret} onClose={() => setSecret(undefined)} />
    </AuthFrame>
  );
}

const faceOf = (me: Me | undefined, invitation: Invited | undefined) =>
  invitation === undefined ? faceTrial(me) : faceInvitation(invitation);

const faceTrial = (me: Me | undefined) => ({
  title: 'Start your free trial',
  text:
    me &&
    `${me.plan.trialDays} days free, then ${formatMoney(me.plan.priceCents)}/month. Nothing to pay today. If you don't add a card, your trial simply ends.`,
  button: 'Start Free Trial',
});

const faceInvitation = ({ days }: Invited) => ({
  title: `You are invited to PrivateFans – free for ${days === null ? 'good' : formatCount(days, 'day')}. No card.`,
  text:
    days === null
      ? 'The whole studio, without a plan to pay for.'
      : 'The whole studio, without a plan to pay for. When the time is over, your free access simply ends.',
  button: 'Accept invitation',
});

/**
 * Returns where the email went. It stands beside the address in the browser's history, so that a reload asks for the code again, and
 * the browser's Back for the address. So does the time after which another email can be asked for; a reload counts it from its start.
 */
function useSent() {
  const { state, search } = useLocation();
  const navigate = useNavigate();
  const sentTo: unknown = state?.sentTo;
  return {
    sent: typeof sentTo === 'string' ? { email: sentTo, resendAfterMs: readResendMs(state) } : undefined,
    setSent: async (mail: (MailSent & { email: string }) | undefined) =>
      navigate({ search }, { state: { sentTo: mail?.email, resendAfterMs: mail?.resendAfterMs } }),
  };
}

/** Of whom nobody is measured, nothing is noted; and its failure never stops a sign-up. */
async function captureLead(email: string, search: URLSearchParams, page: string): Promise<void> {
  if (!isMeasured()) return;
  const from = (name: string) => search.get(name)?.slice(0, 100) || undefined;
  await accounts.captureLead
    .call({
      email,
      source: 'signup_form',
      page_path: page.slice(0, 200),
      utm_source: from('utm_source'),
      utm_medium: from('utm_medium'),
      utm_campaign: from('utm_campaign'),
      referrer: document.referrer.slice(0, 500) || undefined,
    })
    .catch(() => undefined);
}
