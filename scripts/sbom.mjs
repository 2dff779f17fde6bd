// npm run sbom: writes what the product is made of to dist/: sbom.json (CycloneDX) and third-party-notices.txt.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './ensureInstalled.mjs';
import { readArgs } from './readArgs.mjs';
import { requireNode } from './requireNode.mjs';
import { run } from './run.mjs';

const usage = `Writes what the product is made of: dist/sbom.json (CycloneDX) and dist/third-party-notices.txt.

  npm run sbom
`;

/** Returns the packages of a bill in the order of their names, with what they say of their licence. */
export function packagesOf(bill) {
  return bill.components
    .map(({ name, version, licenses = [] }) => ({
      name,
      version,
      licence: licenses.map((one) => one.expression ?? one.license.id ?? one.license.name).join(', ') || 'not stated',
    }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

/** Returns the notices: each package with its licence and the texts that it asks to keep, as `textsOf` reads them. */
export function noticesOf(packages, textsOf) {
  const parts = packages.map(({ name, version, licence }) => {
    const texts = textsOf(name, version);
    return [`${name} ${version}: ${licence}`, ...(texts.length > 0 ? texts : ['(The package has no licence file.)'])];
  });
  return ['Wardlight contains these packages.', ...parts.flat()].join(`\n\n${'-'.repeat(78)}\n\n`) + '\n';
}

/** Returns the licence files of an installed package. A platform's package that was not installed has none. */
function licenceTexts(folder) {
  if (!existsSync(folder)) {
    return [];
  }
  const files = readdirSync(folder, { withFileTypes: true });
  return files
    .filter((file) => file.isFile() && /^(licen[cs]e|notice|copying)/i.test(file.name))
    .map(({ name }) => readFileSync(join(folder, name), 'utf8').trim());
}

/** Returns the folder of a package by its lock file: a second version of it lies below the one that needs it. */
function foldersOf(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return new Map(
    Object.entries(packages).map(([place, { name, version }]) => [
      `${name ?? place.split('node_modules/').at(-1)} ${version}`,
      join(root, place),
    ]),
  );
}

async function main(root) {
  let text = '';
  const asked = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only'];
  const code = await run(root, 'npm', asked, { onOutput: (part) => (text += part) });
  if (code !== 0) {
    return code;
  }
  const folders = foldersOf(root);
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'sbom.json'), text);
  const packages = packagesOf(JSON.parse(text));
  const notices = noticesOf(packages, (name, version) => licenceTexts(folders.get(`${name} ${version}`) ?? ''));
  writeFileSync(join(dist, 'third-party-notices.txt'), notices);
  console.log(`${packages.length} packages: dist/sbom.json, dist/third-party-notices.txt`);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  requireNode();
  readArgs(usage);
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  process.exit((await ensureInstalled(root)) || (await main(root)));
}
