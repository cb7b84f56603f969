import { existsSync } from 'node:fs';
import path from 'node:path';
import { addKey } from '#engines/keys/open-key-ring.ts';
import { runAdmin, runInvite, runUsers } from '#features/accounts/commands.ts';
import { runAffiliates } from '#features/affiliates/commands.ts';
import { describeAudit, describeAuditCheck } from '#features/audit/commands.ts';
import { runConsents } from '#features/consents/commands.ts';
import { runGrants } from '#features/credits/commands.ts';
import { runFullCheck } from '#features/fullcheck/commands.ts';
import { runClaims } from '#features/marketing/commands.ts';
import { runSuspend } from '#features/money/commands.ts';
import { runMails } from '#features/notices/commands.ts';
import { runPayoutsCommand } from '#features/payouts/commands.ts';
import { runData } from '#features/privacy/commands.ts';
import { runReports } from '#features/reports/commands.ts';
import { runHashes } from '#features/reports/hash-list.ts';
import { runRequestsCommand } from '#features/requests/commands.ts';
import { runDisputesCommand, runRefundsCommand } from '#features/returns/operator-commands.ts';
import { runSupport } from '#features/support/commands.ts';
import { traceFile, verifyEvidenceFile } from '#features/tracing/commands.ts';
import { evidencePublicKey } from '#features/tracing/signature.ts';
import { backUp, backUpBase } from './backup/backup.ts';
import { basesOf } from './backup/backup-folder.ts';
import { exportInstallation, importInstallation } from './backup/move-installation.ts';
import { replayInstallation } from './backup/replay-installation.ts';
import { restore } from './backup/restore.ts';
import { type Config, readConfig } from './config.ts';
import { describeHealth } from './health/health-command.ts';
import {
  adminOrderOf,
  affiliateOrderOf,
  auditOrderOf,
  claimOrderOf,
  consentOrderOf,
  disputeOrderOf,
  fileOf,
  folderOf,
  grantOrderOf,
  inviteOrderOf,
  isFolder,
  keepOf,
  momentOf,
  optionOf,
  optionsOf,
  payoutOrderOf,
  refundOrderOf,
  reportOrderOf,
  requestOrderOf,
  supportOrderOf,
  suspendOrderOf,
  usersOrderOf,
} from './pf-arguments.ts';
import { log, root, withEngines, withJobs } from './pf-engines.ts';
import { operationVerbs, type Verb } from './pf-verbs.ts';
import { runRecount } from './recount-command.ts';
import { describeNewKey, rotateKeys } from './rotate-keys.ts';
import { retireSandbox } from './sandbox-use.ts';
import { changeSetting, describeSettings } from './settings-command.ts';

function runBackup(args: readonly string[], config: Config): Promise<string> {
  const [folder] = args;
  const [kept, keep] = [optionOf(args, '--keys-kept')?.split(',') ?? [], keepOf(args)];
  return withEngines(config, (engines) =>
    isFolder(folder) ? backUp(engines, config, path.resolve(folder), kept) : backUpBase(engines, config, kept, keep),
  );
}

/** A backup of its own has a manifest; BACKUP_DIR has bases and the log. */
async function bringBack(args: readonly string[], config: Config): Promise<string> {
  const folder = folderOf(args);
  const until = momentOf(optionOf(args, '--until'));
  if (existsSync(basesOf(folder))) return replayInstallation(config, log, folder, until);
  if (until !== undefined)
    throw new Error('--until only works with BACKUP_DIR: a single backup holds just one moment.');
  return restore(config, log, folder);
}

