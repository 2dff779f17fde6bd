import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const reference = /\n?\/[/*]# sourceMappingURL=([\w.~-]+)(?:\*\/)?\s*$/;

/**
 * Moves the source maps of scripts from `served` to `kept`, each with a copy of its script, as the tools of Sentry and
 * GlitchTip need them. A served file names no map, because a browser could not load it.
 */
export function keepSourceMaps(served, kept) {
  rmSync(kept, { recursive: true, force: true });
  const paths = readdirSync(served, { recursive: true });
  for (const path of paths.filter((name) => /\.(js|css)$/.test(name))) {
    const file = join(served, path);
    const text = readFileSync(file, 'utf8');
    const [end, map] = reference.exec(text) ?? [];
    if (map === undefined) {
      continue;
    }
    const from = join(dirname(file), map);
    if (path.endsWith('.js') && existsSync(from)) {
      const folder = join(kept, dirname(path));
      mkdirSync(folder, { recursive: true });
      copyFileSync(file, join(kept, path));
      copyFileSync(from, join(folder, map));
    }
    writeFileSync(file, text.slice(0, -end.length));
  }
  for (const path of paths.filter((name) => name.endsWith('.map'))) {
    rmSync(join(served, path));
  }
}
