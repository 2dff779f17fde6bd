import type { NewCodeMapping } from '../lib/mappings/schema';
import { system } from '../server/audit/actor';
import { confirmMapping, kindOfCodes, proposeMapping } from '../server/mappings/decisions';
import type { TestServer } from './testServer';

/** Has a technician propose and a physician confirm what a code of a sender means, and returns the mapping's id. */
export async function addCodeMapping(
  test: TestServer,
  siteId: number,
  wanted: Omit<NewCodeMapping, 'isUnitless'>,
): Promise<number> {
  const { store, server, now } = test;
  const proposing = { siteId, userId: (await test.addUser(siteId, 'technician')).id };
  const { id } = await proposeMapping(kindOfCodes, store, now(), system, proposing, { isUnitless: false, ...wanted });
  const confirming = { siteId, userId: (await test.addUser(siteId, 'physician')).id };
  server.codes.put(await confirmMapping(kindOfCodes, store, now(), system, confirming, id));
  return id;
}
