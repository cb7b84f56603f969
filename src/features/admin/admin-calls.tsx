import { adminAffiliatesContract } from '#features/affiliates/desk-contract.ts';
import { adminAuditContract } from '#features/audit/desk-contract.ts';
import { adminMailsContract } from '#features/notices/contract.ts';
import { adminReportsContract } from '#features/reports/desk-contract.ts';
import { adminGlassContract } from '#features/reports/glass-contract.ts';
import { adminSupportContract } from '#features/support/desk-contract.ts';
import { callsOf } from '#wire/client.ts';
import { adminButtonsContract } from './buttons-contract.ts';
import { adminUsersContract } from './contract.ts';
import { adminFunctionsContract } from './functions-contract.ts';
import { adminJunkContract } from './junk-contract.ts';
import { adminOperationsContract } from './operations-contract.ts';
import { adminPaymentsContract } from './payments-contract.ts';

/** The calls of the operator's desk. */
export const adminUsers = callsOf('adminUsers', adminUsersContract);
export const adminAffiliates = callsOf('adminAffiliates', adminAffiliatesContract);
export const adminMails = callsOf('adminMails', adminMailsContract);
export const adminAudit = callsOf('adminAudit', adminAuditContract);
export const adminGlass = callsOf('adminGlass', adminGlassContract);
export const adminReports = callsOf('adminReports', adminReportsContract);
export const adminSupport = callsOf('adminSupport', adminSupportContract);
export const adminButtons = callsOf('adminButtons', adminButtonsContract);
export const adminFunctions = callsOf('adminFunctions', adminFunctionsContract);
export const adminJunk = callsOf('adminJunk', adminJunkContract);
export const adminPayments = callsOf('adminPayments', adminPaymentsContract);
export const adminOperations = callsOf('adminOperations', adminOperationsContract);
