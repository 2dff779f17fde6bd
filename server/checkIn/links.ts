import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import type { CheckInLink, LinkState, NewCheckInLink } from '../../lib/checkIn/linkSchema';
import type { EpochMs } from '../../lib/time/epochMs';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import { auditDone } from '../audit';
import type { CheckInLinksTable } from '../db/checkInTables';
import { hold } from '../db/hold';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { HttpError, notFound } from '../http/httpError';
import { holdPatient } from '../patients/holdPatient';
import { patientDischarged, requirePatient } from '../patients/requirePatient';
import type { Writer } from '../patients/writerOf';
import type { Server } from '../server';
import { hashSecret } from '../session/sessions';
import { readNames } from '../users/readNames';
import { siteRow } from '../site/queries';

export type LinkRow = Selectable<CheckInLinksTable>;

const dayMs = 24 * 3_600_000;

/**
 * Creates a link for a patient and returns it with its secret, which the store keeps only as a hash. With the client id
 * of a link that has not been opened, after a lost response, that link gets a new secret, because no one has seen the
 * first, and becomes as it is asked for now. Rejects with 409
 * `no_emergency_number`, or `rules_off` if no alert would be raised: then no one would notice what is sent.
 */
export async function createLink(
  { store, now, actor, user }: Writer,
  alerts: Server['alerts'],
  patient: PatientRow,
  link: NewCheckInLink,
): Promise<{ row: LinkRow; secret: string }> {
  const secret = randomBytes(32).toString('base64url');
  const row = await store.db.transaction().execute(async (transaction) => {
    // The number cannot be taken away meanwhile.
    await hold(transaction, 'sites', patient.site_id);
    const { emergency_number } = await siteRow(transaction, patient.site_id);
    if (emergency_number === null) {
      throw new HttpError(
        409,
        'no_emergency_number',
        'This site has no emergency number. An administrator can set it on the page "Site".',
      );
    }
    if (!alerts.rulesAreOn(patient.site_id)) {
      throw new HttpError(
        409,
        'rules_off',
        'The alert rules of this site are off, so no one would notice what the patient sends. ' +
          'An administrator has to accept the intended use first.',
      );
    }
    // A discharge at this moment either revokes this link as well, or is known here.
    if ((await holdPatient(transaction, patient.id)) !== 'active') {
      throw patientDischarged();
    }
    const asked = { for: link.for, secret_hash: hashSecret(secret), expires_at: now + link.lastsDays * dayMs };
    const renewed =
      link.clientId === null
        ? undefined
        : await transaction
            .updateTable('check_in_links')
            .set(asked)
            .where('patient_id', '=', patient.id)
            .where('created_by', '=', user.id)
            .where('client_id', '=', link.clientId)
            .where('opened_at', 'is', null)
            .where('locked_at', 'is', null)
            .where('revoked_at', 'is', null)
            .returningAll()
            .executeTakeFirst();
    const created =
      renewed ??
      (await transaction
        .insertInto('check_in_links')
        .values({
          ...asked,
          site_id: patient.site_id,
          patient_id: patient.id,
          created_at: now,
          created_by: user.id,
          client_id: link.clientId,
        })
        .returningAll()
        .executeTakeFirstOrThrow());
    await auditDone(transaction, now, actor, 'create_check_in_link', ['patient', patient.id], {
      link: created.id,
      for: link.for,
      lastsDays: link.lastsDays,
      ...(renewed === undefined ? {} : { newSecret: true }),
    });
    return created;
  });
  return { row, secret };
}

/** Returns a patient's links, the newest first. */
export async function listLinks(db: Kysely<Database>, patientId: number): Promise<LinkRow[]> {
  return await db
    .selectFrom('check_in_links')
    .selectAll()
    .where('patient_id', '=', patientId)
    .orderBy('id', 'desc')
    .execute();
}

/** Revokes a link and returns it; one that is revoked stays as it is. Rejects with 404 if it is out of reach. */
export async function revokeLink({ store, liveState, now, actor, scope }: Writer, id: number): Promise<LinkRow> {
  return await store.db.transaction().execute(async (transaction) => {
    const ofId = transaction.selectFrom('check_in_links').selectAll().where('id', '=', id);
    const known = await ofId.executeTakeFirstOrThrow(notFound);
    requirePatient(liveState, known.patient_id, scope);
    const revoked = await transaction
      .updateTable('check_in_links')
      .set({ revoked_at: now, revoked_by: actor.actorId })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (revoked === undefined) {
      return await ofId.executeTakeFirstOrThrow();
    }
    await auditDone(transaction, now, actor, 'revoke_check_in_link', ['patient', revoked.patient_id], { link: id });
    return revoked;
  });
}

/** Returns what a link is at `now`. */
export function stateOf(row: LinkRow, now: EpochMs): LinkState {
  if (row.revoked_at !== null) {
    return 'revoked';
  }
  if (row.locked_at !== null) {
    return 'locked';
  }
  return now >= row.expires_at ? 'expired' : 'active';
}

/** Returns links as responses show them to staff. The fields are listed explicitly: this leaves the server. */
export async function presentLinks(
  db: Kysely<Database>,
  rows: readonly LinkRow[],
  now: EpochMs,
): Promise<CheckInLink[]> {
  const nameOf = await readNames(
    db,
    rows.flatMap(({ created_by, revoked_by }) => [created_by, revoked_by ?? created_by]),
  );
  return rows.map((row) => ({
    id: row.id,
    patientId: row.patient_id,
    for: row.for,
    createdAt: toInstant(row.created_at),
    createdBy: nameOf(row.created_by),
    expiresAt: toInstant(row.expires_at),
    state: stateOf(row, now),
    revokedAt: instantOrNull(row.revoked_at),
    revokedBy: row.revoked_by === null ? null : nameOf(row.revoked_by),
    lockedAt: instantOrNull(row.locked_at),
    wrongTries: row.wrong_tries,
    openedAt: instantOrNull(row.opened_at),
    lastOpenedAt: instantOrNull(row.last_opened_at),
    openedOn: row.opened_on,
  }));
}
