import { createTestDatabase, type TestDatabase } from '../../test/database';
import { openStore, type Store } from '../db/open';
import type { SenderRow } from '../db/rows';
import { loadSenders, type From } from './senders';

const row: SenderRow = {
  id: 1,
  site_id: 1,
  name: 'gateway',
  certificate: null,
  address: '10.1.2.0/24',
  application: 'GATEWAY',
  facility: '',
  is_trial: 0,
  zero_is_no_signal: 0,
  quarantine_is_accepted: 0,
  accepted_at: 0,
  accepted_by: null,
  revoked_at: null,
};
const from = (change: Partial<From> = {}): From => ({
  address: '10.1.2.3',
  certificate: null,
  application: 'GATEWAY',
  facility: '',
  ...change,
});

describe('the list of senders', () => {
  let database: TestDatabase;
  let store: Store;
  beforeAll(async () => {
    database = await createTestDatabase('sqlite', true);
    store = await openStore(database);
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  it.each([
    from({ address: '10.1.3.3' }),
    from({ address: '::1' }),
    from({ address: '' }),
    from({ application: '' }),
    from({ application: 'gateway' }),
    from({ facility: 'WARD' }),
  ])('does not take %j for a sender', async (stranger) => {
    const senders = await loadSenders(store);
    senders.put(row);
    expect(senders.find(stranger)).toBeNull();
  });

  it('takes the smallest range that holds an address, and none that is revoked', async () => {
    const senders = await loadSenders(store);
    senders.put(row);
    const exact = { ...row, id: 2, address: '10.1.2.3' };
    senders.put(exact);
    senders.put({ ...row, id: 3, address: '10.0.0.0/8' });
    expect(senders.find(from())?.id).toBe(2);
    expect(senders.find(from({ address: '10.1.2.4' }))?.id).toBe(1);
    expect(senders.isExpected(from({ address: '10.9.9.9' }))).toBe(true);
    senders.put({ ...exact, revoked_at: 1 });
    expect(senders.find(from())?.id).toBe(1);
  });

  it('expects a certificate of a sender in use from any address, and that of a revoked one from none', async () => {
    const senders = await loadSenders(store);
    const certificate = 'CN=north';
    const known = { ...row, id: 4, certificate, address: '', application: '', facility: '' };
    const elsewhere = from({ address: '10.9.9.9', application: 'OTHER', certificate });
    senders.put(row);
    expect([senders.find(elsewhere), senders.isExpected(elsewhere)]).toEqual([null, false]);
    expect(senders.find(from({ certificate }))?.id).toBe(1);
    senders.put(known);
    expect([senders.find(elsewhere)?.id, senders.isExpected(elsewhere)]).toEqual([4, true]);
    expect(senders.find(from({ certificate }))?.id).toBe(4);
    expect(senders.find({ ...from(), address: '10.9.9.9' })).toBeNull();
    senders.put({ ...known, revoked_at: 1 });
    expect([senders.find(from({ certificate })), senders.isExpected(from({ certificate }))]).toEqual([null, false]);
    senders.put({ ...known, id: 5 });
    expect(senders.find(from({ certificate }))?.id).toBe(5);
    expect(senders.isRevoked(certificate)).toBe(false);
  });

  it.each([
    ['10.1.2.128/25', 2, true],
    ['10.1.0.0/16', 2, true],
    ['10.1.2.7/24', 1, true],
    ['10.1.2.3', 1, false],
    ['10.1.3.0/24', 2, false],
    ['::/32', 2, false],
  ])('says that %s of site %i clashes with 10.1.2.0/24 of site 1: %s', async (address, siteId, isClash) => {
    const senders = await loadSenders(store);
    senders.put(row);
    expect(senders.clashes(siteId, from({ address }))).toBe(isClash);
    expect(senders.clashes(siteId, from({ address, facility: 'WARD' }))).toBe(false);
  });

  it('lists at most 100 unknown senders, and of one address 10, those that sent last', async () => {
    const senders = await loadSenders(store);
    senders.noteUnknown(from({ address: '10.9.9.9' }), 1);
    for (let index = 0; index < 20; index += 1) {
      senders.noteUnknown(from({ facility: `F${index}` }), 2);
    }
    expect(senders.unknown()).toHaveLength(11);
    expect(senders.unknown().at(-1)?.address).toBe('10.9.9.9');
    for (let index = 0; index < 120; index += 1) {
      senders.noteUnknown(from({ address: `10.2.0.${index}` }), 3);
    }
    expect(senders.unknown()).toHaveLength(100);
    senders.noteUnknown(from({ address: '10.2.0.60' }), 4);
    expect(senders.unknown()[0]).toMatchObject({ address: '10.2.0.60', messages: 2, firstAt: 3, lastAt: 4 });
  });

  it('lists no sender whose texts could not be stored', async () => {
    const senders = await loadSenders(store);
    for (const application of ['a\u0000b', 'a\nb', 'x'.repeat(300)]) {
      senders.noteUnknown(from({ application }), 1);
    }
    expect(senders.unknown()).toEqual([]);
  });
});
