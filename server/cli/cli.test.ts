import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { z } from 'zod';
import { nothingSeen } from '../../lib/hl7/seenStructure';
import { unanswered, versionOne, type SenderSettings } from '../../lib/hl7/senderSettings';
import type { SenderSettingsResponse } from '../../lib/interfaces/schema';
import { apiEngines } from '../../test/database';
import { sharedTestServer } from '../../test/sharedServer';
import type { TestServer } from '../../test/testServer';
import { system } from '../audit/actor';
import { addDevice } from '../devices/commands';
import { UsageError } from './UsageError';
import { parseDeviceOptions } from './parseDeviceOptions';

const built = 'dist/test-commands';
/** The commands by their files, with words that are right. */
const commands = [
  ['audit-readers', 'audit:readers', []],
  ['audit-verify', 'audit:verify', []],
  ['backup', 'backup', []],
  ['device-add', 'device:add', ['--site', '1', '--name', 'gateway']],
  ['site-add', 'site:add', ['--name', 'North', '--time-zone', 'Europe/London', '--admin', 'ann@example.org']],
  ['restore', 'restore', ['no-backup']],
  ['replay', 'replay', ['none.csv']],
  ['hl7-send', 'hl7:send', ['none.hl7']],
  ['hl7-check', 'hl7:check', ['none.hl7']],
] as const;

/** Runs one command after another and writes what became of each. It ends by itself: a command that lasts holds it. */
const driver = `
  const { readdirSync, readFileSync } = require('node:fs');
  const say = process.stdout.write.bind(process.stdout);
  (async () => {
    const ends = [];
    for (const { file, words, folder } of JSON.parse(readFileSync(0, 'utf8'))) {
      const end = { output: '', error: '' };
      process.stdout.write = (text) => ((end.output += text), true);
      process.stderr.write = (text) => ((end.error += text), true);
      process.exitCode = undefined;
      process.argv = [process.execPath, file, ...words];
      Object.assign(process.env, { INIT_CWD: folder, DATA_DIR: folder + '/none' });
      delete require.cache[file];
      require(file);
      while (process.exitCode === undefined) {
        await new Promise(setImmediate);
      }
      ends.push({ ...end, code: process.exitCode, files: readdirSync(folder) });
    }
    process.exitCode = 0;
    say(JSON.stringify(ends));
  })();
`;
const ended = z.object({ code: z.number(), output: z.string(), error: z.string(), files: z.array(z.string()) });
type Ended = z.infer<typeof ended>;

const planned: { file: string; words: readonly string[]; folder: string }[] = [];
let ends: readonly Ended[] = [];

/** All in one process: to start one and to load its packages takes a second of the processor. */
beforeAll(() => {
  buildSync({
    entryPoints: commands.map(([file]) => `server/cli/${file}.ts`),
    outdir: built,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'cjs',
    target: 'node20',
  });
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', driver], {
    encoding: 'utf8',
    input: JSON.stringify(planned),
    env: { PATH: process.env.PATH, NODE_ENV: 'test' },
    timeout: 300_000,
  });
  if (status !== 0) {
    throw new Error(`The commands did not all end: ${stdout}${stderr}`);
  }
  ends = z.array(ended).parse(JSON.parse(stdout));
});

/** Plans a run of a command by a user who is in a folder, and returns what became of it. */
function plan(folder: string, file: string, ...words: string[]): () => Ended {
  const index = planned.push({ file: resolve(built, `${file}.js`), words, folder }) - 1;
  return () => ends[index] ?? { code: -1, output: '', error: 'It was not run', files: [] };
}

