import { existsSync } from 'node:fs';
import { Client } from 'pg';
import { apiEnginesOf, createTestDatabase, engines } from './database';

describe('ENGINES', () => {
  it('rejects an unknown value', () => {
    expect(() => apiEnginesOf('both')).toThrow('the only value that means something is "all"');
  });

  it.each([
    [undefined, ['sqlite']],
    ['', ['sqlite']],
    ['all', ['sqlite', 'postgres']],
  ])('%s chooses %j for the suites about rules', (variable, expected) => {
    expect(apiEnginesOf(variable)).toEqual(expected);
  });
});

describe.each(engines)('a test database on %s', (engine) => {
  it('has a folder of its own that is removed with it', async () => {
    const first = await createTestDatabase(engine);
    const second = await createTestDatabase(engine);
    expect(existsSync(first.dataDir)).toBe(true);
    expect(second.dataDir).not.toBe(first.dataDir);
    await first.remove();
    await second.remove();
    expect(existsSync(first.dataDir)).toBe(false);
  });
});

describe('a test database on postgres', () => {
  it('starts empty, is separate from the next one, and is dropped although a connection is open', async () => {
    const first = await createTestDatabase('postgres');
    const second = await createTestDatabase('postgres');
    const client = new Client({ connectionString: String(first.databaseUrl) });
    const cut = new Promise((resolve) => client.on('error', resolve));
    await client.connect();
    await client.query('CREATE TABLE beds (name text)');
    const other = new Client({ connectionString: String(second.databaseUrl) });
    await other.connect();
    await expect(other.query('SELECT name FROM beds')).rejects.toThrow('does not exist');
    await other.end();
    await first.remove();
    await second.remove();
    await expect(cut).resolves.toBeInstanceOf(Error);
  });
});
