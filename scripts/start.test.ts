import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/*
 * The real scripts in a project of stubs: an npm that notes how it was called and "installs" a bundler and a Next that
 * do the same, and a server that says where it runs.
 */
const server = `
  const { appendFileSync, readFileSync } = require('node:fs');
  if (process.env.STAY !== undefined) {
    setInterval(() => {}, 1000);
    const stop = () => { console.log('server stopped'); process.exit(7); };
    process.on('SIGTERM', stop).on('disconnect', stop);
  }
  console.log('server', process.execArgv, process.env.NODE_ENV, process.env.SITE_NAME, process.argv.slice(2).join(' '));
  const how = process.env.ENDS?.split(',');
  if (how !== undefined) {
    appendFileSync('starts', '.');
    const end = how[readFileSync('starts', 'utf8').length - 1] ?? '0';
    end.startsWith('SIG') ? process.kill(process.pid, end) : process.exit(Number(end));
  }
`;
const bundler = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  exports.buildSync = ({ outfile }) => {
    mkdirSync(require('node:path').dirname(outfile), { recursive: true });
    writeFileSync(outfile, ${JSON.stringify(server)});
  };
`;
const builder = `
  const { appendFileSync, mkdirSync, writeFileSync } = require('node:fs');
  appendFileSync('calls', 'next ' + process.argv.slice(2).join(' ') + ' ' + process.env.NODE_ENV + '\\n');
  mkdirSync('.next/static/chunks', { recursive: true });
  writeFileSync('.next/static/chunks/a.js', 'one');
  writeFileSync('.next/static/font.woff2', 'one');
  process.exitCode = Number(process.env.BUILD_CODE ?? 0);
