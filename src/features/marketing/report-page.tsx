import { ReportForm } from '#features/reports/report-form.tsx';
import { useFacts } from './facts-context.tsx';
import { useIsAwake } from './site/is-awake.tsx';
import { SiteFrame } from './site/site-frame.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/report');

const link = 'font-medium text-plum underline underline-offset-4';

/** Where anybody can have a picture removed. */
export default function ReportPage() {
  const isAwake = useIsAwake();
  const { operator } = useFacts();
  return (
    <SiteFrame>
      <div className="mx-auto max-w-190 px-5 pt-9 pb-16 md:pt-14">
        <h1 className="text-38 md:text-56">Report a picture</h1>
        <p className="mt-3 text-17 text-quiet">
          For anyone, with or without an account. An intimate picture that was shared without consent is hidden at once
          when you give the link that shows it; a person then decides within 48 hours. Everything else is decided within
          seven working days.
        </p>
        <div className="mt-9 min-h-60" data-report="">
          {isAwake && <ReportForm />}
        </div>
        <noscript>
          <p className="rounded-card bg-plum-wash p-4">
            {operator.email === null
              ? 'The form needs JavaScript, and no email address has been set up here yet.'
              : `The form needs JavaScript. Without it, write to ${operator.email}: say which link it is, what is wrong with it, and that it is true.`}
          </p>
        </noscript>
        <h2 className="mt-11 text-21">What happens then</h2>
        <ul className="mt-3 grid list-disc gap-2 pl-5">
          <li>You get a number by email, and the decision when there is one.</li>
          <li>The creator is told that a link was reported, and may answer. Who reported it is not told.</li>
          <li>
            A picture of a minor is a matter for the police. Report it here as well, and send it to nobody, not even to
            us.
          </li>
          <li>
            For your copyright there is more on the{' '}
            <a href="/dmca" className={link}>
              DMCA page
            </a>
            .
          </li>
        </ul>
      </div>
    </SiteFrame>
  );
}
