import { permissionsOf } from '../lib/session/permissions';
import type { UserType } from '../lib/session/userTypes';
import { system } from '../server/audit/actor';
import type { By } from '../server/proposals/proposals';
import type { TestServer } from './testServer';

/** A new user of a site who proposes or decides now. */
export async function addDecider(test: TestServer, siteId: number, type: UserType): Promise<By> {
  const { id } = await test.addUser(siteId, type);
  const permissions = permissionsOf({ type, isAdmin: false, units: [] });
  return { now: test.now(), actor: system, user: { id, type, siteId, permissions, site: { timeZone: 'UTC' } } };
}
