import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardlight-replay-'));
  writeFileSync(join(folder, 'bed.csv'), 'Time [s], HR, PULSE, RESP, SpO2\n0,80,81,12,NaN\n1,81,81,12,97\n');
  writeFileSync(join(folder, 'silent.csv'), 'Time [s], HR, PULSE, RESP, SpO2\n');
  writeFileSync(join(folder, 'letter.csv'), 'Dear colleague\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function replay(...words: string[]): { code: number | null; output: string; error: string } {
  const run = spawnSync(
    process.execPath,
    ['--require', 'esbuild-register', resolve('server/cli/replay.ts'), ...words],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NODE_ENV: 'test', INIT_CWD: folder },
    },
  );
  return { code: run.status, output: run.stdout, error: run.stderr };
}

describe('npm run replay', () => {
  it.each([
    ['no recording', [], 'Name at least one recording'],
    ['a file that is not there', ['none.csv', '--check'], 'none.csv cannot be read (ENOENT)'],
    ['a file of no known format', ['letter.csv', '--check'], 'letter.csv has a header of no known format'],
    ['no token', ['bed.csv', '--mrn', 'A-1'], 'No device token'],
    [
      'a speed at which values would share a time',
      ['bed.csv', '--check', '--speed', '5000'],
      'above 1000 values of bed.csv would share a time',
    ],
  ])('ends with 2 and one clear line: %s', (_name, words, message) => {
    const { code, error } = replay(...words);
    expect(error).toContain(message);
    expect(error.trimEnd().split('\n')).toHaveLength(2);
    expect(code).toBe(2);
  });

  it('ends with 1 when there is nothing to play', () => {
    const { code, output } = replay('silent.csv', '--check');
    expect(output).toContain('There is nothing to play');
    expect(code).toBe(1);
  });

  it('explains itself, every option included', () => {
    const { code, output } = replay('--help');
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
      'format',
      'pressure',
      'check',
    ];
    expect(options.filter((name) => !output.includes(`  --${name} `))).toEqual([]);
    expect(code).toBe(0);
  });

  it('reads files relative to the folder of the user, without sending anything', () => {
    const { code, output } = replay('bed.csv', '--check');
    expect(output.split('\n')).toEqual([
      'bed.csv -> MRN bed: bidmc, 7 samples in 1s, one every 1s',
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
