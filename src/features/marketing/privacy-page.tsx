import { useFacts } from './facts-context.tsx';
import { LegalFrame } from './legal-frame.tsx';
import { writePrivacy } from './legal-words.ts';
import { measuredBy } from './operator-words.ts';
import { metaOf } from './site-pages.ts';
import { TakeBack } from './take-back.tsx';

export const meta = () => metaOf('/privacy-policy');

export default function PrivacyPage() {
  const { byUs, byGoogle } = measuredBy(useFacts());
  return <LegalFrame write={writePrivacy}>{(byUs || byGoogle) && <TakeBack />}</LegalFrame>;
}
