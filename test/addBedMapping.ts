import { system } from '../server/audit/actor';
import { confirmMapping, kindOfBeds, proposeMapping } from '../server/mappings/decisions';
import type { TestServer } from './testServer';

/** Has a technician propose and a physician confirm which of our beds a sender's bed is. */
export async function addBedMapping(
  test: TestServer,
  siteId: number,
  wanted: { senderId: number; senderBed: string; unitId: number; bed: string },
): Promise<void> {
  const { store, server, now } = test;
  const proposing = { siteId, userId: (await test.addUser(siteId, 'technician')).id };
  const { id } = await proposeMapping(kindOfBeds, store, now(), system, proposing, wanted);
  const confirming = { siteId, userId: (await test.addUser(siteId, 'physician')).id };
  server.beds.put(await confirmMapping(kindOfBeds, store, now(), system, confirming, id));
}
