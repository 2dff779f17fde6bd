import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardlight-hl7-'));
  writeFileSync(join(folder, 'two.hl7'), 'MSH|^~\\&|A|||||||1\rOBR|1||||||20260501100000\rMSH|^~\\&|A|||||||2\r');
  writeFileSync(join(folder, 'letter.txt'), 'Dear colleague\n');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function send(...words: string[]): { code: number | null; output: string; error: string } {
  const run = spawnSync(
    process.execPath,
    ['--require', 'esbuild-register', resolve('server/cli/hl7-send.ts'), ...words],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NODE_ENV: 'test', INIT_CWD: folder },
    },
  );
  return { code: run.status, output: run.stdout, error: run.stderr };
}

describe('npm run hl7:send', () => {
  it.each([
    ['no file', [], 'Name one file to send'],
    ['a file that is not there', ['none.hl7'], 'none.hl7 cannot be read (ENOENT)'],
    ['a file without a message', ['letter.txt'], 'letter.txt has no HL7 message'],
    ['a certificate that is not there', ['two.hl7', '--tls-ca', 'ca.pem'], 'ca.pem cannot be read (ENOENT)'],
  ])('ends with 2 and one clear line: %s', (_name, words, message) => {
    const { code, error } = send(...words);
    expect(error).toContain(message);
    expect(error.trimEnd().split('\n').at(-1)).toBe('See npm run hl7:send -- --help');
    expect(code).toBe(2);
  });

  it('explains itself, every option included', () => {
    const { code, output } = send('--help');
    const options = 'to tls-ca tls-cert tls-key speed now zone split repeat break check'.split(' ');
    expect(options.filter((name) => !output.includes(`  --${name} `))).toEqual([]);
    expect(code).toBe(0);
  });

  it('reads a file relative to the folder of the user, without sending anything', () => {
    const { code, output } = send('two.hl7', '--check');
    expect(output).toBe('two.hl7: 2 messages in 0 s to 127.0.0.1:2575\n');
    expect(code).toBe(0);
  });
});
