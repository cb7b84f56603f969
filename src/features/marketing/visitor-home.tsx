import { useFacts } from './facts-context.tsx';
import { Earning } from './landing/earning.tsx';
import { Figures } from './landing/figures.tsx';
import { Hero } from './landing/hero.tsx';
import { Layers } from './landing/layers.tsx';
import { PriceBlock } from './landing/price-block.tsx';
import { Steps } from './landing/steps.tsx';
import { Versus } from './landing/versus.tsx';
import { Questions } from './site/questions.tsx';
import { SiteFooter } from './site/site-footer.tsx';
import { SiteHeader } from './site/site-header.tsx';

/** The signed-out home. */
export function Landing() {
  const facts = useFacts();
  return (
    <div data-landing="" className="pb-[calc(5rem+env(safe-area-inset-bottom))] md:pb-0">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="outline-none">
        <Hero facts={facts} />
        <Steps facts={facts} />
        <Earning facts={facts} />
        <Layers {...facts.limits} />
        <Figures facts={facts} />
        <Versus takesPayments={facts.takesPayments} />
        <PriceBlock facts={facts} />
        <Questions plan={facts.plan} limits={facts.limits} sellsPlans={facts.sellsPlans} />
      </main>
      <SiteFooter />
    </div>
  );
}
