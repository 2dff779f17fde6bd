import { sql, type RawBuilder, type Selectable } from 'kysely';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { severities } from '../../lib/symptoms/severity';
import { symptomAnswers, symptoms, type Symptom } from '../../lib/symptoms/symptoms';
import type { SymptomReportsTable } from '../db/checkInTables';

type Said = Pick<Selectable<SymptomReportsTable>, 'answers' | 'red_flags' | 'since_yesterday'>;

const names = Object.keys(symptoms) as Symptom[];

/**
 * What is taken out of answers one after the other. Those of a report that says nothing are `answeredNothing` then, if
 * it asked anything. Every other remainder is an answer, or damage.
 */
const sayingNothing: readonly string[] = [...names.map((name) => `"${name}"`), '"unanswered"', ',[,]'];
const askedNothing = '[]';
const answeredNothing = '[[,]]';

/**
 * Returns whether a stored report says something of symptoms: one without a real answer, as a check-in with readings
 * alone, ends nothing that was said before, and hides no red flag. The page sends what was not answered as such. One
 * that is damaged, in whatever place, may have said anything.
 */
export function saysSomething({ answers, red_flags, since_yesterday }: Said): boolean {
  const left = sayingNothing.reduce((text, part) => text.replaceAll(part, ''), answers);
  const says = answers !== askedNothing && left !== answeredNothing;
  return says || red_flags !== '[]' || since_yesterday !== null;
}

/** The answers that are a red flag by themselves, as a row has them. */
const flaggingAnswers = names.flatMap((symptom) =>
  symptomAnswers
    .filter((answer) => redFlagsOf({ [symptom]: answer }, []).length > 0)
    .map((answer) => `"${symptom}","${answer}"`),
);

/** Returns a condition of a query for every report that has a red flag, ticked or by an answer, and a few others. */
export function whereItMayHaveRedFlags(table: 'symptom_reports'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const answered = flaggingAnswers.map((text) => sql`${column('answers')} LIKE ${`%${text}%`}`);
  return sql<boolean>`(${column('red_flags')} <> '[]' OR ${sql.join(answered, sql` OR `)})`;
}

/**
 * Returns what `saysSomething` does as a condition of a query, for the rows of a table or of its alias. A severity in
 * the text decides most rows without more.
 */
export function whereItSaysSomething(table: 'symptom_reports' | 'n'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const answered = severities.map((answer) => sql`${column('answers')} LIKE ${`%"${answer}"%`}`);
  const left = sayingNothing.reduce<RawBuilder<unknown>>(
    (text, part) => sql`replace(${text}, ${sql.lit(part)}, '')`,
    column('answers'),
  );
  return sql<boolean>`(${sql.join(answered, sql` OR `)} OR ${column('red_flags')} <> '[]'
    OR ${column('since_yesterday')} IS NOT NULL
    OR (${column('answers')} <> ${sql.lit(askedNothing)} AND ${left} <> ${sql.lit(answeredNothing)}))`;
}
