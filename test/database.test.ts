import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { loadSqlite } from '../server/db/loadSqlite';
import { apiEnginesOf, createTestDatabase, engines } from './database';
import { createPowerLoss } from './powerLoss';
import { makeTestFolder } from './testFolder';

describe('database', () => {
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
});

describe('powerLoss', () => {
  // LD_PRELOAD, by which the library sees each flush, is Linux's.
  const onLinux = process.platform === 'linux' ? describe : describe.skip;

  let dataDir: string;

  beforeEach(() => {
    dataDir = makeTestFolder('power');
  });

  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });

  /** Runs a program in the data folder, which ends as by a kill, and then cuts the power. */
  function loseAfter(program: string): void {
    const power = createPowerLoss(dataDir);
    try {
      const args = ['-e', `${program}; process.kill(process.pid, 'SIGKILL')`];
      expect(() =>
        execFileSync(process.execPath, args, { env: { ...power.env, NODE_ENV: 'test', DATA_DIR: dataDir } }),
      ).toThrow('Command failed');
      power.strike();
    } finally {
      power.remove();
    }
  }

  // The trials with power failures are worth something only if one does take what was not flushed.
  onLinux('a power failure', () => {
    it('takes a file that was not flushed, and what came to another after its flush', () => {
      loseAfter(`
    const { fsyncSync, openSync, writeSync } = require('node:fs');
    const [flushed, other] = ['flushed', 'other'].map((name) => openSync(process.env.DATA_DIR + '/' + name, 'w'));
    writeSync(flushed, 'before');
    writeSync(other, 'before');
    fsyncSync(flushed);
    writeSync(flushed, ' after');
  `);
      expect(readFileSync(path.join(dataDir, 'flushed'), 'utf8')).toBe('before');
      expect(existsSync(path.join(dataDir, 'other'))).toBe(false);
    });

    it.each([
      ['FULL', [1, 2]],
      ['NORMAL', [1]],
    ])('leaves of two commits with synchronous=%s the rows %j', (synchronous, rows) => {
      loseAfter(`
    const sqlite = new (require('better-sqlite3'))(process.env.DATA_DIR + '/kept.db');
    sqlite.pragma('journal_mode = WAL');
    sqlite.exec('CREATE TABLE kept (id INTEGER PRIMARY KEY)');
    sqlite.pragma('synchronous = FULL');
    sqlite.exec('INSERT INTO kept VALUES (1)');
    sqlite.pragma('synchronous = ${synchronous}');
    sqlite.exec('INSERT INTO kept VALUES (2)');
  `);
      const sqlite = new (loadSqlite())(path.join(dataDir, 'kept.db'));
      expect(sqlite.prepare('SELECT id FROM kept').pluck().all()).toEqual(rows);
      sqlite.close();
    });
  });
});
