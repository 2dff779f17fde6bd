import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { failing } from './lintFixtures';

/* oxlint-disable house/plain-words -- some texts contain the words that the rule rejects */

interface Case {
  file: string;
  text: string;
  /** A part of the message that explains the rule; null if the line is allowed. */
  says: string | null;
}

const refused: Case[] = [
  { file: 'lib/vitals/x#.ts', text: `import { env } from '../../server/env';`, says: 'lib imports nothing of ours' },
  { file: 'lib/vitals/x#.ts', text: `import { useState } from 'react';`, says: 'lib holds no React' },
  { file: 'lib/vitals/x#.ts', text: `import { readFileSync } from 'node:fs';`, says: 'lib does no input or output' },
  { file: 'lib/vitals/x#.ts', text: `export const now = Date.now();`, says: 'does not read the clock' },
  { file: 'lib/vitals/x#.ts', text: `export const now = new Date();`, says: 'does not read the clock' },
  { file: 'lib/vitals/x#.ts', text: `export const port = process.env.PORT;`, says: 'parsed once, in server/env.ts' },
  {
    file: 'server/vitals/x#.ts',
    text: `import { Age } from '../../components/ui/Age';`,
    says: 'server imports lib only',
  },
  { file: 'server/vitals/x#.ts', text: `import axios from 'axios';`, says: 'belongs to the page side' },
  { file: 'server/vitals/x#.ts', text: `export const port = process.env.PORT;`, says: 'parsed once, in server/env.ts' },
  {
    file: 'server/vitals/x#.ts',
    text: `import { cast } from '../../simulator/cast';`,
    says: 'server imports lib only',
  },
  { file: 'simulator/x#.ts', text: `import { createApp } from '../server/app';`, says: 'as a device does' },
  { file: 'simulator/x#.ts', text: `export const now = Date.now();`, says: 'does not read the clock' },
  {
    file: 'store/layout/x#.ts',
    text: `import { openStore } from '../../server/db/open';`,
    says: 'through its API only',
  },
  { file: 'store/layout/x#.ts', text: `import { useNow } from '../../hooks/useNow';`, says: 'store imports lib only' },
  { file: 'store/layout/x#.ts', text: `import useSWR from 'swr';`, says: 'Server data lives in SWR' },
  {
    file: 'store/layout/x#.ts',
    text: `import { createWrapper } from 'next-redux-wrapper';`,
    says: 'Only store/index.ts',
  },
  { file: 'hooks/usePatients#.ts', text: `import { Age } from '../components/ui/Age';`, says: 'know no screen' },
  {
    file: 'components/ui/X#.tsx',
    text: `import { ingest } from '../../server/ingest/record';`,
    says: 'through hooks/ only',
  },
  {
    file: 'components/ui/X#.tsx',
    text: `import { call } from '../../lib/browser/client';`,
    says: 'components read data through hooks/',
  },
  { file: 'components/ui/X#.tsx', text: `import useSWR from 'swr';`, says: 'components read data through hooks/' },
  {
    file: 'components/ui/X#.tsx',
    text: `import Cookies from 'js-cookie';`,
    says: 'store/, hooks/ and lib/browser only',
  },
  { file: 'components/ui/X#.tsx', text: `import { message } from 'antd';`, says: 'App.useApp()' },
  {
    file: 'components/ui/X#.tsx',
    text: `import { ConfigProvider } from 'antd';`,
    says: 'Only components/ui/AntdTheme',
  },
  { file: 'components/ui/X#.tsx', text: `import Table from 'antd/es/table';`, says: 'second copy' },
  { file: 'components/ui/X#.tsx', text: `Modal.confirm({});`, says: 'App.useApp().modal' },
  {
    file: 'components/ui/X#.tsx',
    text: `export const x = <Button size="small" />;`,
    says: 'Every control is 40 px high',
  },
  { file: 'components/ui/X#.tsx', text: `export const all = document.cookie;`, says: 'js-cookie is the only' },
  { file: 'components/ui/X#.tsx', text: `export const all = window.document.cookie;`, says: 'js-cookie is the only' },
  { file: 'components/ui/X#.tsx', text: `export default function X() {}`, says: 'Export by name' },
  {
    file: 'components/ui/X#.tsx',
    text: `import { createTestDatabase } from '../../test/database';`,
    says: 'for tests only',
  },
  { file: 'components/ui/utils.ts', text: `export const one = 1;`, says: 'Name a file after its main export' },
  { file: 'components/ui/index.ts', text: `export * from './Age';`, says: 'Name a file after its main export' },
  {
    file: 'pages/patients#.tsx',
    text: `import { readPatients } from '../server/patients/queries';`,
    says: 'only types from server/',
  },
  { file: 'pages/patients#.tsx', text: `import { Kysely } from 'kysely';`, says: 'pages do not touch storage' },
  { file: 'pages/_app.tsx', text: `import { HYDRATE } from 'next-redux-wrapper';`, says: 'Only store/index.ts' },
  { file: 'hooks/usePatients#.ts', text: `import axios from 'axios';`, says: 'Only lib/browser/client.ts' },
  { file: 'hooks/usePatients#.ts', text: `import { readFileSync } from 'node:fs';`, says: 'behind a route' },
  { file: 'components/ui/X#.tsx', text: `import { readFileSync } from 'node:fs';`, says: 'behind a route' },
  { file: 'components/ui/X#.tsx', text: `import { Wall } from '../../pages/wall';`, says: 'components know no page' },
  { file: 'pages/patients#.tsx', text: `import { call } from '../lib/browser/client';`, says: 'pages are thin' },
  { file: 'server/vitals/x#.ts', text: `export { f as default } from './f';`, says: 'Export by name' },
  { file: 'server/vitals/x#.ts', text: `export const x = Math.random();`, says: 'Math.random can be guessed' },
  { file: 'lib/vitals/x#.test.ts', text: `it('x', () => { return f(); });`, says: 'A test returns nothing' },
  { file: 'lib/vitals/x#.test.ts', text: `it.each([1])('x', () => { return f(); });`, says: 'A test returns nothing' },
  { file: 'lib/vitals/x#.test.ts', text: 'it.each`x`("x", () => { return f(); });', says: 'A test returns nothing' },
  { file: 'hooks/usePatients#.ts', text: `import { idParam } from '@/lib/api/idParam';`, says: 'Imports are relative' },
  {
    file: 'components/ui/X#.tsx',
    text: `import { PatientRow } from '../patients/PatientRow';`,
    says: 'components/ui uses ui only',
  },
  {
    file: 'components/patients/details/X#.tsx',
    text: `import type { Unread } from '../../chat/Unread';`,
    says: 'components/patients uses ui, patients, alerts, breakGlass, care, chart, deviceAlarms, notes, symptoms',
  },
  { file: 'lib/vitals/x#.ts', text: `export const wide = window.innerWidth;`, says: 'put this into lib/browser' },
  { file: 'lib/api/x#.ts', text: `export const text = localStorage.getItem('x');`, says: 'put this into lib/browser' },
  { file: 'lib/api/x#.ts', text: `export const now = Date.now();`, says: 'does not read the clock' },
  { file: 'server/vitals/x#.ts', text: `console.log('x');`, says: 'Unexpected console statement' },
  {
    file: 'server/vitals/x#.ts',
    text: `console.log('x'); // eslint-disable-line no-console`,
    says: 'Unexpected console statement',
  },
  { file: 'lib/units/x#.ts', text: `// What the ward was told.`, says: '"raised" of an alert' },
  { file: 'lib/units/x#.ts', text: `/** Begins anew. */`, says: 'write "again", or "reset"' },
  { file: 'lib/units/x#.ts', text: `export const text = 'Nobody is here';`, says: '"no one"' },
  {
    file: 'lib/units/x#.ts',
    text: 'export const textOf = (name: string) => `${name} stands here`;',
    says: '"is shown"',
  },
  { file: 'components/profile/X#.tsx', text: `export const x = <p>Whoever signs in</p>;`, says: '"users who"' },
  { file: 'lib/units/x#.ts', text: `export const x = [${'1, '.repeat(40)}];`, says: 'Maximum allowed is 120' },
];