`;
const npm = `#!/bin/sh
echo "npm $* NODE_ENV=$NODE_ENV" >> calls
[ -z "$INSTALL_CODE" ] || exit "$INSTALL_CODE"
mkdir -p node_modules && cp -r packages/. node_modules
`;

let project: string;

const path = (name: string): string => join(project, name);
function write(name: string, text: string): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), text);
}

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'wardlight-start-'));
  cpSync(__dirname, path('scripts'), { recursive: true });
  write('scripts/antd-css.mjs', '');
  write('package-lock.json', '{}');
  write('pages/index.tsx', 'one');
  write('server/main.ts', 'one');
  write('packages/esbuild/index.js', bundler);
  write('packages/next/dist/bin/next', builder);
  write('bin/npm', npm);
  chmodSync(path('bin/npm'), 0o755);
});

afterEach(() => {
  rmSync(project, { recursive: true });
});

function environment(env: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: `${path('bin')}:${process.env.PATH}`, NODE_ENV: 'production', ...env };
}

function start(
  args: string[] = [],
  env: Record<string, string> = {},
  serverArgs: string[] = [],
): { code: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, path('scripts/start.mjs'), ...serverArgs], {
    cwd: tmpdir(),
    env: environment(env),
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}

/** Returns the calls of npm and Next since the last one. */
function calls(): string[] {
  const said = existsSync(path('calls')) ? readFileSync(path('calls'), 'utf8').trimEnd().split('\n') : [];
  rmSync(path('calls'), { force: true });
  return said;
}

const install = 'npm ci --include=dev --loglevel=error NODE_ENV=';
const build = 'next build production';

describe('npm start', () => {
  it('refuses a Node that is too old, in one clear line', () => {
    const versions = `{value:{...process.versions,node:'20.18.3'}}`;
    const old = `data:text/javascript,Object.defineProperty(process,'versions',${versions})`;
    const { code, output } = start(['--import', old]);
    expect(code).toBe(1);
    expect(output).toMatch(/^Wardlight needs Node 20\.19 or newer.*\n$/);
    expect(calls()).toEqual([]);
  });

  it('explains itself, and neither installs nor builds', () => {
    const { code, output } = start([], {}, ['--help']);
    expect(output).toContain('npm start [-- --demo]');
    expect(code).toBe(0);
    expect(calls()).toEqual([]);
  });

  it.each([
    ['--demos', "Unknown option '--demos'"],
    ['--demo=yes', '--demo'],
    ['demo', "Unexpected argument 'demo'"],
  ])('refuses %s with 2 and its usage, and neither installs nor builds', (word, says) => {
    const { code, output } = start([], {}, [word]);
    expect(output).toContain(says);
    expect(output).toContain('npm start [-- --demo]');
    expect(code).toBe(2);
    expect(calls()).toEqual([]);
  });

  it('starts nothing after an install that failed, and passes its code on', () => {
    const { code, output } = start([], { INSTALL_CODE: '5' });
    expect(code).toBe(5);
    expect(output).not.toContain('server');
    expect(calls()).toEqual([install]);
  });

  it('starts nothing after a build that failed, and builds again the next time', () => {
    const { code, output } = start([], { BUILD_CODE: '6' });
    expect(code).toBe(6);
    expect(output).not.toContain('server ');
    expect(calls()).toEqual([install, build]);
    expect(start().code).toBe(0);
    expect(calls()).toEqual([build]);
  });

  it('installs with the development packages, builds for production, and runs the server with its own options', () => {
    const { code, output } = start(['--stack-size=900']);
    expect(calls()).toEqual([install, build]);
    expect(output).toContain(`server [ '--stack-size=900' ] production`);
    expect(code).toBe(0);
  });

  it.each(['1', '0'])('starts no server again that ended by itself with %s, and passes the code on', (end) => {
    const { code, output } = start([], { ENDS: end });
    expect([code, output.match(/^server /gm)?.length]).toEqual([Number(end), 1]);
  });

  it('starts the server again after a fault, and after a crash', () => {
    const { code, output } = start([], { ENDS: '70,SIGKILL,3' });
    expect(output.match(/^server .*|^Wardlight .*/gm)?.map((line) => line.split(' ')[0])).toHaveLength(5);
    expect(output).toContain('Wardlight ended by a fault and is started again');
    expect(output).toContain('Wardlight ended by signal 9 and is started again');
    // A process that was killed left no mark of its own.
    expect(output.match(/^server .*/gm)?.map((line) => line.includes('--after-crash'))).toEqual([false, true, true]);
    expect(code).toBe(3);
  });

  it('says how to pass on an option that npm took for itself, and starts nothing', () => {
    const { code, output } = start([], { npm_config_demo: 'true' });
    expect([code, output]).toEqual([2, 'npm took --demo for itself. Write npm start -- --demo\n']);
    expect(calls()).toEqual([]);
  });

  it('starts a server again until its store can be used, however often', () => {
    const { code, output } = start([], { ENDS: '75,75,0' });
    expect([code, output.match(/^server /gm)?.length]).toEqual([0, 3]);
    expect(output.match(/^Wardlight is started again in 2 s$/gm)).toHaveLength(2);
  });

  it('gives up after five starts within ten minutes', () => {
    const { code, output } = start([], { ENDS: '70,70,70,70,70,70,70' });
    expect([code, output.match(/^server /gm)?.length]).toEqual([70, 6]);
    expect(output).toContain('6 times within 10 minutes: it is not started again');
  });

  it('writes a compressed copy beside every text of the pages, and nothing else', () => {
    start();
    const served = readFileSync(path('.next/static/chunks/a.js'), 'utf8');
    expect(served).toBe('//# allFunctionsCalledOnLoad\none');
    expect(gunzipSync(readFileSync(path('.next/static/chunks/a.js.gz'))).toString()).toBe(served);
    expect(existsSync(path('.next/static/font.woff2.gz'))).toBe(false);
  });

  it('does neither a second time when nothing changed', () => {
    start();
    calls();
    expect(start().output).toContain('server');
    expect(calls()).toEqual([]);
  });

  it.each([
    ['package-lock.json', '{"a":1}', [install, build]],
    ['pages/index.tsx', 'two', [build]],
    ['lib/new.ts', 'new', [build]],
    ['next.config.js', 'new', [build]],
    ['server/main.ts', 'two', []],
    ['lib/new.test.ts', 'new', []],
    ['styles/generated/first.css', 'new', []],
  ])('after a change of %s runs the steps that need it', (file, text, expected) => {
    start();
    calls();
    write(file, text);
    start();
    expect(calls()).toEqual(expected);
  });

  it('builds again after a source file was removed', () => {
    write('components/ui/Age.tsx', 'one');
    start();
    calls();
    rmSync(path('components/ui/Age.tsx'));
    start();
    expect(calls()).toEqual([build]);
  });

  it('accepts packages that were installed by hand after the lock file was written', () => {
    cpSync(path('packages'), path('node_modules'), { recursive: true });
    write('node_modules/.package-lock.json', '{}');
    start();
    expect(calls()).toEqual([build]);
  });

  it('does not accept packages that are older than the lock file', () => {
    cpSync(path('packages'), path('node_modules'), { recursive: true });
    write('node_modules/.package-lock.json', '{}');
    utimesSync(path('node_modules/.package-lock.json'), 0, 0);
    start();
    expect(calls()).toEqual([install, build]);
  });

  it('takes from .env what the shell does not set', () => {
    appendFileSync(path('.env'), 'SITE_NAME=North\nNODE_ENV=development\n');
    expect(start().output).toContain('production North');
    expect(start([], { SITE_NAME: 'South' }).output).toContain('production South');
  });

  describe('beside a server of this folder', () => {
    let child: ReturnType<typeof spawn>;

    beforeEach(async () => {
      start();
      child = spawn(process.execPath, [path('scripts/start.mjs')], { env: environment({ STAY: '1' }) });
      await once(child.stdout ?? child, 'data');
      calls();
    });

    afterEach(async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        await ended;
      }
    });

    it.each([
      ['pages/index.tsx', 'two'],
      ['package-lock.json', '{"a":1}'],
    ])('refuses to replace what it serves after a change of %s', (file, text) => {
      write(file, text);
      const { code, output } = start();
      expect(output).toMatch(/^A Wardlight server runs or is being built in this folder.* stop it first.*\n$/);
      expect(code).toBe(1);
      expect(calls()).toEqual([]);
    });

    it('starts another one as long as nothing is to be built', () => {
      expect(start([], { ENDS: '0' }).code).toBe(0);
      expect(calls()).toEqual([]);
    });

    it('builds again once it is gone, also if it was killed', async () => {
      write('pages/index.tsx', 'two');
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      expect(start([], { ENDS: '0' }).code).toBe(0);
      expect(calls()).toEqual([build]);
    });
  });

  it('passes --demo and a SIGTERM to the server', async () => {
    start();
    const child = spawn(process.execPath, [path('scripts/start.mjs'), '--demo'], { env: environment({ STAY: '1' }) });
    child.stdout.setEncoding('utf8');
    await expect(once(child.stdout, 'data')).resolves.toEqual([expect.stringContaining('--demo')]);
    child.kill('SIGTERM');
    await expect(once(child, 'exit')).resolves.toEqual([7, null]);
  });

  it('kills a server that was to stop and does not end, and does not take that for a crash', async () => {
    const deaf = `process.on('SIGTERM', () => console.log('heard')); console.log('up'); setInterval(() => {}, 1000)`;
    const program =
      `import { keepRunning } from './scripts/keepRunning.mjs'; import { run } from './scripts/run.mjs';` +
      `const args = ['-e', ${JSON.stringify(deaf)}];` +
      `process.exitCode = await keepRunning(() => run('.', process.execPath, args, { killAfterMs: 100 }));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: project });
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(child.stdout, 'data');
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await expect(ended).resolves.toEqual([1, null]);
    expect(said.join('')).toMatch(/^up\nheard\nKilled after 0\.1 s: .*\n$/);
  });

  it('leaves no server behind when it is killed itself', async () => {
    start();
    const child = spawn(process.execPath, [path('scripts/start.mjs')], { env: environment({ STAY: '1' }) });
    const said: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(child.stdout, 'data');
    const closed = once(child.stdout, 'close');
    child.kill('SIGKILL');
    await closed;
    expect(said.join('')).toContain('server stopped');
  });

  it('stops when npm’s shell dies of a SIGTERM without passing it on', async () => {
    start();
    const shell = spawn('sh', ['-c', `"${process.execPath}" scripts/start.mjs; exit $?`], {
      cwd: project,
      env: environment({ STAY: '1', npm_lifecycle_event: 'start' }),
    });
    const said: string[] = [];
    shell.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(shell.stdout, 'data');
    const closed = once(shell.stdout, 'close');
    shell.kill('SIGTERM');
    await closed;
    expect(said.join('')).toContain('server stopped');
  });
});
