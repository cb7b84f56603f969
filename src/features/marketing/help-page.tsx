import { useMe } from '#features/accounts/guard.tsx';
import { HelpTopics } from '#features/assistant/help-topics.tsx';
import { ButtonLink } from '#ui/button-link.tsx';
import { SiteFooter } from './site-footer.tsx';
import { SiteHeader } from './site-header.tsx';

export const meta = () => [
  { title: 'Help – PrivateFans' },
  {
    name: 'description',
    content: 'How albums, magic links, protection and everything else works, in short answers that can be searched.',
  },
];

/** Every help text. It is prerendered, and says the same to everybody. */
export default function HelpPage() {
  const { me } = useMe();
  return (
    <div data-public="" className="pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-0">
      <SiteHeader>
        {me?.user && (
          <ButtonLink to="/" variant="bare">
            {me.hasAccess ? 'Your studio' : 'Home'}
          </ButtonLink>
        )}
      </SiteHeader>
      <main id="main" tabIndex={-1} className="mx-auto max-w-190 px-5 pt-9 pb-16 outline-none md:pt-14">
        <h1 className="text-38 md:text-56">Help</h1>
        <p className="mt-3 mb-7 text-17 text-quiet">
          Short answers to what people ask. Sofia answers from the same texts.
        </p>
        <HelpTopics />
      </main>
      <SiteFooter />
    </div>
  );
}
