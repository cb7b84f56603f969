import { useMe } from '#features/accounts/guard.tsx';
import { HelpTopics } from '#features/assistant/help-topics.tsx';
import { ButtonLink } from '#ui/buttons/button-link.tsx';
import { SiteFrame } from './site/site-frame.tsx';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/help');

/** Every help text. It says the same to everybody. */
export default function HelpPage() {
  const { me } = useMe();
  return (
    <SiteFrame
      ways={
        me?.user && (
          <ButtonLink to="/" variant="bare">
            {me.hasAccess ? 'Your studio' : 'Home'}
          </ButtonLink>
        )
      }
    >
      <div className="mx-auto max-w-190 px-5 pt-9 pb-16 md:pt-14">
        <h1 className="text-38 md:text-56">Help</h1>
        <p className="mt-3 mb-7 text-17 text-quiet">
          Short answers to what people ask. Sofia answers from the same texts.
        </p>
        <div data-help="">
          <HelpTopics />
        </div>
      </div>
    </SiteFrame>
  );
}
