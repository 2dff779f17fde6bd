import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { ChartChange, newIdentifier, WrittenEntry, WrittenValue } from '../../lib/chart/schema';
import { isNone, slotOf } from '../../lib/chart/slotOf';
import { parseInstant } from '../../lib/time/parseInstant';
import { auditDone } from '../audit';
import type { Database } from '../db/schema';
import { HttpError, invalid } from '../http/httpError';
import { pastInstant } from '../notes/documents';
import { patientDischarged } from '../patients/requirePatient';
import { readNames } from '../users/readNames';
import { chartChanged } from './chartChanged';
import { holdChart, type ChartWriter } from './chartWriter';
import { readWrittenOf, type Written } from './readWritten';

/**
 * Resolves with a value as it is to be stored: a user in the team by their own name. Rejects with 422 if they are no
 * user of the site. Everything else stays as it is.
 */
async function requireTeamUser(
  transaction: Kysely<Database>,
  siteId: number,
  wanted: WrittenValue,
): Promise<WrittenValue> {
  if (wanted.section !== 'team' || wanted.value.userId === null) {
    return wanted;
  }
  const { userId } = wanted.value;
  await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow(() => invalid({ 'value.userId': 'is not a user of this site' }));
  const { name } = (await readNames(transaction, [userId]))(userId);
  return { ...wanted, value: { ...wanted.value, name } };
}

/** A new entry as the page sends it. */
export type NewEntry = Omit<z.output<typeof newIdentifier>, 'value'>;

/**
 * Adds an entry to a chart, or corrects one, and resolves with it. The same `clientId` again, after a lost response,
 * resolves with the entry that it made; with other content it is refused with 409 `entry_stored`. Rejects with 409
 * `another_user`, `patient_discharged` or `chart_changed`, and with 422 for a date in the future, for what the chart
 * says already, and for a correction of what is not current.
 */
export async function addEntry(writer: ChartWriter, sent: WrittenValue, entry: NewEntry): Promise<ChartChange> {
  const { store, now, actor, user, patient } = writer;
  return await store.db.transaction().execute(async (transaction) => {
    const { isDischarged } = await holdChart(writer, transaction, entry.authorId);
    const written = await readWrittenOf(transaction, patient.id);
    const before = await storedBefore(transaction, writer, entry.clientId, written);
    if (before !== null) {
      if (!isDeepStrictEqual(contentOf(before), contentOf({ ...sent, ...entry }))) {
        throw new HttpError(409, 'entry_stored', 'What you sent before is stored already, with another content.', {
          id: before.id,
        });
      }
      return { patientId: patient.id, version: written.version, entry: before };
    }
    if (isDischarged) {
      throw patientDischarged();
    }
    const effectiveAt = pastInstant('effectiveAt', entry.effectiveAt, now);
    const wanted = await requireTeamUser(transaction, patient.site_id, sent);
    requireRoom(written, wanted, entry);
    const { id } = await transaction
      .insertInto('chart_entries')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        section: wanted.section,
        value: JSON.stringify(wanted.value),
        source: entry.source,
        effective_at: effectiveAt,
        author_id: user.id,
        client_id: entry.clientId,
        recorded_at: now,
        replaces: entry.replaces,
        reason: entry.reason,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const stored = await readWrittenOf(transaction, patient.id);
    await auditDone(
      transaction,
      now,
      actor,
      entry.replaces === null ? 'add_to_chart' : 'correct_chart',
      ['patient', patient.id],
      {
        section: wanted.section,
        entryId: id,
        ...(entry.replaces === null ? {} : { replaces: entry.replaces }),
      },
    );
    return { patientId: patient.id, version: stored.version, entry: entryOf(stored, id) };
  });
}

/** Returns an entry of a chart that was just written or marked. */
export function entryOf({ entries }: Written, id: number): WrittenEntry {
  const found = entries.find((one) => one.id === id);
  if (found === undefined) {
    throw new Error('an entry of a chart is not in it');
  }
  return found;
}

/** Resolves with the entry that this `clientId` has made; null: none. Rejects if it is another patient's. */
async function storedBefore(
  transaction: Kysely<Database>,
  { user, patient }: ChartWriter,
  clientId: string,
  written: Written,
): Promise<WrittenEntry | null> {
  const known = await transaction
    .selectFrom('chart_entries')
    .select(['id', 'patient_id'])
    .where('author_id', '=', user.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (known !== undefined && known.patient_id !== patient.id) {
    throw new HttpError(409, 'entry_of_another', 'This entry was stored under another patient.');
  }
  return known === undefined ? null : entryOf(written, known.id);
}

/** What two entries have in common if one was sent twice. The name of a user may have changed since. */
function contentOf({
  source,
  effectiveAt,
  replaces,
  reason,
  ...what
}: WrittenValue & Omit<NewEntry, 'clientId' | 'authorId' | 'version'>) {
  const { section, value } = what;
  const isUser = section === 'team' && value.userId !== null;
  return {
    section,
    value: JSON.stringify(isUser ? { ...value, name: null } : value),
    source,
    effectiveAt: effectiveAt === null ? null : parseInstant(effectiveAt),
    replaces,
    reason,
  };
}

/**
 * Throws 409 `chart_changed` if what the user saw has changed so that the entry cannot be added, and 422 if they saw
 * what is in its way.
 */
function requireRoom(written: Written, wanted: WrittenValue, { version, replaces }: NewEntry): void {
  const ofSection = written.entries.filter(({ section }) => section === wanted.section);
  const hasChanged = version !== written.version;
  const replaced = ofSection.find(({ id }) => id === replaces);
  if (replaces !== null && replaced === undefined) {
    throw invalid({ replaces: 'is not an entry of this section' });
  }
  if (replaced !== undefined && replaced.status !== 'current') {
    throw hasChanged ? chartChanged(ofSection, replaced) : invalid({ replaces: 'is not current' });
  }
  const slot = slotOf(wanted);
  const inTheWay = ofSection.find(
    (one) =>
      one.status === 'current' &&
      one.id !== replaces &&
      // What a list gets overrules that there is nothing in it, and not the other way round.
      ((slot !== null && slotOf(one) === slot) || (isNone(wanted) && !isNone(one))),
  );
  if (inTheWay !== undefined) {
    throw hasChanged ? chartChanged(ofSection, inTheWay) : invalid({ value: 'is at odds with a current entry' });
  }
}