const allowed: Case[] = [
  {
    file: 'components/patients/X#.tsx',
    text: `import { Age } from '../ui/Age';\nimport { SparkLine } from '../vitals/SparkLine';`,
    says: null,
  },
  { file: 'lib/browser/x#.ts', text: `export const wide = (): number => window.innerWidth;`, says: null },
  {
    file: 'lib/browser/client.ts',
    text: `import axios from 'axios';\nimport Cookies from 'js-cookie';\nexport const now = Date.now();`,
    says: null,
  },
  { file: 'lib/api/pageContext.ts', text: `import type { IncomingMessage } from 'node:http';`, says: null },
  { file: 'lib/vitals/x#.ts', text: `export const text = new Date(0).toISOString();`, says: null },
  { file: 'server/env.ts', text: `export const port = process.env.PORT;`, says: null },
  {
    file: 'server/vitals/x#.ts',
    text: `import { kinds } from '../../lib/vitals/kinds';\nimport { readFileSync } from 'node:fs';`,
    says: null,
  },
  { file: 'server/demo/x#.ts', text: `import { cast } from '../../simulator/cast';`, says: null },
  {
    file: 'store/index.ts',
    text: `import { createWrapper } from 'next-redux-wrapper';\nimport Cookies from 'js-cookie';`,
    says: null,
  },
  {
    file: 'hooks/usePatients#.ts',
    text: `import useSWR from 'swr';\nimport { call } from '../lib/browser/client';`,
    says: null,
  },
  {
    file: 'components/ui/X#.tsx',
    text: `import { App, Table } from 'antd';\nimport { useNow } from '../../hooks/useNow';`,
    says: null,
  },
  { file: 'components/ui/X#.tsx', text: `import english from 'antd/es/locale/en_GB';`, says: null },
  {
    file: 'components/ui/AntdTheme.tsx',
    text: `import { ConfigProvider } from 'antd';`,
    says: null,
  },
  { file: 'pages/patients#.tsx', text: `import type { Patient } from '../server/patients/queries';`, says: null },
  { file: 'pages/admin/index.tsx', text: `export default function Index() {}`, says: null },
  { file: 'lib/log.ts', text: `console.error('x');`, says: null },
  { file: 'lib/units/x#.ts', text: `export const text = 'Nobody has answered';`, says: null },
  { file: 'lib/units/x#.ts', text: `export const told = { key: 'nobody', path: '/anew' };`, says: null },
  { file: 'lib/units/x#.ts', text: `// https://example.org/${'a'.repeat(120)}`, says: null },
];

