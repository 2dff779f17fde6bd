import { engines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { findToken, makeToken, takeToken, type NewAccountToken } from './accountTokens';

describe.each(engines)('an account token on %s', (engine) => {
  let test: TestServer;
  let reset: NewAccountToken;
  beforeAll(async () => {
    test = await sharedTestServer(engine);
    const siteId = await test.addSite();
    const { id, email } = await test.addUser(siteId, 'nurse');
    reset = { kind: 'reset', siteId, userId: id, email, createdBy: null, isShown: false };
  });

  const make = () => test.store.db.transaction().execute((transaction) => makeToken(transaction, test.now(), reset));
  const take = (secret: string) =>
    test.store.db.transaction().execute((transaction) => takeToken(transaction, test.now(), 'reset', secret));

  it('goes to exactly one of 50 concurrent callers', async () => {
    const { secret } = await make();
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => take(secret)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons: unknown[] = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    expect(reasons).toEqual(
      Array.from({ length: 49 }, () => expect.objectContaining({ status: 404, code: 'link_unusable' }) as unknown),
    );
  });

  it('is the only one that works, also when several are made at once', async () => {
    const made = await Promise.all([make(), make(), make(), make(), make()]);
    const results = await Promise.allSettled(
      made.map(({ secret }) => findToken(test.store.db, test.now(), 'reset', secret)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is given back when what it was taken for fails', async () => {
    const { secret } = await make();
    const failing = test.store.db.transaction().execute(async (transaction) => {
      await takeToken(transaction, test.now(), 'reset', secret);
      throw new Error('the disk is full');
    });
    await expect(failing).rejects.toThrow('the disk is full');
    await expect(take(secret)).resolves.toMatchObject({ kind: 'reset' });
  });

  it('is 256 bits of chance and kept as a hash', async () => {
    const { id, secret } = await make();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    const row = await test.store.db
      .selectFrom('account_tokens')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret);
  });
});