describe('commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-commands-'));
  const run = (file: string, ...words: string[]) => plan(folder, file, ...words);

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  describe.each(commands)('the command %s', (file, name, words) => {
    const [helped, unknown] = [run(file, ...words, '--help'), run(file, ...words, '--unknown-one')];
    it('explains itself with --help, and touches nothing', () => {
      const { code, output, error, files } = helped();
      expect(output).toContain(`npm run ${name}`);
      expect([code, error]).toEqual([0, '']);
      expect(files).toEqual([]);
    });

    it('ends with 2 and names an option that it does not know', () => {
      const { code, output, error, files } = unknown();
      expect(error).toMatch(/^Unknown option '--unknown-one'/);
      expect(error.trimEnd().split('\n').at(-1)).toBe(`See npm run ${name} -- --help`);
      expect([code, output]).toEqual([2, '']);
      expect(files).toEqual([]);
    });
  });

  describe.each(commands.slice(0, 5))('the command %s', (file, name, words) => {
    const [strayed, alone] = [run(file, ...words, 'stray'), run(file, ...words)];
    it('ends with 2 and names a word that it does not take', () => {
      const { code, error } = strayed();
      expect(error).toContain("Unexpected argument 'stray'");
      expect(error).toContain(`See npm run ${name} -- --help`);
      expect(code).toBe(2);
    });

    it('ends with 1 where there is no database, names the folder, and makes nothing there', () => {
      const { code, error, files } = alone();
      expect(error).toContain(`There is no database in ${join(folder, 'none')}.`);
      expect(code).toBe(1);
      expect(files).toEqual([]);
    });
  });

  describe('words that are wrong', () => {
    const wrong = [
      ['audit-readers', ['--until', 'yesterday'], '--until must be a time'],
      ['audit-verify', ['--head', 'x'], '--head is not a hash'],
      ['audit-verify', ['--row', '1'], '--row, --signature and --key go together'],
      ['device-add', ['--site', 'one', '--name', 'gateway'], '--site must be'],
      ['site-add', ['--name', 'North', '--time-zone', 'Europe/London', '--admin', 'ann'], '--admin must be'],
      ['restore', [], 'Name the folder of a backup'],
      ['restore', ['one', 'two'], 'Name one backup: two is too much'],
    ] as const;
    it.each(wrong.map(([file, words, says]) => [file, words, says, run(file, ...words)] as const))(
      'are named by %s %j, which ends with 2',
      (_file, _words, says, end) => {
        const { code, error } = end();
        expect(error).toContain(says);
        expect(code).toBe(2);
      },
    );

    const missed = run('restore', 'no-backup');

    it('do not include a backup that is not there: that is a failure, with 1', () => {
      const { code, error, files } = missed();
      expect(error).toBe('Nothing was restored: no-backup is no backup: its manifest cannot be read\n');
      expect(code).toBe(1);
      expect(files).toEqual([]);
    });
  });
});