const verbs: Record<string, Verb> = {
  ...operationVerbs,
  admin: {
    usage: 'admin [EMAIL [--scopes support,moderation,finance|owner] | EMAIL --end]',
    about: 'lists the administrators, makes the account with this address one, or takes that away; audited',
    run: (args, config) => withEngines(config, (engines) => runAdmin(engines, adminOrderOf(args))),
  },
  audit: {
    usage: 'audit [ID | ACTION] [--from DAY] [--to DAY] | --check',
    about:
      'lists what was done, newest first; --check looks whether the audit log is as it was written, else exit code 1',
    run: (args, config) =>
      withEngines(config, (engines) =>
        args.includes('--check') ? describeAuditCheck(engines) : describeAudit(engines, auditOrderOf(args)),
      ),
  },
  health: {
    usage: 'health',
    about: 'looks at every part once and shows what is wrong; exit code 1 while something is',
    run: (_, config) => withEngines(config, describeHealth),
  },
  fullcheck: {
    usage: 'fullcheck',
    about: 'has the running installation go through the whole product; exit code 0 when green',
    run: (_, config) => withJobs(config, (engines) => runFullCheck(engines, console.log)),
  },
  settings: {
    usage: 'settings',
    about: 'lists every setting with its value, default, limits and meaning; * marks changed ones',
    run: (_, config) => withEngines(config, describeSettings),
  },
  set: {
    usage: 'set KEY VALUE|default',
    about: 'changes a setting; takes effect on the next request and is written to the audit log',
    run: ([key = '', value], config) => withEngines(config, (engines) => changeSetting(engines, key, value)),
  },
  claims: {
    usage: 'claims [confirm KEY --source TEXT [--until DAY] | withdraw KEY]',
    about: 'lists what public pages may claim; confirms or withdraws one, which is written to the audit log',
    run: (args, config) => withEngines(config, (engines) => runClaims(engines, claimOrderOf(args))),
  },
  invite: {
    usage: 'invite LABEL --days N|forever [--places N] [--open DAYS] | list | revoke ID',
    about: 'makes a link by which people join without paying; lists or ends them, which is written to the audit log',
    run: (args, config) => withEngines(config, (engines) => runInvite(engines, inviteOrderOf(args))),
  },
  grant: {
    usage: 'grant EMAIL free|suite|beta|credits [--days N] [--end] [--count N] [--note TEXT]',
    about:
      'gives an account free access, the suite or what is new, or ends it, or gives it credits; audited, and access is told by email when given',
    run: (args, config) => withJobs(config, (engines) => runGrants(engines, grantOrderOf(args))),
  },
  suspend: {
    usage: 'suspend EMAIL --reason TEXT | EMAIL --end',
    about:
      'suspends an account, which ends subscriptions to it with a refund, or lets it go on; audited and told by email',
    run: (args, config) => withJobs(config, (engines) => runSuspend(engines, suspendOrderOf(args))),
  },
  users: {
    usage: 'users sign-out EMAIL | second-factor-off EMAIL | change-email EMAIL NEW --reason TEXT',
    about:
      'signs somebody out everywhere, takes the second factor of somebody away who has lost their phone and backup codes, or mails a link to the new address of somebody who has lost their mailbox; audited, and the last two told by email',
    run: (args, config) => withJobs(config, (engines) => runUsers(engines, usersOrderOf(args))),
  },
  data: {
    usage:
      'data show EMAIL | delete EMAIL | keep EMAIL | certificate ID | show|export|erase|keep --address A | erase-again [FILE]',
    about:
      'shows what deleting an account does, begins it or calls it off when its owner asks by letter, or prints a certificate; audited and told by email',
    run: (args, config) => withJobs(config, (engines) => runData(engines, args)),
  },
  affiliates: {
    usage:
      'affiliates [STATE | applications | show|approve|resume CODE|ID | reject|pause|close CODE|ID --reason TEXT | share CODE|ID --percent N | void REFERRAL --reason same_person|same_card|spam|brand_ads|other | restore REFERRAL | pay [--total CENTS] | runs | paid LINE --total CENTS | unpaid LINE]',
    about:
      'lists partners, decides about them, and pays them: a dry run, a run, and each line as it was paid by hand; audited, and told by email',
    run: (args, config) => withJobs(config, (engines) => runAffiliates(engines, affiliateOrderOf(args))),
  },
  support: {
    usage: 'support [show NUMBER | answer NUMBER --text TEXT | close NUMBER]',
    about:
      'lists what people wrote to support, shows one, mails an answer, which may also come from standard input, or closes one; audited',
    run: (args, config) => withJobs(config, async (engines) => runSupport(engines, await supportOrderOf(args))),
  },
  reports: {
    usage:
      'reports [show NUMBER | hide NUMBER | remove|reject NUMBER --by NAME --reason TEXT | uphold|restore NUMBER --by NAME --reason TEXT | matches | release|erase MEDIUM --by NAME --reason TEXT]',
    about:
      'lists what people reported and what creators appeal, the most urgent first, shows one, hides what it names, or decides it; lists uploads that are held back as copies, and releases one or removes it for good',
    run: (args, config) => withJobs(config, (engines) => runReports(engines, reportOrderOf(args))),
  },
  hashes: {
    usage: 'hashes [load FILE]',
    about: 'counts the hashes of what may not be uploaded, or replaces them by those in a file, a hash a line; audited',
    run: (args, config) => withEngines(config, (engines) => runHashes(engines, args)),
  },
  consents: {
    usage: 'consents [open ID --reason TEXT | keep ID --reason TEXT]',
    about: 'lists albums that were locked by a withdrawn consent and wait to be looked at; opens or keeps one',
    run: (args, config) => withJobs(config, (engines) => runConsents(engines, consentOrderOf(args))),
  },
  mails: {
    usage: 'mails [send ID|all | seen ID|all | lift ADDRESS]',
    about:
      'lists emails that were given up or wait after a failure, and why; sends them again, marks them as seen, or has notices go to an address again whose mailbox had refused them; audited',
    run: (args, config) => withJobs(config, (engines) => runMails(engines, args)),
  },
  refunds: {
    usage:
      'refunds [accept ID --note TEXT | decline ID --note TEXT | order ID --reason REASON [--amount DOLLARS] --note TEXT]',
    about:
      'lists what buyers ask for and what goes back; answers them, or gives an order back, which is audited and told',
    run: (args, config) => withJobs(config, (engines) => runRefundsCommand(engines, refundOrderOf(args))),
  },
  requests: {
    usage:
      'requests [show ID | release ID --note TEXT | refund ID [--amount DOLLARS] --note TEXT | decline ID --note TEXT]',
    about:
      'lists custom requests and what is held for them; releases or returns it, or answers a report, which is audited and told',
    run: (args, config) => withJobs(config, (engines) => runRequestsCommand(engines, requestOrderOf(args))),
  },
  disputes: {
    usage: 'disputes [show ID | export ID FOLDER | object ID --note TEXT | submit ID]',
    about:
      'lists payments that are disputed; shows or exports the evidence, objects to it, or submits it now, which is audited',
    run: (args, config) => withEngines(config, (engines) => runDisputesCommand(engines, disputeOrderOf(args))),
  },
  payouts: {
    usage:
      'payouts [show EMAIL | hold EMAIL --reason REASON --note TEXT | release EMAIL [--note TEXT] | keep EMAIL --note TEXT]',
    about:
      'lists whose payouts are held; holds or releases them, or answers an appeal with no, which is audited and told',
    run: (args, config) => withJobs(config, (engines) => runPayoutsCommand(engines, payoutOrderOf(args))),
  },
  recount: {
    usage: 'recount [repair]',
    about: 'compares counters and sums of views with the individual views; "repair" corrects them',
    run: ([how], config) => withEngines(config, (engines) => runRecount(engines, how)),
  },
  'retire-test-payments': {
    usage: 'retire-test-payments',
    about:
      'ends what test cards paid for, and the demo accounts, sessions and codes of a sandbox, before it goes live; written to the audit log',
    run: (_, config) => withEngines(config, retireSandbox),
  },
  trace: {
    usage: 'trace FILE [--creator EMAIL]',
    about: 'shows which link a leaked copy was made from; logged like every trace',
    run: (args, config) =>
      withEngines(config, (engines) => traceFile(engines, fileOf(args), optionOf(args, '--creator'))),
  },
  'verify-evidence': {
    usage: 'verify-evidence FILE [--leak COPY]… [--key KEY]',
    about: 'checks an evidence file (JSON) by itself, and says what it cannot check',
    run: (args) => verifyEvidenceFile(fileOf(args), { leaks: optionsOf(args, '--leak'), key: optionOf(args, '--key') }),
  },
  'evidence-key': {
    usage: 'evidence-key',
    about: 'shows the key that identifies evidence from this installation; share it separately from the evidence',
    run: (_, config) => withEngines(config, async ({ keys }) => evidencePublicKey(keys)),
  },
  'new-key': {
    usage: 'new-key',
    about: 'makes the next master key, with which rotating begins; docs/operations.md has the steps',
    run: async (_, { dataDir, PF_KEYS }) => describeNewKey(addKey({ dataDir, pfKeys: PF_KEYS }), PF_KEYS),
  },
  'rotate-keys': {
    usage: 'rotate-keys',
    about: 'wraps every stored key with the newest master key; can be run again wherever it stopped',
    run: (_, config) => withEngines(config, rotateKeys),
  },
  backup: {
    usage: 'backup [FOLDER] --keys-kept IDS [--keep N]',
    about: 'saves the database and files in a new folder, or as the newest of N (2) in BACKUP_DIR, while the app runs',
    run: runBackup,
  },
  restore: {
    usage: 'restore FOLDER [--until MOMENT]',
    about: 'restores a backup, or BACKUP_DIR up to a moment, into an empty DATA_DIR that may contain only keys.json',
    run: bringBack,
  },
  export: {
    usage: 'export FOLDER',
    about: 'writes everything in a form that works with any PostgreSQL and any storage',
    run: (args, config) => withEngines(config, (engines) => exportInstallation(engines, config, folderOf(args))),
  },
  import: {
    usage: 'import FOLDER',
    about: 'loads an export into an empty installation',
    run: (args, config) => importInstallation(config, log, root, folderOf(args)),
  },
};

const help = () =>
  `npm run pf -- <verb>\n${Object.values(verbs)
    .map(({ usage, about }) => `  ${usage.padEnd(30)} ${about}`)
    .join('\n')}`;

const [name = '', ...args] = process.argv.slice(2);
const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
if (verb === undefined) {
  console.log(help());
  process.exit(name === '' || name === 'help' ? 0 : 1);
}
try {
  console.log(await verb.run(args, readConfig(process.env)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
