import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '../..');
const pages = readdirSync(join(root, 'pages'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.tsx') && name !== '_document.tsx')
  .map((name) => join('pages', name));

/** Imports of values, static ones and by `import()`. A type brings no code. */
const imports = /(?:^(?:import|export) (?!type\b)[^;]*?from |\bimport\()'([^']+)'/gm;
/** What these open has the theme around it. */
const themed = /antdOnDemand\(\s*\(\) =>\s*import\([^)]*\)/g;

/** Returns the files on the way from a file to one that imports antd, if none of them has the theme; else null. */
function wayToBareAntd(file: string, seen = new Set<string>()): string[] | null {
  seen.add(file);
  const text = readFileSync(join(root, file), 'utf8').replace(themed, '');
  const targets = [...text.matchAll(imports)].map(([, target = '']) => target);
  if (text.includes('<AntdTheme>')) {
    return null;
  }
  if (targets.includes('antd')) {
    return [file];
  }
  for (const target of targets.filter((each) => each.startsWith('.'))) {
    const next = sourceOf(join(dirname(file), target));
    const way = next === null || seen.has(next) ? null : wayToBareAntd(next, seen);
    if (way !== null) {
      return [file, ...way];
    }
  }
  return null;
}

function sourceOf(path: string): string | null {
  const found = ['.tsx', '.ts'].map((ending) => join(root, path + ending)).find(existsSync);
  return found === undefined ? null : relative(root, found);
}

describe('antd in a page', () => {
  it.each(pages)('is drawn with its theme: %s', (page) => {
    expect(wayToBareAntd(page)).toBeNull();
  });

  it('is found where no theme is around it', () => {
    expect(wayToBareAntd('components/history/HistoryScreen.tsx')).not.toBeNull();
    expect(wayToBareAntd('components/alerts/AlertDrawer.tsx')).toEqual(['components/alerts/AlertDrawer.tsx']);
  });
});