describe('device-add', () => {
  describe('parseDeviceOptions', () => {
    const needed = ['--site', '1', '--name', 'gateway'];

    it.each([
      [[], '--site'],
      [['--name', 'gateway'], '--site'],
      [['--site', '0', '--name', 'gateway'], '--site'],
      [['--site', '1.5', '--name', 'gateway'], '--site'],
      [['--site', '1e30', '--name', 'gateway'], '--site'],
      [['--site', 'one', '--name', 'gateway'], '--site'],
      [['--site', '1'], '--name'],
      [['--site', '1', '--name', '  '], '--name'],
      [['--site', '1', '--name', 'x'.repeat(61)], '--name'],
      [['--site', '1', '--name', 'gate\nway'], '--name'],
      [[...needed, '--expected-every', '0'], '--expected-every'],
      [[...needed, '--expected-every', '0.0001'], '--expected-every'],
      [[...needed, '--expected-every', '604801'], '--expected-every'],
      [[...needed, '--expected-every', 'Infinity'], '--expected-every'],
      [[...needed, '--expected-every', '1e-9'], '--expected-every'],
      [[...needed, '--days', '0'], '--days'],
      [[...needed, '--days', '3651'], '--days'],
      [[...needed, '--days=-1'], '--days'],
      [[...needed, '--any-patient', '91'], '--any-patient'],
      [[...needed, '--token', 'x'], '--token'],
      [[...needed, 'stray'], 'stray'],
      [['--site', '1', '--name'], '--name'],
    ])('refuses %j and says that it is %s', (args, says) => {
      expect(() => parseDeviceOptions(args)).toThrow(UsageError);
      expect(() => parseDeviceOptions(args)).toThrow(says);
    });

    it('reads durations into whole milliseconds', () => {
      expect(
        parseDeviceOptions([...needed, ...'--expected-every 0.5 --days 0.3333333 --any-patient 2'.split(' ')]),
      ).toEqual({
        siteId: 1,
        name: 'gateway',
        expectedEveryMs: 500,
        lastsMs: 28_799_997,
        anyPatientMs: 172_800_000,
      });
    });

    it('leaves out what is not said', () => {
      const left = { expectedEveryMs: null, lastsMs: null, anyPatientMs: null };
      expect(parseDeviceOptions(needed)).toEqual({ siteId: 1, name: 'gateway', ...left });
    });
  });

  describe.each(apiEngines)('a device added on %s', (engine) => {
    let test: TestServer;
    let site: number;
    beforeEach(async () => {
      test = await sharedTestServer(engine);
      site = await test.addSite();
    });

    const rows = () => test.store.db.selectFrom('devices').where('site_id', '=', site).selectAll().execute();
    const deviceOf = (siteId: number) =>
      addDevice(test.store.db, test.now(), system, { siteId, name: 'gateway', expectedEveryMs: null, expiresAt: null });
    const status = async (token: string): Promise<number> => (await test.ingest(token, [])).statusCode;

    it('is refused for a site that does not exist, and nothing is kept or recorded', async () => {
      const before = await test.store.db.selectFrom('audit').selectAll().execute();
      await expect(deviceOf(999_999)).rejects.toMatchObject({ status: 404, code: 'unknown_site' });
      await expect(rows()).resolves.toEqual([]);
      await expect(test.store.db.selectFrom('audit').selectAll().execute()).resolves.toEqual(before);
    });

    it('is admitted by its token, which the store has as a hash only', async () => {
      const { id, token } = await deviceOf(site);
      // Never a dash first: `replay --token` would take it for an option.
      expect(token).toMatch(/^wl_[\w-]{43}$/);
      await expect(status(token)).resolves.toBe(200);
      const stored = JSON.stringify([await rows(), await test.store.db.selectFrom('audit').selectAll().execute()]);
      expect(stored).not.toContain(token);
      expect(JSON.stringify(test.logLines)).not.toContain(token);
      const { action, object_id, site_id, actor } = await test.store.db
        .selectFrom('audit')
        .selectAll()
        .where('site_id', '=', site)
        .executeTakeFirstOrThrow();
      expect({ action, object_id, site_id, actor }).toEqual({
        action: 'add_device',
        object_id: id,
        site_id: site,
        actor: 'system',
      });
    });

    it('is refused from the moment its token ends', async () => {
      const { token } = await test.addDevice(site, { expiresAt: test.now() + 60_000 });
      test.advance(59_999);
      await expect(status(token)).resolves.toBe(200);
      test.advance(1);
      await expect(status(token)).resolves.toBe(401);
    });

    it('is refused from the moment it is revoked, although the server runs', async () => {
      const { id, token } = await test.addDevice(site);
      await test.store.db.updateTable('devices').set({ revoked_at: test.now() }).where('id', '=', id).execute();
      await expect(status(token)).resolves.toBe(401);
    });
  });
});

describe('hl7-send', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-hl7-'));
  writeFileSync(join(folder, 'two.hl7'), 'MSH|^~\\&|A|||||||1\rOBR|1||||||20260501100000\rMSH|^~\\&|A|||||||2\r');
  writeFileSync(join(folder, 'letter.txt'), 'Dear colleague\n');

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const send = (...words: string[]) => plan(folder, 'hl7-send', ...words);

  describe('npm run hl7:send', () => {
    const helped = send('--help');
    const refused: [string, string[], string][] = [
      ['no file', [], 'Name one file to send'],
      ['a file that is not there', ['none.hl7'], 'none.hl7 cannot be read (ENOENT)'],
      ['a file without a message', ['letter.txt'], 'letter.txt has no HL7 message'],
      ['a certificate that is not there', ['two.hl7', '--tls-ca', 'ca.pem'], 'ca.pem cannot be read (ENOENT)'],
    ];
    it.each(refused.map(([name, words, message]) => [name, message, send(...words)] as const))(
      'ends with 2 and one clear line: %s',
      (_name, message, end) => {
        const { code, error } = end();
        expect(error).toContain(message);
        expect(error.trimEnd().split('\n').at(-1)).toBe('See npm run hl7:send -- --help');
        expect(code).toBe(2);
      },
    );

    it('explains itself, every option included', () => {
      const { code, output } = helped();
      const options = 'to tls-ca tls-cert tls-key speed now zone split repeat break'.split(' ');
      expect(options.filter((name) => !output.includes(`  --${name} `))).toEqual([]);
      expect(code).toBe(0);
    });
  });
});

