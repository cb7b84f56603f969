/** What an operator decides about payments, at the desk as with `pf`. */
export {
  acceptDispute,
  answerRefusal,
  findDisputeByName,
  nextStepOf,
  submitDispute,
} from './disputes/deciding-disputes.ts';
export { type EvidenceRow, listDisputes } from './disputes/evidence-store.ts';
export { answerByHand, refundByHand, returnRefusal } from './refunds/deciding-refunds.ts';
