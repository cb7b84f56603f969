import { useFacts } from './facts-context.tsx';
import { LegalFrame } from './legal/legal-frame.tsx';
import { writePrivacy } from './legal/privacy-words.ts';
import { TakeBack } from './legal/take-back.tsx';
import { measuredBy } from './operator-words.ts';
import { metaOf } from './site-pages.ts';

export const meta = () => metaOf('/privacy-policy');

export default function PrivacyPage() {
  const { byUs, byGoogle } = measuredBy(useFacts());
  return <LegalFrame write={writePrivacy}>{(byUs || byGoogle) && <TakeBack />}</LegalFrame>;
}