describe('hl7-check', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-check-'));
  const message = (status: string): string =>
    'MSH|^~\\&|A||||20260501100000+0000||ORU^R01|7|P|2.5\rPID|||A-1^^^^PI||Abel^A||19500307\r' +
    `OBX|1|NM|150456^MDC_PULS_OXIM_SAT_O2^MDC||97|%|||||${status}\r`;
  const listed = (settings: SenderSettings): SenderSettingsResponse['items'][number] => ({
    ...{ id: 1, name: 'North', version: 2, since: '2026-05-01T10:00:00.000Z', settings, suggested: settings },
    ...{ seen: nothingSeen(), proposal: null },
  });
  const answerOf = (...items: SenderSettingsResponse['items']) => JSON.stringify({ items, total: items.length });
  writeFileSync(join(folder, 'good.hl7'), message('F'));
  writeFileSync(join(folder, 'two.hl7'), `${message('F')}\n${message('Z')}`);
  writeFileSync(join(folder, 'letter.txt'), 'Dear colleague\n');
  writeFileSync(join(folder, 'one.json'), JSON.stringify(versionOne));
  writeFileSync(join(folder, 'listed.json'), answerOf(listed(versionOne)));
  writeFileSync(join(folder, 'senders.json'), answerOf(listed(versionOne), listed(unanswered)));

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const check = (...words: string[]) => plan(folder, 'hl7-check', ...words);

  describe('npm run hl7:check', () => {
    const [good, two, helped] = [check('good.hl7'), check('two.hl7'), check('--help')];
    const refused: [string[], string][] = [
      [[], 'Name one file to check'],
      [['good.hl7', 'two.hl7'], 'Name one file to check'],
      [['none.hl7'], 'none.hl7 cannot be read (ENOENT)'],
      [['letter.txt'], 'letter.txt has no HL7 message'],
      [['good.hl7', '--settings', 'none.json'], 'none.json cannot be read (ENOENT)'],
      [['good.hl7', '--settings', 'letter.txt'], 'letter.txt does not have the settings of one sender'],
      [['good.hl7', '--settings', 'senders.json'], 'senders.json does not have the settings of one sender'],
    ];
    it.each(refused.map(([words, text]) => [words, text, check(...words)] as const))(
      'ends with 2 at %j: %s',
      (_words, text, end) => {
        const { code, error } = end();
        expect(error).toBe(`${text}\nSee npm run hl7:check -- --help\n`);
        expect(code).toBe(2);
      },
    );

    it('ends with 0 where all would be taken, and says as what and by which settings', () => {
      const { code, output } = good();
      const lines = output.split('\n');
      expect(lines.slice(0, 2)).toEqual([
        'Settings that the messages propose:',
        '  Which number is the MRN: PI is the MRN',
      ]);
      expect(lines.slice(-3)).toEqual([
        '1, line 3, 150456^MDC_PULS_OXIM_SAT_O2^MDC in "%", status "F": SpO2 97 %, good, at 2026-05-01T10:00:00.000Z',
        '1 of 1 would be taken completely',
        '',
      ]);
      expect(code).toBe(0);
    });

    it('ends with 1 where something would not', () => {
      const { code, output } = two();
      expect(output).toContain('1 of 2 would be taken completely');
      expect(code).toBe(1);
    });

    it.each(['one.json', 'listed.json'].map((name) => [name, check('good.hl7', '--settings', name)] as const))(
      'judges by the settings of a sender as they are exported: %s',
      (_name, end) => {
        const { code, output } = end();
        expect(output).toContain('Settings:\n  Which number is the MRN: MR of the site’s authorities is the MRN\n');
        expect(output).toContain('(identity_conflict). Which number is the MRN: MR');
        expect(code).toBe(1);
      },
    );

    it('explains itself, every option included', () => {
      const { code, output } = helped();
      expect(output).toContain('  --settings <file> ');
      expect(code).toBe(0);
    });
  });
});

