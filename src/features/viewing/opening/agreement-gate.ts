import type { Engines } from '#engines/engines.ts';
import { termsFor } from '#features/access/bought.ts';
import type { Refused } from '#features/access/rules.ts';
import type { Question } from '#features/access/store.ts';
import { type AgreementRow, findAgreement } from '#features/links/agreements-store.ts';
import type { OpenRequest } from '../contract.ts';
import type { No } from '../refusals.ts';
import type { Passed } from './admissions-store.ts';

/** The version that this viewer has to agree to. */
async function findAsked(
  { database }: Engines,
  { link, facts, creatorId }: Question,
): Promise<AgreementRow | undefined> {
  const { agreementId } = termsFor(link, facts);
  return agreementId === undefined ? undefined : findAgreement(database, agreementId, creatorId);
}

/** @returns what was agreed to, when it is the version that is asked for and a name that is asked for was typed */
export async function meetAgreement(
  engines: Engines,
  question: Question | undefined,
  agreed: OpenRequest['agreed'],
): Promise<Passed['agreed']> {
  const asked = question && agreed && (await findAsked(engines, question));
  if (asked === undefined || agreed === undefined || agreed.agreementId !== asked.id) return undefined;
  if (!asked.asksName) return { agreementId: asked.id, name: '' };
  return agreed.name === '' ? undefined : { agreementId: asked.id, name: agreed.name };
}

/** The refusal with the text that is to be agreed to. */
export async function withAgreement(
  engines: Engines,
  question: Question | undefined,
  { reason }: Refused,
  no: No,
): Promise<No> {
  if (reason !== 'NEED_AGREEMENT' || question === undefined) return no;
  const asked = await findAsked(engines, question);
  if (asked === undefined) return no;
  const { id, title, body, asksName } = asked;
  return { ...no, refusal: { ...no.refusal, agreement: { id, title, body, asksName } } };
}
