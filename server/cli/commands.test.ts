import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

let folder: string;
/** Built once, because each of the many runs would compile them again. */
const built = 'dist/test-commands';

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
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardlight-commands-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(file: string, ...words: string[]): { code: number | null; output: string; error: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(built, `${file}.js`), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NODE_ENV: 'test', INIT_CWD: folder, DATA_DIR: join(folder, 'none') },
  });
  return { code: status, output: stdout, error: stderr };
}

/** The commands by their files, with words that are right. */
const commands = [
  ['audit-verify', 'audit:verify', []],
  ['backup', 'backup', []],
  ['device-add', 'device:add', ['--site', '1', '--name', 'gateway']],
  ['site-add', 'site:add', ['--name', 'North', '--time-zone', 'Europe/London', '--admin', 'ann@example.org']],
  ['restore', 'restore', ['no-backup']],
  ['replay', 'replay', ['none.csv']],
  ['hl7-send', 'hl7:send', ['none.hl7']],
] as const;

describe.each(commands)('the command %s', (file, name, words) => {
  it('explains itself with --help, and touches nothing', () => {
    const { code, output, error } = run(file, ...words, '--help');
    expect(output).toContain(`npm run ${name}`);
    expect([code, error]).toEqual([0, '']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('ends with 2 and names an option that it does not know', () => {
    const { code, output, error } = run(file, ...words, '--unknown-one');
    expect(error).toMatch(/^Unknown option '--unknown-one'/);
    expect(error.trimEnd().split('\n').at(-1)).toBe(`See npm run ${name} -- --help`);
    expect([code, output]).toEqual([2, '']);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.each(commands.slice(0, 4))('the command %s', (file, name, words) => {
  it('ends with 2 and names a word that it does not take', () => {
    const { code, error } = run(file, ...words, 'stray');
    expect(error).toContain("Unexpected argument 'stray'");
    expect(error).toContain(`See npm run ${name} -- --help`);
    expect(code).toBe(2);
  });

  it('ends with 1 where there is no database, names the folder, and makes nothing there', () => {
    const { code, error } = run(file, ...words);
    expect(error).toContain(`There is no database in ${join(folder, 'none')}.`);
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('words that are wrong', () => {
  it.each([
    ['audit-verify', ['--head', 'x'], '--head is not a hash'],
    ['audit-verify', ['--row', '1'], '--row, --signature and --key go together'],
    ['device-add', ['--site', 'one', '--name', 'gateway'], '--site must be'],
    ['site-add', ['--name', 'North', '--time-zone', 'Europe/London', '--admin', 'ann'], '--admin must be'],
    ['restore', [], 'Name the folder of a backup'],
    ['restore', ['one', 'two'], 'Name one backup: two is too much'],
  ])('are named by %s %j, which ends with 2', (file, words, says) => {
    const { code, error } = run(file, ...words);
    expect(error).toContain(says);
    expect(code).toBe(2);
  });

  it('do not include a backup that is not there: that is a failure, with 1', () => {
    const { code, error } = run('restore', 'no-backup');
    expect(error).toBe('Nothing was restored: no-backup is no backup: its manifest cannot be read\n');
    expect(code).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });
});