describe('replay', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-replay-'));
  writeFileSync(join(folder, 'bed.csv'), 'Time [s], HR, PULSE, RESP, SpO2\n0,80,81,12,NaN\n1,81,81,12,97\n');
  writeFileSync(join(folder, 'silent.csv'), 'Time [s], HR, PULSE, RESP, SpO2\n');
  writeFileSync(join(folder, 'letter.csv'), 'Dear colleague\n');
  writeFileSync(join(folder, 'night.hea'), 'night 1 1 2\nnight.dat 16 1/bpm 0 0 0 0 0 PULSE\n');
  writeFileSync(join(folder, 'night.dat'), Uint8Array.of(61, 0, 62, 0));
  writeFileSync(join(folder, 'alone.hea'), 'alone 1 1 2\nalone.dat 16 1/bpm 0 0 0 0 0 PULSE\n');
  writeFileSync(join(folder, 'ring.csv'), Buffer.from('\uFEFFZeit;SpO2\n22:00:01;97,5\n', 'utf16le'));

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const replay = (...words: string[]) => plan(folder, 'replay', ...words);

  describe('npm run replay', () => {
    const [helped, silent, checked] = [replay('--help'), replay('silent.csv', '--check'), replay('bed.csv', '--check')];
    const [unknown, others] = [replay('letter.csv', '--check'), replay('night.hea', 'ring.csv', '--check')];
    const refused: [string, string[], string][] = [
      ['no recording', [], 'Name at least one recording'],
      ['a file that is not there', ['none.csv', '--check'], 'none.csv cannot be read (ENOENT)'],
      ['a header whose samples are not there', ['alone.hea', '--check'], 'alone.dat cannot be read (ENOENT)'],
      ['no token', ['bed.csv', '--mrn', 'A-1'], 'No device token'],
      [
        'a speed at which values would share a time',
        ['bed.csv', '--check', '--speed', '5000'],
        'above 1000 values of bed.csv would share a time',
      ],
    ];
    it.each(refused.map(([name, words, message]) => [name, message, replay(...words)] as const))(
      'ends with 2 and one clear line: %s',
      (_name, message, end) => {
        const { code, error } = end();
        expect(error).toContain(message);
        expect(error.trimEnd().split('\n')).toHaveLength(2);
        expect(code).toBe(2);
      },
    );

    it('ends with 2 at a file of no known format, and shows its header and those that are known', () => {
      const { code, error } = unknown();
      const lines = error.split('\n');
      expect(lines.slice(0, 2)).toEqual(['letter.csv has a header of no known format', '  found: Dear colleague']);
      expect(lines.filter((line) => line.startsWith('  known: '))).toHaveLength(4);
      expect(code).toBe(2);
    });

    it('reads a record with the samples beside its header, and a table in UTF-16, and says as what', () => {
      const { code, output } = others();
      expect(output.split('\n')).toEqual([
        'night.hea -> MRN night: wfdb, 2 samples in 1s, one every 1s',
        '  columns: minute = time, PULSE = pulseRate',
        '  pulseRate: 2, 61 to 62',
        'ring.csv -> MRN ring: columns, 1 samples in 0s, one every 1s',
        '  columns: Zeit = time, SpO2 = spo2',
        '  spo2: 1, 97.5 to 97.5',
        '',
      ]);
      expect(code).toBe(0);
    });

    it('ends with 1 when there is nothing to play', () => {
      const { code, output } = silent();
      expect(output).toContain('There is nothing to play');
      expect(code).toBe(1);
    });

    it('explains itself, every option included', () => {
      const { code, output } = helped();
      const options = [
        'url',
        'token',
        'mrn',
        'mrn-from-file',
        'speed',
        'start',
        'end',
        'from',
        'for',
        'loop',
        'pressure',
        'column',
        'check',
      ];
      expect(options.filter((name) => !output.includes(`  --${name} `))).toEqual([]);
      expect(code).toBe(0);
    });

    it('reads files relative to the folder of the user, without sending anything', () => {
      const { code, output } = checked();
      expect(output.split('\n')).toEqual([
        'bed.csv -> MRN bed: columns, 7 samples in 1s, one every 1s',
        '  columns: Time [s] = time, SpO2 = spo2, PULSE = pulseRate, HR = heartRate, RESP = respiratoryRate',
        '  spo2: 1, 97 to 97',
        '  heartRate: 2, 80 to 81',
        '  pulseRate: 2, 81 to 81',
        '  respiratoryRate: 2, 12 to 12',
        '  not played, no value (empty or NaN): 1',
        '',
      ]);
      expect(code).toBe(0);
    });
  });
});
