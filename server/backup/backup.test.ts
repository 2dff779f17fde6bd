import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { buildSync } from 'esbuild';
import { sql } from 'kysely';
import pino from 'pino';
import { toInstant } from '../../lib/time/schema';
import { apiEngines, createTestDatabase, engines, type TestDatabase } from '../../test/database';
import { startTestServer, type TestServer } from '../../test/testServer';
import { verifyAudit } from '../audit/verify';
import { openStore, openStoreForCommand, type Store } from '../db/open';
import { makeToken } from '../session/accountTokens';
import { backupKeys } from './cipher';
import { linesOf, parseCopyLine, copyPostgres } from './postgresBackup';
import { restoreBackup, type RestoreTarget } from './restoreBackup';
import { createBackupSchedule } from './schedule';
import { copySqlite } from './sqliteBackup';
import { backupsFolder, backupState, listBackups } from './state';
import { takeBackup } from './takeBackup';

describe('backup', () => {
  /** A bed and a code of an HL7 sender that two people have confirmed. */
  async function addMappings({ store, addUnit, now }: TestServer, site: number, userId: number): Promise<void> {
    const { id: senderId } = await store.db
      .insertInto('hl7_senders')
      .values({
        site_id: site,
        name: 'North gateway',
        address: '10.1.2.3',
        application: '',
        facility: '',
        accepted_at: now(),
        accepted_by: userId,
        revoked_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const decided = { proposed_at: now(), proposed_by: userId, confirmed_at: now(), confirmed_by: userId };
    await store.db
      .insertInto('bed_mappings')
      .values({
        site_id: site,
        sender_id: senderId,
        sender_bed: 'ICU^^7',
        unit_id: await addUnit(site),
        bed: '7',
        ...decided,
        ended_at: null,
        ended_by: null,
      })
      .execute();
    const code = { code_id: 'SAT', code_text: 'Saturation', code_system: 'L', kind: 'spo2', is_unitless: 0 } as const;
    await store.db
      .insertInto('code_mappings')
      .values({ site_id: site, sender_id: senderId, ...code, ...decided, ended_at: null, ended_by: null })
      .execute();
  }

  describe('the text of COPY', () => {
    it.each([
      ['a\tb', ['a', 'b']],
      ['\\N\t', [null, '']],
      ['\\\\N', ['\\N']],
      ['line\\nfeed\\ttab\\rreturn', ['line\nfeed\ttab\rreturn']],
      ['\\\\x00ff', ['\\x00ff']],
    ])('%j holds the cells %j', (line, cells) => {
      expect(parseCopyLine(line)).toEqual(cells);
    });

    it('has lines that end at a line feed and nowhere else, wherever the stream is cut', async () => {
      const bytes = Buffer.from('one\u2028still one\ntwo\u0085é\n\nfour\n');
      const read = async (size: number): Promise<string[]> => {
        const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const lines: string[] = [];
        for await (const line of linesOf(Readable.from(parts))) {
          lines.push(line);
        }
        return lines;
      };
      for (const size of [1, 2, 3, 100]) {
        await expect(read(size)).resolves.toEqual(['one\u2028still one', 'two\u0085é', '', 'four']);
      }
    });
  });

  const samplesPerCall = 5;

  /** All rows of all tables, as text, in an order of their own. */
  async function everyTable({ db, engine }: Pick<Store, 'db' | 'engine'>): Promise<Record<string, string[]>> {
    const names = await sql<{ name: string }>`${sql.raw(
      engine === 'sqlite'
        ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
        : `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()`,
    )}`.execute(db);
    const tables: Record<string, string[]> = {};
    for (const { name } of names.rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(db);
      tables[name] = rows.map((row) => JSON.stringify(row)).toSorted();
    }
    return tables;
  }

  /** What a restore makes of tables: no session goes on, and the audit has one row more. */
  function asRestored(source: Readonly<Record<string, string[]>>): Record<string, unknown> {
    const { sessions = [], audit = [], progress = [], ...rest } = source;
    return {
      ...rest,
      // The next start begins another era.
      progress: progress.filter((row) => !row.includes('"era"')),
      sessions: sessions.map(() => expect.not.stringContaining('"ended_at":null') as unknown),
      audit: expect.arrayContaining(audit) as unknown,
      audit_head: [expect.stringContaining(`"last_id":${audit.length + 1}`) as unknown],
    };
  }

  /** Waits, a little at a time, until something is so. */
  async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
    while (!(await isSo())) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  describe.each(engines)('a backup on %s', (engine) => {
    // A server of its own: a backup is of all sites. No test counts on its rows.
    let test: TestServer;
    let site: number;
    let token: string;
    let patientId: number;
    let place: { dataDir: string; databaseUrl: string | null; backupKeyFile: string | null };
    let others: TestDatabase[];
    let minute = 0;

    beforeAll(async () => {
      test = await startTestServer(engine);
      site = await test.addSite('Harbour ward');
      const nurse = await test.signIn(site, 'nurse');
      patientId = await test.addPatient(site, { familyName: 'O’Tab\tNew\\nline' });
      const { id: deviceId, token: given } = await test.addDevice(site);
      token = given;
      for (const id of [patientId, patientId + 1]) {
        await nurse.call('GET', `/api/v2/patients/${id}`);
      }
      await test.store.db
        .insertInto('user_pictures')
        .values({ user_id: nurse.userId, png: Buffer.from([0, 9, 10, 13, 92, 255]), changed_at: 1 })
        .execute();
      await test.store.db
        .insertInto('quarantine')
        .values({
          site_id: site,
          device_id: deviceId,
          received_at: 1,
          code: 'x',
          sample: '{"a":"\u2028\\n\\\\N\t"}\n\\N',
        })
        .execute();
      await send();
      const { env } = test.server;
      place = { dataDir: env.dataDir, databaseUrl: env.databaseUrl, backupKeyFile: null };
    });
    afterAll(() => test.stop());
    beforeEach(() => {
      others = [];
    });
    afterEach(async () => {
      await rm(backupsFolder(place.dataDir), { recursive: true, force: true });
      for (const other of others) {
        await other.remove();
      }
    });

    /** One call of a device, all of whose samples are stored or none. */
    async function send(): Promise<void> {
      minute += 1;
      const samples = Array.from({ length: samplesPerCall }, (_, second) => ({
        patientId,
        kind: 'spo2',
        value: 90.1 + second,
        takenAt: toInstant(test.now() - minute * 60_000 + second * 1_000),
      }));
      const answer = await test.ingest(token, samples);
      expect(answer.json()).toMatchObject({ accepted: samplesPerCall });
    }

    async function emptyPlace(): Promise<{ target: RestoreTarget; open: () => Promise<Store> }> {
      const other = await createTestDatabase(engine);
      others.push(other);
      const { dataDir, databaseUrl } = other;
      return { target: databaseUrl === null ? { dataDir } : { databaseUrl }, open: () => openStore(other) };
    }

    const restore = (folder: string, target: RestoreTarget, backupKeyFile: string | null = null) =>
      restoreBackup(folder, target, { now: test.now(), backupKeyFile });

    /** What a restore brought, read without starting on it: a start notes in `progress` that there was one. */
    async function restored(folder: string, keyFile: string | null = null): Promise<Record<string, string[]>> {
      const { target } = await emptyPlace();
      await restore(folder, target, keyFile);
      const db = await openStoreForCommand({ dataDir: '', databaseUrl: null, ...target });
      const tables = await everyTable({ db, engine });
      await db.destroy();
      return tables;
    }

    it('has every row of every table, and a server starts on it', async () => {
      const { folder, manifest } = await takeBackup(place, test.now());
      const source = await everyTable(test.store);
      await expect(restored(folder)).resolves.toEqual(asRestored(source));
      expect(Object.keys(source).length).toBeGreaterThan(15);
      expect(Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows]))).toEqual(
        Object.fromEntries(Object.entries(source).map(([name, rows]) => [name, rows.length])),
      );

      const { target, open } = await emptyPlace();
      await restore(folder, target);
      const store = await open();
      await expect(verifyAudit(store.db, manifest.auditHead.hash)).resolves.toMatchObject({ fault: null });
      const before = await store.db
        .selectFrom('patients')
        .select((select) => select.fn.max('id').as('id'))
        .executeTakeFirstOrThrow();
      const added = await store.db
        .insertInto('sites')
        .values({ name: 'New', time_zone: 'UTC', created_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect([before.id, added.id]).toEqual([
        patientId,
        manifest.tables.sites === undefined ? 0 : manifest.tables.sites.rows + 1,
      ]);
      await store.close();
    });

    it('is taken by the command while devices send, and has whole calls only and all earlier ones', async () => {
      const counted = { before: minute };
      let isOver = false;
      // Devices send all the while: compiled beforehand it begins in half the time.
      const outfile = `dist/test-commands/backup-${engine}.js`;
      const how = { bundle: true, packages: 'external', platform: 'node', target: 'node20' } as const;
      buildSync({ ...how, entryPoints: ['server/cli/backup.ts'], outfile });
      const command = spawn(process.execPath, [outfile], {
        env: { ...process.env, DATA_DIR: place.dataDir, DATABASE_URL: place.databaseUrl ?? '' },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      command.stdout.on('data', (text) => (said += String(text)));
      command.stderr.on('data', (text) => (said += String(text)));
      const exit = new Promise<number | null>((resolve) => command.once('close', resolve));
      const load = (async () => {
        while (!isOver) {
          await send();
        }
      })();
      const code = await exit;
      isOver = true;
      await load;
      expect([code, said]).toEqual([0, expect.stringContaining('rows, checked')]);

      const [backup] = await listBackups(backupsFolder(place.dataDir));
      const tables = await restored(backup?.folder ?? '');
      const source = await everyTable(test.store);
      expect(Object.keys(tables)).toEqual(Object.keys(source));
      expect((tables.samples ?? []).length % samplesPerCall).toBe(0);
      expect((tables.samples ?? []).length).toBeGreaterThanOrEqual(counted.before * samplesPerCall);
      for (const [name, rows] of Object.entries(tables)) {
        const known = new Set(source[name]);
        // The restore itself ended the sessions and wrote a row.
        const others = rows.filter((row) => !known.has(row) && !row.includes('"restore_backup"'));
        expect([name, name === 'sessions' || name === 'audit_head' ? [] : others]).toEqual([name, []]);
      }
    });

    it('is restored into a folder whose server was killed, and a server starts on it', async () => {
      const { folder } = await takeBackup(place, test.now());
      const { target, open } = await emptyPlace();
      if ('dataDir' in target) {
        await writeFile(path.join(target.dataDir, 'wardlight.opened'), 'opened\n');
      }
      await restore(folder, target);
      const store = await open();
      await expect(everyTable(store)).resolves.toMatchObject({ patients: [expect.any(String)] });
      await store.close();
    });

    it('is refused while another one is taken, and leaves nothing if it fails; the last good one stays', async () => {
      const { folder } = await takeBackup(place, test.now());
      const two = await Promise.allSettled([
        takeBackup(place, test.now() + 60_000),
        takeBackup(place, test.now() + 120_000),
      ]);
      expect(two.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const before = await readdir(backupsFolder(place.dataDir));
      const head = await test.store.db.selectFrom('audit_head').select('hash').executeTakeFirstOrThrow();
      await test.store.db
        .updateTable('audit_head')
        .set({ hash: '0'.repeat(64) })
        .execute();
      await expect(takeBackup(place, test.now() + 180_000)).rejects.toThrow('audit in the backup is not whole');
      await test.store.db.updateTable('audit_head').set(head).execute();
      await expect(readdir(backupsFolder(place.dataDir))).resolves.toEqual(before);
      await expect(backupState(place.dataDir, test.now() + 200_000)).resolves.toMatchObject({ isOverdue: false });
      expect(before).toContain(path.basename(folder));
    });

    it('revives no session, link or known browser, and names the devices and users that work again', async () => {
      const { db } = test.store;
      const [kept, revoked] = [
        await test.addDevice(site, { name: 'kept' }),
        await test.addDevice(site, { name: 'revoked' }),
      ];
      await db.updateTable('devices').set({ revoked_at: test.now() }).where('id', '=', revoked.id).execute();
      const [lead, gone] = [await test.addUser(site, 'ward_lead', true), await test.addUser(site, 'nurse')];
      await db.updateTable('users').set({ disabled_at: test.now() }).where('id', '=', gone.id).execute();
      await test.server.throttle.knowBrowser(lead.id, site, '127.0.0.1', undefined);
      await db.transaction().execute((transaction) =>
        makeToken(transaction, test.now(), {
          kind: 'reset',
          siteId: 1,
          userId: lead.id,
          email: lead.email,
          createdBy: null,
          isShown: false,
        }),
      );
      await addMappings(test, site, lead.id);
      const openSessions = await db.selectFrom('sessions').select('token').where('ended_at', 'is', null).execute();
      const { folder } = await takeBackup(place, test.now());
      const { target, open } = await emptyPlace();
      const { settled } = await restore(folder, target);
      expect(settled).toMatchObject({
        sessions: openSessions.length,
        mappings: 2,
        accountTokens: 1,
        checkInLinks: 0,
      });
      expect(settled.devices.map(({ name }) => name)).toEqual(['gateway', 'kept']);
      expect(settled.devices.map(({ id }) => id)).toContain(kept.id);
      expect(settled.users).toContainEqual({ id: lead.id, email: lead.email, role: 'Ward lead, administrator' });
      expect(settled.users.map(({ id }) => id)).not.toContain(gone.id);

      const store = await open();
      const left = await Promise.all([
        store.db.selectFrom('sessions').select('token').where('ended_at', 'is', null).execute(),
        store.db.selectFrom('account_tokens').select('id').where('voided_at', 'is', null).execute(),
        store.db.selectFrom('known_browsers').select('token_hash').execute(),
        store.db.selectFrom('bed_mappings').select('id').where('confirmed_at', 'is not', null).execute(),
        store.db.selectFrom('code_mappings').select('id').where('confirmed_at', 'is not', null).execute(),
      ]);
      expect(left).toEqual([[], [], [], [], []]);
      await expect(verifyAudit(store.db, null)).resolves.toMatchObject({ fault: null });
      const last = await store.db.selectFrom('audit').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
      expect(last).toMatchObject({ action: 'restore_backup', actor: 'system', details: expect.any(String) as unknown });
      await store.close();
      // A restore changes these rows; the other tests compare all of them.
      for (const table of ['account_tokens', 'known_browsers', 'bed_mappings', 'code_mappings'] as const) {
        await db.deleteFrom(table).execute();
      }
    });

    it('fails and ends if it cannot be written', async () => {
      const { dataDir, databaseUrl } = place;
      await writeFile(backupsFolder(dataDir), 'in the way');
      await expect(takeBackup(place, test.now())).rejects.toThrow();
      const nowhere = path.join(dataDir, 'nowhere');
      await expect(
        databaseUrl === null ? copySqlite(dataDir, nowhere) : copyPostgres(databaseUrl, nowhere, null),
      ).rejects.toThrow();
    });

    describe('that is encrypted', () => {
      let keyFile: string;
      let folder: string;
      beforeEach(async () => {
        keyFile = path.join(place.dataDir, 'backup.key');
        await writeFile(keyFile, `${'5a'.repeat(32)}\n`);
        ({ folder } = await takeBackup({ ...place, backupKeyFile: keyFile }, test.now()));
      });
      const names = async () => (await readdir(folder)).filter((name) => name !== 'manifest.json').sort();

      it('has every row of every table, and shows nothing of them without its key', async () => {
        await expect(restored(folder, keyFile)).resolves.toEqual(asRestored(await everyTable(test.store)));
        for (const name of await names()) {
          expect(name).toMatch(/\.enc$/);
          const bytes = await readFile(path.join(folder, name));
          // Neither SQLite's first words, nor those of gzip.
          expect([
            bytes.includes('SQLite format'),
            bytes.includes('O’Tab'),
            bytes[0] === 0x1f && bytes[1] === 0x8b,
          ]).toEqual([false, false, false]);
        }
      });

      // Its file is the same on both engines.
      if (!apiEngines.includes(engine)) {
        return;
      }

      it('is not restored without its key, with another one, or with another manifest', async () => {
        const { target } = await emptyPlace();
        await expect(restore(folder, target)).rejects.toThrow('name the file of its key with BACKUP_KEY_FILE');
        await expect(restore(folder, target, path.join(folder, 'nothing'))).rejects.toThrow('cannot be read');
        const other = path.join(place.dataDir, 'other.key');
        await writeFile(other, 'too short');
        await expect(restore(folder, target, other)).rejects.toThrow('holds no key');
        await writeFile(other, Buffer.alloc(32, 7).toString('base64'));
        await expect(restore(folder, target, other)).rejects.toThrow('is not that of this backup');
        const file = path.join(folder, 'manifest.json');
        const text = await readFile(file, 'utf8');
        await writeFile(file, text.replace(/"takenAt": \d+/, '"takenAt": 1'));
        await expect(restore(folder, target, keyFile)).rejects.toThrow('is not that of this backup');
        await writeFile(file, text);
        await restore(folder, target, keyFile);
      });

      it('is refused, and leaves nothing, where its key cannot be read', async () => {
        const before = await readdir(backupsFolder(place.dataDir));
        await expect(
          takeBackup({ ...place, backupKeyFile: path.join(place.dataDir, 'nothing') }, test.now() + 60_000),
        ).rejects.toThrow('The file of BACKUP_KEY_FILE cannot be read');
        await expect(readdir(backupsFolder(place.dataDir))).resolves.toEqual(before);
      });
    });

    describe('is not restored', () => {
      let folder: string;
      beforeEach(async () => {
        ({ folder } = await takeBackup(place, test.now()));
      });

      it('if a server runs on the target', async () => {
        const target = place.databaseUrl === null ? { dataDir: place.dataDir } : { databaseUrl: place.databaseUrl };
        await expect(restore(folder, target)).rejects.toThrow('Another Wardlight already runs');
      });

      it('over other data', async () => {
        const { target, open } = await emptyPlace();
        await (await open()).close();
        await expect(restore(folder, target)).rejects.toThrow('nothing is ever overwritten');
      });

      it('when a byte of it changed, a file is gone, or its manifest is none', async () => {
        const { target } = await emptyPlace();
        const names = (await readdir(folder)).filter((name) => name !== 'manifest.json');
        const victim = path.join(folder, names.find((name) => name.startsWith('patients')) ?? names[0] ?? '');
        const whole = await readFile(victim);
        await appendFile(victim, 'x');
        await expect(restore(folder, target)).rejects.toThrow('is not the file that was written');
        await rm(victim);
        await expect(restore(folder, target)).rejects.toThrow('is missing');
        await writeFile(victim, whole);
        await restore(folder, target);
        const manifest = await readFile(path.join(folder, 'manifest.json'), 'utf8');
        for (const other of ['{}', manifest.replace('"patients": {', '"../../elsewhere/patients": {')]) {
          expect(other).not.toBe(manifest);
          await writeFile(path.join(folder, 'manifest.json'), other);
          await expect(restore(folder, (await emptyPlace()).target)).rejects.toThrow('is no backup');
        }
      });

      it('when it is of a newer Wardlight, of one before the first release, or of the other engine', async () => {
        const { target } = await emptyPlace();
        const file = path.join(folder, 'manifest.json');
        const text = await readFile(file, 'utf8');
        await writeFile(file, text.replace(/"schemaVersion": \d+/, '"schemaVersion": 999'));
        await expect(restore(folder, target)).rejects.toThrow('restore with a newer Wardlight');
        await writeFile(file, text.replace(/"schemaVersion": \d+/, '"schemaVersion": 37'));
        await expect(restore(folder, target)).rejects.toThrow('restore with an older Wardlight first');
        await writeFile(file, text);
        const wrong = engine === 'sqlite' ? { databaseUrl: 'postgres://127.0.0.1:1/x' } : { dataDir: place.dataDir };
        await expect(restore(folder, wrong)).rejects.toThrow(
          engine === 'sqlite' ? 'backup of SQLite' : 'backup of PostgreSQL',
        );
      });
    });

    // What follows is about files, which are the same on both engines.
    if (!apiEngines.includes(engine)) {
      return;
    }

    it('is taken twice in one second, and both stay', async () => {
      const [one, other] = [await takeBackup(place, test.now()), await takeBackup(place, test.now())];
      const listed = await listBackups(backupsFolder(place.dataDir));
      expect(listed.map(({ folder }) => folder)).toEqual([one.folder, other.folder]);
      expect(listed.map(({ manifest }) => manifest.takenAt)).toEqual([test.now(), test.now()]);
    });

    it('is readable for its owner alone', async () => {
      const { folder } = await takeBackup(place, test.now());
      const modes = [
        backupsFolder(place.dataDir),
        folder,
        ...(await readdir(folder)).map((name) => path.join(folder, name)),
      ];
      const read = await Promise.all(modes.map(async (name) => ((await stat(name)).mode & 0o077) === 0));
      expect(read).toEqual(modes.map(() => true));
    });

    it('is kept with at most thirteen others: the oldest are removed', async () => {
      const taken: string[] = [];
      for (let day = 0; day < 3; day += 1) {
        const { folder } = await takeBackup(place, test.now() + day * 86_400_000);
        taken.push(folder);
      }
      const [first] = taken;
      for (let day = 3; day < 14; day += 1) {
        const name = `${toInstant(test.now() + day * 86_400_000)
          .slice(0, 19)
          .replaceAll(':', '-')}Z`;
        await cp(first ?? '', path.join(backupsFolder(place.dataDir), name), { recursive: true });
      }
      const { folder: last } = await takeBackup(place, test.now() + 14 * 86_400_000);
      const left = (await listBackups(backupsFolder(place.dataDir))).map(({ folder }) => folder);
      expect(left).toHaveLength(14);
      // The clock was ahead and is set right: what it took makes room first, and the new one stays.
      const { folder: right } = await takeBackup(place, test.now() + 86_400_000);
      const then = (await listBackups(backupsFolder(place.dataDir))).map(({ folder }) => folder);
      expect([then.length, then.includes(right), then.includes(taken[2] ?? '')]).toEqual([14, true, false]);
      expect([left[0], left.at(-1)]).toEqual([taken[1], last]);
    });

    it('clears away what one that was cut off has left', async () => {
      const left = path.join(backupsFolder(place.dataDir), '.unfinished-2026-04-30T10-00-00Z');
      await mkdir(left, { recursive: true });
      await writeFile(path.join(left, 'wardlight.db'), 'half');
      await takeBackup(place, test.now());
      await expect(readdir(backupsFolder(place.dataDir))).resolves.not.toContain(path.basename(left));
    });
  });

  describe('the state of the backups', () => {
    let dataDir: string;
    beforeEach(async () => {
      dataDir = await mkdtemp(path.join(tmpdir(), 'wardlight-test-'));
    });
    afterEach(() => rm(dataDir, { recursive: true }));

    const put = async (name: string, takenAt: number): Promise<void> => {
      const folder = path.join(dataDir, 'backups', name);
      await mkdir(folder, { recursive: true });
      const manifest = {
        format: 1,
        engine: 'sqlite',
        schemaVersion: 1,
        takenAt,
        auditHead: { id: 0, hash: '' },
        tables: {},
        files: {},
      };
      await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
    };

    it('is overdue if there is none, and 26 hours after the last', async () => {
      await expect(backupState(dataDir, 0)).resolves.toEqual({ takenAt: null, isOverdue: true });
      await put('2026-05-01T10-00-00Z', 1_000);
      await put('2026-05-02T10-00-00Z', 5_000);
      await expect(backupState(dataDir, 5_000 + 26 * 3_600_000)).resolves.toEqual({ takenAt: 5_000, isOverdue: false });
      await expect(backupState(dataDir, 5_001 + 26 * 3_600_000)).resolves.toEqual({ takenAt: 5_000, isOverdue: true });
      // Taken by a clock that was ahead.
      await put('2027-03-01T10-00-00Z', 9_000 + 26 * 3_600_000);
      await expect(backupState(dataDir, 5_001 + 26 * 3_600_000)).resolves.toEqual({ takenAt: 5_000, isOverdue: true });
    });

    it('counts nothing that is unfinished or unreadable', async () => {
      await put('.unfinished-2026-05-01T10-00-00Z', 1_000);
      await mkdir(path.join(dataDir, 'backups', '2026-05-02T10-00-00Z'));
      await expect(backupState(dataDir, 0)).resolves.toEqual({ takenAt: null, isOverdue: true });
    });

    it('is taken daily: none before a day is over, one at a time; a failure is logged and tried again', async () => {
      const lines: string[] = [];
      const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
      let now = 0;
      const children: FakeChild[] = [];
      const start = (): FakeChild => {
        const child = new FakeChild();
        children.push(child);
        return child;
      };
      const schedule = createBackupSchedule({ env: { dataDir, backupKeyFile: null }, log, now: () => now }, start);
      const first = schedule.tick();
      await until(() => children.length === 1);
      await schedule.tick();
      expect(children).toHaveLength(1);
      children[0]?.stderr.push('The backup failed: ENOSPC: no space left on device\n');
      children[0]?.stderr.push(null);
      await until(() => children[0]?.stderr.readableEnded ?? false);
      children[0]?.emit('close', 1);
      await first;
      expect(lines.join()).toContain('ENOSPC: no space left on device');
      expect(lines.filter((line) => line.includes('backups are not encrypted'))).toHaveLength(1);

      const second = schedule.tick();
      await until(() => children.length === 2);
      await put('2026-05-01T10-00-00Z', 1_000);
      children[1]?.emit('close', 0);
      await second;
      now = 1_000 + 86_400_000 - 1;
      await schedule.tick();
      expect(children).toHaveLength(2);
      now += 1;
      const third = schedule.tick();
      await until(() => children.length === 3);
      schedule.stop();
      expect(children[2]?.isKilled).toBe(true);
      children[2]?.emit('close', null);
      await third;
      expect(lines.filter((line) => line.includes('backups are not encrypted'))).toHaveLength(1);
    });

    it('is taken without that warning where a key is named', async () => {
      const lines: string[] = [];
      const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
      const child = new FakeChild();
      const schedule = createBackupSchedule(
        { env: { dataDir, backupKeyFile: 'backup.key' }, log, now: () => 0 },
        () => {
          process.nextTick(() => child.emit('close', 0));
          return child;
        },
      );
      await schedule.tick();
      expect(lines.join()).toContain('backup taken');
      expect(lines.join()).not.toContain('not encrypted');
    });
  });

  class FakeChild extends EventEmitter {
    stderr = new Readable({ read: () => undefined });
    isKilled = false;
    kill(): boolean {
      this.isKilled = true;
      return true;
    }
  }
});

describe('an encrypted file', () => {
  const key = Buffer.alloc(32, 1);
  const salt = Buffer.alloc(32, 2).toString('base64url');
  const keys = backupKeys(key, salt);
  const part = 65_536;
  const sealedPart = part + 16;

  const encrypted = (plain: Buffer, name = 'patients', pieces = [plain]): Promise<Buffer> =>
    buffer(Readable.from(pieces).pipe(keys.encrypt(name)));
  const decrypted = async (bytes: Buffer, name = 'patients', by = keys): Promise<Buffer> => {
    const stream = by.decrypt(name);
    const source = Readable.from([bytes]);
    source.pipe(stream);
    return await buffer(stream);
  };
  const plainOf = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, place) => place % 251));

  it.each([
    ['whose byte was changed', (bytes: Buffer) => bytes.fill(bytes.readUInt8(9) ^ 1, 9, 10)],
    ['whose last byte is missing', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['that ends after a part', (bytes: Buffer) => bytes.subarray(0, sealedPart)],
    ['that goes on after its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(1)])],
    [
      'whose parts were exchanged',
      (bytes: Buffer) =>
        Buffer.concat([
          bytes.subarray(sealedPart, 2 * sealedPart),
          bytes.subarray(0, sealedPart),
          bytes.subarray(2 * sealedPart),
        ]),
    ],
    ['that is empty', () => Buffer.alloc(0)],
  ])('is refused %s', async (_, change) => {
    const bytes = await encrypted(plainOf(2 * part + 5));
    await expect(decrypted(change(Buffer.from(bytes)))).rejects.toThrow('The backup is damaged');
  });

  it('is refused under another name, with another key, and with another backup’s salt', async () => {
    const bytes = await encrypted(plainOf(100));
    await expect(decrypted(bytes, 'users')).rejects.toThrow('The backup is damaged');
    for (const other of [backupKeys(Buffer.alloc(32, 3), salt), backupKeys(key, salt.replace('A', 'B'))]) {
      await expect(decrypted(bytes, 'patients', other)).rejects.toThrow('The backup is damaged');
    }
  });

  it.each([0, 1, part - 1, part, part + 1, 3 * part])(
    'of %i bytes is the same when it is read back',
    async (length) => {
      const plain = plainOf(length);
      const pieces = [plain.subarray(0, 10), plain.subarray(10, part + 3), plain.subarray(part + 3)];
      const bytes = await encrypted(
        plain,
        'patients',
        pieces.filter((piece) => piece.length > 0),
      );
      expect(bytes.length).toBe(length + 16 * Math.max(1, Math.ceil(length / part)));
      expect((await decrypted(bytes)).equals(plain)).toBe(true);
    },
  );
});
