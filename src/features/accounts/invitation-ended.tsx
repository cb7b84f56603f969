import { Link } from 'react-router';
import { Brand } from '#ui/brand.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { toast } from '#ui/feedback/toast.ts';
import { invitationEnded } from './rules.ts';

/** What an invitation says that is used up, expired, revoked or was never made: nobody learns which. */
export function InvitationEnded() {
  return (
    <div className="mx-auto grid min-h-dvh max-w-290 grid-rows-[auto_1fr] px-5 pt-[max(1.25rem,env(safe-area-inset-top))] pb-24 md:pb-16">
      <Link to="/" aria-label="PrivateFans, home" className="flex min-h-11 items-center justify-self-start">
        <Brand />
      </Link>
      <main id="main" className="grid place-content-center justify-items-center gap-4 text-center">
        <h1 className="text-28 text-balance md:text-38">{invitationEnded}</h1>
        <p className="max-w-96 text-balance text-quiet">
          Ask whoever sent it for a new one. Or start with the free trial, which anyone can have.
        </p>
        <ButtonLink to="/auth?action=signup">Start Free Trial</ButtonLink>
      </main>
    </div>
  );
}

/** Said where the last place went to somebody else while the email was on its way. */
export const describeInvitationEnded = () =>
  toast.info({
    title: invitationEnded,
    message: 'Its last place has just been taken. Your account starts with the free trial.',
    goesAlong: true,
  });
