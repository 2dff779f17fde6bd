import type { Kysely } from 'kysely';
import type { DemoResponse, User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { cast } from '../../simulator/cast';
import { writeAssignment } from '../assignments/commands';
import { shiftOf } from '../assignments/shiftOf';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { insertPatient, putPlaced, type PlacedPatient } from '../patients/commands';
import type { Passwords } from '../session/passwords';
import { readableSecret } from '../session/readableSecret';
import { addFirstUser, requireNoUser } from '../session/users';
import type { LiveState } from '../liveState';

const minuteMs = 60_000;

/** The users of the demo. No one can own their domain (RFC 2606). */
const people = [
  { email: 'nurse@demo.example', fname: 'Noor', lname: 'Demo', type: 'nurse', isAdmin: false },
  { email: 'physician@demo.example', fname: 'Imani', lname: 'Demo', type: 'physician', isAdmin: false },
  { email: 'lead@demo.example', fname: 'Lena', lname: 'Demo', type: 'ward_lead', isAdmin: false },
  { email: 'admin@demo.example', fname: 'Alex', lname: 'Demo', type: 'administrator', isAdmin: true },
  { email: 'wall@demo.example', fname: 'Wall', lname: 'Demo', type: 'display', isAdmin: false },
] as const;

/**
 * Creates the site "Demo ward", its users and the patients of the cast, all or nothing. Returns the users with their
 * passwords, which are stored only as hashes. Rejects with 409 `already_set_up` if any user exists.
 */
export async function createDemoWard(
  { store, liveState, passwords }: { store: Store; liveState: LiveState; passwords: Passwords },
  now: EpochMs,
  actor: Actor,
  timeZone: string,
): Promise<DemoResponse['people']> {
  const secrets = await Promise.all(
    people.map(async (person) => {
      const password = readableSecret();
      return { ...person, password, passwordHash: await passwords.hash(password) };
    }),
  );
  const rows = await store.db.transaction().execute(async (transaction) => {
    await requireNoUser(store, transaction);
    const site = await transaction
      .insertInto('sites')
      // A whole minute, because the stories count from here and create the history by minutes.
      .values({
        name: 'Demo ward',
        time_zone: timeZone,
        created_at: Math.floor(now / minuteMs) * minuteMs,
        is_demo: 1,
        // Without it no link to check in can be made.
        emergency_number: '112',
        out_of_hours_text: 'The ward answers from 08:00 to 20:00. At night call your doctor’s night service.',
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const ofSite = { ...actor, siteId: site.id };
    await auditDone(transaction, now, ofSite, 'start_demo', ['site', site.id]);
    const users = [];
    for (const person of secrets) {
      users.push(await addFirstUser(transaction, now, actor, site, person));
    }
    const scope = { siteId: site.id, unitIds: null };
    const patients = [];
    for (const { patient } of cast.flatMap(({ roles }) => roles)) {
      patients.push(await insertPatient(transaction, { now, actor: ofSite, scope }, patient));
    }
    const nurse = users.find(({ type }) => type === 'nurse');
    return { patients, assigned: nurse === undefined ? [] : await assignNurse(transaction, now, nurse, patients) };
  });
  for (const placed of rows.patients) {
    putPlaced(liveState, placed);
  }
  for (const { unit, ...assignment } of rows.assigned) {
    liveState.putAssignment(unit, assignment, now);
  }
  return secrets.map(({ email, password, type }) => ({ email, password, type }));
}

/** How many patients the demo nurse looks after, and for how many more she is the buddy. */
const nursedBeds = 4;
const buddyBeds = 3;

/** Assigns the first beds of the first unit and its charge to the nurse, so that "Mine" shows patients. */
async function assignNurse(
  transaction: Kysely<Database>,
  now: EpochMs,
  nurse: User,
  patients: readonly PlacedPatient[],
) {
  const unit = patients.find((placed) => placed.unit !== null)?.unit ?? null;
  if (unit === null) {
    return [];
  }
  const { start } = shiftOf(nurse.site, 'current', now);
  const ofUnit = patients.filter((placed) => placed.unit?.id === unit.id).slice(0, nursedBeds + buddyBeds);
  const assigned = [
    { role: 'charge_nurse' as const, patientId: null },
    ...ofUnit.map(({ row }, place) => ({
      role: place < nursedBeds ? ('nurse' as const) : ('buddy' as const),
      patientId: row.id,
    })),
  ].map((one) => ({ ...one, unit, userId: nurse.id, shiftStart: start }));
  const written = [];
  for (const one of assigned) {
    written.push({ ...one, version: await writeAssignment(transaction, { ...one, now, by: nurse.id }) });
  }
  return written;
}
