import { statement, type Tx } from '#engines/database/work.ts';

/** What a creator has had of the model's answers in a month, and what is left of those that they paid for. */
export interface AnswersRow {
  used: number;
  extra: number;
}

const had = statement<AnswersRow>(
  'assistant_answers_had',
  `select case when month = $2::date then used else 0 end as used, extra from assistant_answers where user_id = $1`,
);
const taken = statement<{ one: number }>(
  'assistant_answer_taken',
  `insert into assistant_answers as a (user_id, month, used) select $1, $2::date, 1 where $3 > 0
on conflict (user_id) do update set month = $2::date,
  used = case when a.month <> $2::date then least(1, $3) when a.used < $3 then a.used + 1 else a.used end,
  extra = a.extra - case when (case when a.month = $2::date then a.used else 0 end) < $3 then 0 else 1 end
where (case when a.month = $2::date then a.used else 0 end) < $3 or a.extra > 0
returning 1 as one`,
);
const added = statement(
  'assistant_answers_added',
  `insert into assistant_answers as a (user_id, month, extra) values ($1, $2::date, $3)
on conflict (user_id) do update set extra = a.extra + $3`,
);

interface OfMonth {
  userId: string;
  /** The first instant of the month, in UTC. */
  month: Date;
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

export const findAnswers = async (tx: Tx, { userId, month }: OfMonth): Promise<AnswersRow> =>
  (await tx.query(had, [userId, dayOf(month)]))[0] ?? { used: 0, extra: 0 };

/** Takes one answer: of the month's free ones first, then of those that were paid for. @returns false when there is none left */
export const takeAnswer = async (tx: Tx, { userId, month }: OfMonth, free: number): Promise<boolean> =>
  (await tx.query(taken, [userId, dayOf(month), free])).length > 0;

/** Adds answers that were paid for; they stay until they are used. */
export const addAnswers = async (tx: Tx, { userId, month }: OfMonth, count: number): Promise<void> =>
  void (await tx.query(added, [userId, dayOf(month), count]));
