import type { NewCodeMapping } from '../lib/mappings/schema';
import { addDecider } from './addDecider';
import type { TestServer } from './testServer';

/** Has a technician propose and a physician confirm what a code of a sender means, and returns the mapping's id. */
export async function addCodeMapping(
  test: TestServer,
  siteId: number,
  wanted: Omit<NewCodeMapping, 'isUnitless'>,
): Promise<number> {
  const { codes } = test.server;
  const technician = await addDecider(test, siteId, 'technician');
  const id = await codes.propose(technician, { isUnitless: false, ...wanted });
  return (await codes.decide(await addDecider(test, siteId, 'physician'), id, true)) ?? 0;
}
