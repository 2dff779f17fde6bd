/* oxlint-disable house/plain-words -- a text contains a word that the rule rejects */

interface Fixtures {
  /** The file of each text; # is a number of its own. */
  file: string;
  /** By the rule that reports the text, named as in oxlint.config.mjs. */
  texts: Record<string, string>;
}

/** A text that fails by each rule of oxlint.config.mjs. */
export const failing: Fixtures[] = [
  {
    file: 'server/units/#.ts',
    texts: {
      curly: `export const f = (x: boolean): number => { if (x) return 1; return 2; };`,
      eqeqeq: `export const f = (x: number): boolean => x == 1;`,
      'no-console': `console.log('x');`,
      'no-constant-binary-expression': `export const f = (x: object): boolean => x === {};`,
      'no-control-regex': String.raw`export const control = /\x1f/;`,
      'no-dupe-else-if': `export function f(x: boolean): void {
  if (x) { f(x); } else if (x) { f(!x); }
}`,
      'no-empty': `export function f(x: boolean): void { if (x) {} }`,
      'no-irregular-whitespace': 'export const x =\u00a01;',
      'no-self-compare': `export const f = (x: number): boolean => x === x;`,
      'no-unreachable-loop': `export function f(all: number[]): number {
  for (const one of all) { return one; }
  return 0;
}`,
      'no-useless-escape': String.raw`export const x = 'a\b\c';`,
      'no-var': `export var x = 1;`,
      'object-shorthand': `const x = 1; export const all = { x: x };`,
      'prefer-const': `let x = 1; export const y = x;`,
      'house/plain-words': `// Begins anew.\nexport const x = 1;`,
      'house/line-length': `export const x = [${'1, '.repeat(40)}];`,

      'house/syntax': `export default function f(): void {}`,
      'no-restricted-imports': `import { idParam } from '@/lib/api/idParam';\nexport const x = idParam;`,
      'no-array-constructor': `export const x = new Array(1, 2);`,
      'no-unused-expressions': `export function f(x: boolean): void { x; }`,
      'no-unused-vars': `const _x = 1; export const y = 2;`,
      'prefer-rest-params': `export function f(): number { return Number(arguments[0]); }`,
      'prefer-spread': `export const f = (all: number[]): number => Math.max.apply(Math, all);`,
      'typescript/await-thenable': `export async function f(): Promise<number> { return await 1; }`,
      'typescript/ban-ts-comment': `// @ts-ignore\nexport const x: number = 1;`,
      'typescript/consistent-type-imports': `import { Server } from 'node:http';\nexport type S = Server;`,
      'typescript/no-array-delete': `export function f(all: number[]): void { delete all[0]; }`,
      'typescript/no-base-to-string': `export const f = (x: object): string => String(x);`,
      'typescript/no-duplicate-enum-values': `export enum E { A = 1, B = 1 }`,
      'typescript/no-duplicate-type-constituents': `export type T = 'a' | 'b' | 'a';`,
      'typescript/no-empty-object-type': `export type T = {};`,
      'typescript/no-explicit-any': `export const x: any = 1;`,
      'typescript/no-extra-non-null-assertion': `export const f = (x: { y: number } | null): number => x!!.y;`,
      'typescript/no-floating-promises': `export function f(): void { Promise.resolve(1); }`,
      'typescript/no-for-in-array': `export function f(all: number[]): void {
  for (const i in all) { f([Number(i)]); }
}`,
      'typescript/no-implied-eval': `setTimeout('f()', 1);`,
      'typescript/no-misused-new': `export interface I { new (): I; }`,
      'typescript/no-misused-promises': `export const f = (x: Promise<boolean>): number => (x ? 1 : 2);`,
      'typescript/no-namespace': `export namespace N { export const x = 1; }`,
      'typescript/no-non-null-asserted-optional-chain': `export const f = (x?: { y?: number }): number => x?.y!;`,
      'typescript/no-non-null-assertion': `export const f = (x: number | null): number => x!;`,
      'typescript/no-redundant-type-constituents': `export type T = string | unknown;`,
      'typescript/no-require-imports': `export const fs: unknown = require('node:fs');`,
      'typescript/no-this-alias': `export class C { f(): unknown { const self = this; return [self, () => self]; } }`,
      'typescript/no-unnecessary-type-assertion': `export const f = (x: number): number => x as number;`,
      'typescript/no-unnecessary-type-constraint': `export const f = <T extends unknown>(x: T): T => x;`,
      'typescript/no-unsafe-argument': `declare const x: any; declare function g(y: string): void; g(x);`,
      'typescript/no-unsafe-assignment': `export const x: string = JSON.parse('1');`,
      'typescript/no-unsafe-call': `declare const x: any; x();`,
      'typescript/no-unsafe-declaration-merging': `export interface C { x: number } export class C {}`,
      'typescript/no-unsafe-enum-comparison': `enum E { A = 'a' } export const f = (x: E): boolean => x === 'a';`,
      'typescript/no-unsafe-function-type': `export type T = Function;`,
      'typescript/no-unsafe-member-access': `declare const x: any; export const y = String(x.y);`,
      'typescript/no-unsafe-return': `export function f(): string { return JSON.parse('1'); }`,
      'typescript/no-unsafe-unary-minus': `export const f = (x: string): number => -x;`,
      'typescript/no-wrapper-object-types': `export const f = (x: String): unknown => x;`,
      'typescript/only-throw-error': `export function f(): void { throw 'x'; }`,
      'typescript/prefer-as-const': `export const x: 'a' = 'a';`,
      'typescript/prefer-namespace-keyword': `declare module N { export const x: number; }`,
      'typescript/prefer-promise-reject-errors': `export const f = (): Promise<void> => Promise.reject('x');`,
      'typescript/restrict-plus-operands': `export const f = (x: { y: number }): string => x + '';`,
      'typescript/restrict-template-expressions': 'export const f = (x: object): string => `${x}`;',
      'typescript/strict-boolean-expressions': `export const f = (rate: number | null): string => (rate ? 'a' : 'b');`,
      'typescript/switch-exhaustiveness-check': `export function f(x: 'a' | 'b'): number {
  switch (x) { case 'a': return 1; }
  return 2;
}`,
      'typescript/triple-slash-reference': `/// <reference path="./x.ts" />\nexport const x = 1;`,
    },
  },
  {
    file: 'components/ui/X#.tsx',
    texts: {
      'react/error-boundaries': `export function X() { try { return <b />; } catch { return null; } }`,
      'react/exhaustive-deps': `import { useEffect } from 'react';
export function X({ f }: { f: () => void }) { useEffect(() => { f(); }, []); return <b />; }`,
      'react/globals': `let shown = 0;
export function X() { shown = 1; return <b>{shown}</b>; }`,
      'react/immutability': `export function X({ x }: { x: { y: number } }) { x.y = 1; return <b>{x.y}</b>; }`,
      'react/incompatible-library': `import { useVirtualizer } from '@tanstack/react-virtual';
export function X() { const rows: object = useVirtualizer({ count: 1 }); return <b>{JSON.stringify(rows)}</b>; }`,
      'react/preserve-manual-memoization': `import { useMemo } from 'react';
export function X(props: { a: number; on: boolean } | undefined) {
  const x = useMemo(() => {
    const y = [props?.a];
    if (props.on) { y.push(props.a); }
    return y;
  }, [props?.a, props.on]);
  return <b>{x}</b>;
}`,
      'react/purity': `export function X() { const now = Date.now(); return <b>{now}</b>; }`,
      'react/refs': `import { useRef } from 'react';
export function X() { const last = useRef(0); return <b>{last.current}</b>; }`,
      'react/rules-of-hooks': `import { useState } from 'react';
export function X({ on }: { on: boolean }) { if (on) { useState(0); } return <b />; }`,
      'react/set-state-in-effect': `import { useEffect, useState } from 'react';
export function X() { const [x, setX] = useState(0); useEffect(() => { setX(1); }, []); return <b>{x}</b>; }`,
      'react/set-state-in-render': `import { useState } from 'react';
export function X() { const [x, setX] = useState(0); setX(1); return <b>{x}</b>; }`,
      'react/static-components': `export function X() { const Inner = () => <b />; return <Inner />; }`,
      'react/unsupported-syntax': `export function X() { eval('1'); return <b />; }`,
      'react/use-memo': `import { useMemo } from 'react';
export function X() { const x = useMemo((y: number) => [y], []); return <b>{x}</b>; }`,
    },
  },
  {
    file: 'lib/units/#.test.ts',
    texts: {
      'jest/consistent-test-it': `test('adds', () => { expect(1).toBe(1); });`,
      'jest/expect-expect': `it('adds', () => {});`,
      'jest/no-alias-methods': `it('adds', () => { expect(f).toBeCalled(); });`,
      'jest/no-commented-out-tests': `// it('adds', () => {});\nit('adds', () => { expect(1).toBe(1); });`,
      'jest/no-conditional-expect': `it('adds', () => { if (f()) { expect(1).toBe(1); } });`,
      'jest/no-confusing-set-timeout': `it('adds', () => { jest.setTimeout(1); expect(1).toBe(1); });`,
      'jest/no-deprecated-functions': `jest.resetModuleRegistry();`,
      'jest/no-disabled-tests': `it.skip('adds', () => { expect(1).toBe(1); });`,
      'jest/no-done-callback': `it('adds', (done) => { expect(1).toBe(1); done(); });`,
      'jest/no-export': `export const x = 1;\nit('adds', () => { expect(1).toBe(1); });`,
      'jest/no-focused-tests': `it.only('adds', () => { expect(1).toBe(1); });`,
      'jest/no-identical-title': `it('adds', () => { expect(1).toBe(1); });\nit('adds', () => { expect(1).toBe(1); });`,
      'jest/no-interpolation-in-snapshots': 'it("adds", () => { expect(1).toMatchInlineSnapshot(`${x}`); });',
      'jest/no-jasmine-globals': `it('adds', () => { expect(1).toBe(jasmine.anything()); });`,
      'jest/no-mocks-import': `import { x } from './__mocks__/x';\nit('adds', () => { expect(1).toBe(x); });`,
      'jest/no-standalone-expect': `describe('sums', () => { expect(1).toBe(1); });`,
      'jest/no-test-prefixes': `xit('adds', () => { expect(1).toBe(1); });`,
      'jest/prefer-expect-resolves': `it('adds', async () => { expect(await f()).toBe(1); });`,
      'jest/valid-describe-callback': `describe('sums', async () => { await f(); });`,
      'jest/valid-expect': `it('adds', () => { expect(1); });`,
      'jest/valid-expect-in-promise': `it('adds', () => { f().then((x) => { expect(x).toBe(1); }); });`,
      'jest/valid-title': `it('', () => { expect(1).toBe(1); });`,
    },
  },
  {
    file: 'lib/units/#.ts',
    texts: { 'no-restricted-globals': `export const wide = (): number => window.innerWidth;` },
  },
  { file: 'scripts/#.mjs', texts: { 'no-undef': `window.close();` } },
];
