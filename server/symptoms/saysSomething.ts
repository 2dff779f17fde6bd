import { sql, type RawBuilder, type Selectable } from 'kysely';
import { severities } from '../../lib/symptoms/severity';
import type { SymptomReportsTable } from '../db/checkInTables';

type Said = Pick<Selectable<SymptomReportsTable>, 'answers' | 'red_flags' | 'since_yesterday'>;

/**
 * Returns whether a stored report says something of symptoms: one without a real answer, as a check-in with readings
 * alone, ends nothing that was said before, and hides no red flag. The page sends what was not answered as such.
 */
export function saysSomething({ answers, red_flags, since_yesterday }: Said): boolean {
  return severities.some((answer) => answers.includes(`"${answer}"`)) || red_flags !== '[]' || since_yesterday !== null;
}

/** Returns the same as a condition of a query, for the rows of a table or of its alias. No symptom is named so. */
export function whereItSaysSomething(table: 'symptom_reports' | 'n'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const answered = severities.map((answer) => sql`${column('answers')} LIKE ${`%"${answer}"%`}`);
  return sql<boolean>`(${sql.join(answered, sql` OR `)} OR ${column('red_flags')} <> '[]'
    OR ${column('since_yesterday')} IS NOT NULL)`;
}
