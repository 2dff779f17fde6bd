import type { DemoAnswer } from '../../lib/session/schema';
import { cast } from '../../simulator/cast';
import { audit, type Actor } from '../audit';
import type { Store } from '../db/open';
import { insertPatient, putPlaced } from '../patients/commands';
import { hashPassword } from '../session/passwords';
import { readableSecret } from '../session/readableSecret';
import { addFirstUser, requireNoUser } from '../session/users';
import type { Ward } from '../ward';

const minuteMs = 60_000;

/** Who can sign in. The domain is one that can never be anybody's (RFC 2606). */
const people = [
  { email: 'nurse@demo.example', fname: 'Noor', lname: 'Demo', type: 'nurse', isAdmin: false },
  { email: 'admin@demo.example', fname: 'Alex', lname: 'Demo', type: 'administrator', isAdmin: true },
] as const;

/**
 * Makes the site "Demo ward" with a nurse, an administrator and the patients of the cast, all or nothing, and returns the
 * people with their passwords, which are kept nowhere. Refuses with 409 `already_set_up` when any user exists. `now` is epoch
 * milliseconds.
 */
export async function createDemoWard(store: Store, ward: Ward, now: number, actor: Actor, timeZone: string): Promise<DemoAnswer['people']> {
  const secrets = await Promise.all(
    people.map(async (person) => {
      const password = readableSecret();
      return { ...person, password, passwordHash: await hashPassword(password) };
    }),
  );
  const rows = await store.db.transaction().execute(async (transaction) => {
    await requireNoUser(store, transaction);
    const site = await transaction
      .insertInto('sites')
      // A whole minute, because the stories count from here and tell the history by minutes.
      .values({ name: 'Demo ward', time_zone: timeZone, created_at: Math.floor(now / minuteMs) * minuteMs, is_demo: 1 })
      .returningAll()
      .executeTakeFirstOrThrow();
    const ofSite = { ...actor, siteId: site.id };
    await audit(transaction, now, ofSite, { action: 'start_demo', outcome: 'done', objectType: 'site', objectId: site.id });
    for (const person of secrets) {
      await addFirstUser(transaction, now, actor, site, person);
    }
    const patients = [];
    for (const { patient } of cast.flatMap(({ roles }) => roles)) {
      patients.push(await insertPatient(transaction, now, ofSite, site.id, patient));
    }
    return patients;
  });
  for (const row of rows) {
    putPlaced(ward, row);
  }
  return secrets.map(({ email, password, type }) => ({ email, password, type }));
}
