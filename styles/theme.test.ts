import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstPaintComponents, laterComponents, sharedTokens } from './theme';

const root = join(__dirname, '..');
const sources = ['components', 'pages'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
);

/** Returns the components that a file imports from antd; types and the provider have no rules of their own. */
function antdImports(file: string): string[] {
  const named = /import \{([^}]*)\} from 'antd'/.exec(readFileSync(join(root, file), 'utf8'))?.[1] ?? '';
  return named
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ') && name !== 'ConfigProvider');
}

const imported = new Set(sources.flatMap(antdImports));
const listed: readonly string[] = [...firstPaintComponents, ...laterComponents];

describe('the style sheets made from antd', () => {
  it('reads the sources', () => {
    expect(imported.size).toBeGreaterThan(2);
  });

  it.each([...imported])('contain the rules of %s', (name) => {
    expect(listed).toContain(name);
  });

  it('contain each rule once', () => {
    expect(new Set(listed).size).toBe(listed.length);
  });
});

it('the letters and controls have the font and sizes of the product specification', () => {
  expect(sharedTokens.fontFamily).toMatch(/^'Open Sans',/);
  expect([sharedTokens.fontSize, sharedTokens.controlHeight]).toEqual([14, 40]);
});

describe('reduced motion', () => {
  it('has no transition, in which antd would measure the old place of a list that opens', () => {
    const css = readFileSync(join(root, 'styles/globals.css'), 'utf8');
    const [, rules] = /@media \(prefers-reduced-motion: reduce\) \{([\s\S]*?)\n\}/.exec(css) ?? [];
    expect(rules).toContain('transition: none !important');
  });
});
