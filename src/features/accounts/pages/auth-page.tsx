import { type FormEvent, useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { FullSpinner } from '#ui/feedback/full-spinner.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { useMailedToken } from '#ui/use-mailed-token.ts';
import type { Me } from '../contract.ts';
import { useMe } from '../guard.tsx';
import { placeOf, useArrival } from './arrival.tsx';
import { ConfirmNewEmail } from './email-change/confirm-new-email.tsx';
import { UndoEmail } from './email-change/undo-email.tsx';
import { NoAccess } from './no-access.tsx';
import { ConfirmLink, ForgotForm, SetPasswordForm } from './proof-forms.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignUpForm } from './sign-up-form.tsx';

const titles: Readonly<Record<string, string>> = {
  signup: 'Start your free trial',
  forgot: 'Forgot your password',
  confirm: 'Confirm your email',
  'set-password': 'Set your password',
  'undo-email': 'Put your address back',
  'confirm-email': 'Confirm your new address',
};

/** What mailed links lead to, whoever is signed in. */
const mailedActions = new Set(['confirm', 'set-password', 'undo-email', 'confirm-email']);

export const meta = ({ location }: { location: { search: string } }) => {
  const action = new URLSearchParams(location.search).get('action') ?? '';
  return [{ title: `${titles[action] ?? 'Sign in'} · PrivateFans` }, { name: 'robots', content: 'noindex' }];
};

/** Every way in: sign in, free trial, mailed links, forgotten password; and what a signed-in person without a plan is told. */
export default function AuthPage() {
  const { me, isLoading } = useMe();
  const [search] = useSearchParams();
  const [isTyping, setTyping] = useState(false);
  const arrive = useArrival(() => setTyping(false));
  const [email, setEmail] = useState(search.get('email') ?? '');
  const token = useMailedToken();
  const action = search.get('action');
  const isMailed = mailedActions.has(action ?? '');
  if (isLoading) return <FullSpinner text="Authenticating..." />;
  // An answer that comes late never takes away a form that is being typed in.
  if (me?.user && !isMailed && !isTyping) return <SignedIn me={me} />;
  // What was typed goes along from one of these forms to the next.
  const noteTyping = ({ target }: FormEvent) => {
    setTyping(true);
    if (target instanceof HTMLInputElement && target.type === 'email') setEmail(target.value);
  };
  return (
    <div onInput={noteTyping}>
      <Way key={action} action={action} email={search.get('email') ?? email} token={token} onDone={arrive} />
    </div>
  );
}

interface WayProps {
  action: string | null;
  email: string;
  token: string | undefined;
  onDone: () => Promise<void>;
}

function Way({ action, email, token, onDone }: WayProps) {
  if (action === 'signup') return <SignUpForm email={email} onDone={onDone} />;
  if (action === 'forgot') return <ForgotForm email={email} />;
  if (action === 'confirm') return <ConfirmLink token={token} onDone={onDone} />;
  if (action === 'set-password') return <SetPasswordForm email={email} token={token} onDone={onDone} />;
  if (action === 'confirm-email') return <ConfirmNewEmail token={token} />;
  if (action === 'undo-email') return <UndoEmail token={token} />;
  return <SignInForm email={email} onDone={onDone} />;
}

function SignedIn({ me }: { me: Me }) {
  const [search] = useSearchParams();
  const isConfirmed = search.get('email_confirmed') === 'true';
  useEffect(() => {
    if (isConfirmed) toast.success({ title: 'Account Created!', message: 'Welcome to PrivateFans™', goesAlong: true });
  }, [isConfirmed]);
  const place = placeOf(me, search);
  return place === '/auth' ? <NoAccess me={me} /> : <Navigate to={place} replace />;
}