/** The rules that hold the house's own words, names and directions. The texts break others, which do not count. */
const houseRules = [
  'no-restricted-imports',
  'no-restricted-globals',
  'no-console',
  'house/syntax',
  'house/plain-words',
  'house/line-length',
];

const linted = z.object({
  rules: z.array(z.string()),
  reports: z.array(z.array(z.object({ rule: z.string().nullable(), says: z.string() }))),
});

function lintTexts(cases: { file: string; text: string }[]): z.infer<typeof linted> {
  const input = cases.map(({ file, text }, index) => ({ file: file.replace('#', String(index)), text }));
  const { stdout, stderr } = spawnSync(process.execPath, ['test/lintTexts.mjs'], {
    cwd: join(__dirname, '..'),
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  if (stdout === '') {
    throw new Error(stderr);
  }
  return linted.parse(JSON.parse(stdout));
}

const fixtures = failing.flatMap(({ file, texts }) =>
  Object.entries(texts).map(([rule, text]) => ({ rule, file, text })),
);
const unused = { file: 'lib/units/x#.ts', text: `export const x = 1; // oxlint-disable-line no-console` };
const { rules, reports } = lintTexts([...refused, ...allowed, ...fixtures, unused]);
const reportsOf = (index: number) => reports[index] ?? [];
const houseReportsOf = (index: number) =>
  reportsOf(index)
    .filter(({ rule }) => rule !== null && houseRules.includes(rule))
    .map(({ says }) => says);

describe('the rules of oxlint.config.mjs', () => {
  it('have a text each that fails by them', () => {
    expect(fixtures.map(({ rule }) => rule).sort()).toEqual(rules.sort());
  });

  it.each(fixtures.map((one, index) => [one.rule, one.text, refused.length + allowed.length + index] as const))(
    '%s refuses: %s',
    (rule, _, index) => {
      expect(reportsOf(index).map((report) => report.rule)).toContain(rule);
    },
  );

  it('refuse a comment that turns off a rule where none reports anything', () => {
    expect(reports.at(-1)).toEqual([{ rule: null, says: expect.stringContaining('Unused oxlint-disable') as string }]);
  });
});

describe('the house rules of oxlint.config.mjs', () => {
  it.each(refused.map((one, index) => [one.file, one.text, one.says, index] as const))(
    'refuse in %s: %s',
    (_, __, says, index) => {
      expect(houseReportsOf(index)).toEqual([expect.stringContaining(String(says))]);
    },
  );

  it.each(allowed.map((one, index) => [one.file, one.text, refused.length + index] as const))(
    'allow in %s: %s',
    (_, __, index) => {
      expect(houseReportsOf(index)).toEqual([]);
    },
  );
});

describe('scripts/circles.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-circles-'));
  const run = (files: Record<string, string>): { status: number | null; stdout: string; stderr: string } => {
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, name), text);
    }
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    return spawnSync(process.execPath, [join(__dirname, '..', 'scripts', 'circles.mjs')], {
      cwd: folder,
      encoding: 'utf8',
    });
  };
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it('rejects a circle of types alone, and names its files', () => {
    const files = {
      'one.ts': `import type { Two } from './two';\nexport type One = Two;`,
      'two.ts': `import { type One } from './three';\nexport type Two = One;`,
      'three.tsx': `export type { One } from './one';`,
    };
    const { status, stderr } = run(files);
    expect(status).toBe(1);
    expect(stderr).toContain('  one.ts -> two.ts\n  three.tsx -> one.ts\n  two.ts -> three.tsx');
  });

  it('allows imports that go one way', () => {
    const { status, stdout } = run({ 'one.ts': '', 'two.ts': `import './one';`, 'three.tsx': `import './two';` });
    expect([status, stdout]).toEqual([0, '0 circles of imports, types included, among 3 files\n']);
  });
});
