import { createSearchLog, type SearchDetails } from './searchLog';
import { system, type Actor } from './actor';

describe('the log of searches', () => {
  let now: number;
  let written: SearchDetails[];
  let actors: Actor[];
  let isBroken: boolean;
  let log: ReturnType<typeof createSearchLog>;
  beforeEach(() => {
    [now, written, actors, isBroken] = [0, [], [], false];
    log = createSearchLog(
      () => now,
      async (actor, details) => {
        await Promise.resolve();
        if (isBroken) {
          throw new Error('The audit cannot be written');
        }
        written.push(details);
        actors.push(actor);
      },
    );
  });

  const search = (patientIds: number[], isOpened = false) =>
    log.note(`nurse ${String(isOpened)}`, system, { filters: ['text'], patientIds, isOpened });
  const row = (searches: number, ...patientIds: number[]) => ({
    searches,
    count: patientIds.length,
    filters: ['text'],
    patientIds,
  });

  it('lets no search through whose row cannot be written, and counts it with the next', async () => {
    isBroken = true;
    await expect(search([1])).rejects.toThrow('The audit');
    await expect(search([2])).rejects.toThrow('The audit');
    isBroken = false;
    await search([3]);
    expect(written).toEqual([row(3, 1, 2, 3)]);
  });

  it('refuses searches a minute after a row that could not be written, not before', async () => {
    await search([1]);
    isBroken = true;
    expect(search([2])).toBeNull();
    now = 60_000;
    await expect(log.flush()).rejects.toThrow('The audit');
    await expect(search([3])).rejects.toThrow('The audit');
    isBroken = false;
    await log.flush();
    expect(written).toEqual([row(1, 1), row(2, 2, 3)]);
  });

  it('answers no search of a minute before the row of its first is written', async () => {
    const [first, second] = [search([1]), search([2])];
    expect(second).toBe(first);
    await first;
    expect(search([3])).toBeNull();
    await log.flush(true);
    expect(written).toEqual([row(1, 1), row(2, 2, 3)]);
  });

  it('writes nothing for a session that has stopped searching', async () => {
    await search([1]);
    now = 60_000;
    await log.flush();
    await log.flush(true);
    expect(written).toEqual([row(1, 1)]);
  });

  it('keeps nothing of a session that has stopped searching', async () => {
    await search([1]);
    now = 60_000;
    await log.flush();
    const elsewhere = { ...system, ip: '192.0.2.7' };
    await log.note('nurse false', elsewhere, { filters: [], patientIds: [], isOpened: false });
    expect(actors).toEqual([system, elsewhere]);
  });

  it('keeps fifty ids and the number of all', async () => {
    const ids = Array.from({ length: 60 }, (_, place) => place + 1);
    await search(ids);
    expect(written).toEqual([{ ...row(1, ...ids.slice(0, 50)), count: 60 }]);
  });

  it('marks searches under an emergency access, which have a row of their own', async () => {
    await search([1]);
    await search([2], true);
    expect(written).toEqual([row(1, 1), { ...row(1, 2), breakGlass: true }]);
  });
});
