import type { NewBedMapping } from '../lib/mappings/schema';
import { addDecider } from './addDecider';
import type { TestServer } from './testServer';

/** Has a technician propose and a physician confirm what a sender's bed is, and returns the mapping's id. */
export async function addBedMapping(test: TestServer, siteId: number, wanted: NewBedMapping): Promise<number> {
  const { beds } = test.server;
  const id = await beds.propose(await addDecider(test, siteId, 'technician'), wanted);
  return (await beds.decide(await addDecider(test, siteId, 'physician'), id, true)) ?? 0;
}
