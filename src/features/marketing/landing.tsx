import { useQuery } from '@tanstack/react-query';
import { Ban, EyeOff, FileLock2, Fingerprint, type LucideIcon, ScanEye, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { useMe } from '#features/accounts/guard.tsx';
import { type PageLimits, usualLimits } from '#features/settings/page-limits.ts';
import { type Plan, tellTerms, usualPlan } from '#features/settings/plan-words.ts';
import { drawButton } from '#ui/button.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { callsOf } from '#wire/client.ts';
import { marketingContract } from './contract.ts';
import { ProductPicture } from './product-picture.tsx';
import { Questions } from './questions.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';
import { SitePart } from './site-part.tsx';

const marketing = callsOf('marketing', marketingContract);

/** The signed-out home. It is prerendered: nothing in its first picture may depend on the browser. */
export function Landing() {
  const { me } = useMe();
  const [plan, limits] = [me?.plan ?? usualPlan, me?.limits ?? usualLimits];
  const { data } = useQuery(marketing.demoLink.queryOptions({ staleTime: Number.POSITIVE_INFINITY }));
  return (
    <div data-landing="" className="pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-0">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="outline-none">
        <Hero plan={plan} demoUrl={data?.url} />
        <HowItWorks demoUrl={data?.url} />
        <Protection {...limits} />
        <Questions plan={plan} limits={limits} />
        <Closing plan={plan} />
      </main>
      <SiteFooter />
    </div>
  );
}

type DemoUrl = string | null | undefined;

function Hero({ plan, demoUrl }: { plan: Plan; demoUrl: DemoUrl }) {
  return (
    <section className="mx-auto grid max-w-290 gap-9 px-5 py-9 md:min-h-[calc(100svh-4rem)] md:grid-cols-[1.05fr_1fr] md:items-center md:gap-16 md:py-12">
      <div>
        <h1 className="text-38 text-balance md:text-56">Secure, No-Leak Private Albums</h1>
        <p className="mt-5 max-w-130 text-17 text-quiet">
          Share photos and videos through a link that knows who it's for. See who looked. Take it back whenever you
          want.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <ButtonLink to="/auth?action=signup" size="large">
            Start Free Trial
          </ButtonLink>
          <a href="#how" className={drawButton({ variant: 'outline' }, 'min-h-13')}>
            See how it works
          </a>
        </div>
        <p className="mt-5 text-13 text-quiet">{tellTerms(plan)}</p>
        <p className="min-h-11">
          {demoUrl && <DemoDoor url={demoUrl}>See a demo album the way a viewer does</DemoDoor>}
        </p>
      </div>
      <ProductPicture />
    </section>
  );
}

/** The viewer's page is another document: a plain link. */
function DemoDoor({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a
      href={url}
      className="inline-flex min-h-11 items-center font-strong text-plum underline-offset-4 hover:underline"
    >
      {children}
    </a>
  );
}

const steps = [
  { title: 'Watch Demo', text: "See an album through your viewers' eyes." },
  { title: 'Create Albums', text: 'Upload photos and videos. Location, device and time are removed from every one.' },
  {
    title: 'Send a Magic Link',
    text: 'One for each person, on your terms: an end date, a viewer limit, a password.',
  },
  {
    title: 'They Can View',
    text: "No account, no app. You see who's looking as it happens, and you can close their screen.",
  },
];

function HowItWorks({ demoUrl }: { demoUrl: DemoUrl }) {
  return (
    <SitePart id="how" title="How PrivateFans Works">
      <ol className="grid gap-x-8 gap-y-7 md:grid-cols-4">
        {steps.map(({ title, text }, at) => (
          <li key={title} className="grid content-start gap-1.5 border-t border-line pt-4">
            <span aria-hidden="true" className="font-display text-28 font-title text-plum tabular-nums">
              {at + 1}
            </span>
            <h3 className="text-21">{title}</h3>
            <p className="text-quiet">{text}</p>
            {at === 0 && demoUrl && <DemoDoor url={demoUrl}>Open the demo</DemoDoor>}
          </li>
        ))}
      </ol>
    </SitePart>
  );
}

type Lease = Pick<PageLimits, 'leaseSeconds'>;

/** What each layer does, and honestly not more (media, words). */
const listLayers = ({ leaseSeconds }: Lease): { icon: LucideIcon; title: string; text: string }[] => [
  {
    icon: FileLock2,
    title: 'No file to save',
    text: `Photos and videos have no address. They travel as encrypted pieces, and each key is good for ${leaseSeconds} seconds.`,
  },
  {
    icon: EyeOff,
    title: 'Drawn, not linked',
    text: 'Right-clicking, dragging, selecting, printing and saving give nothing away.',
  },
  { icon: ScanEye, title: 'A mark they can see', text: 'Your name and a view code across the picture, if you like.' },
  {
    icon: Fingerprint,
    title: "A mark they can't see",
    text: "Each viewer's photos and videos carry their own invisible mark, inside the picture itself. Upload a leaked copy and compare it with every link that showed it.",
  },
  { icon: Ban, title: 'Revoke', text: 'One tap, and no more keys are issued. Open screens close.' },
  {
    icon: Timer,
    title: 'Limits',
    text: "An end date, a set time after it's first opened, one person only, a password.",
  },
];

function Protection(lease: Lease) {
  return (
    <SitePart title="How your pictures are protected">
      <ul className="grid gap-x-8 gap-y-6 md:grid-cols-3">
        {listLayers(lease).map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex gap-4">
            <span className="grid size-11 flex-none place-items-center rounded-full bg-plum-wash text-plum">
              <Icon />
            </span>
            <div>
              <h3 className="text-17">{title}</h3>
              <p className="mt-0.5 text-quiet">{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-8 max-w-170 text-quiet">
        No website can prevent a screenshot, or a photo of the screen. What we promise is this: copying is hard, and
        traceable.
      </p>
    </SitePart>
  );
}

function Closing({ plan }: { plan: Plan }) {
  return (
    <section className="mx-auto max-w-290 px-5 py-14 md:py-20">
      <h2 className="text-28 md:text-38">Yours to show. Yours to take back.</h2>
      <p className="mt-3 text-quiet">{tellTerms(plan)}</p>
      <p className="mt-6 flex flex-wrap gap-3">
        <ButtonLink to="/auth?action=signup" size="large">
          Start Free Trial
        </ButtonLink>
        <ButtonLink to="/pricing" variant="outline" size="large">
          View All Features
        </ButtonLink>
      </p>
    </section>
  );
}
