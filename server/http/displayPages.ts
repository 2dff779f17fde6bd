import { paths } from '../../lib/paths';

/**
 * The pages that a display may open: the wall, those that lead to it, and those that everyone may read. A page that is
 * not named is closed, so that a new one is.
 */
const open: ReadonlySet<string> = new Set([
  paths.wall,
  paths.start,
  paths.dashboard,
  paths.signIn,
  paths.locked,
  paths.intendedUse,
]);

/** Returns whether a display is refused an address: every page but the wall, and its data. Files are open. */
export function isClosedToDisplay(url: string): boolean {
  const [path = ''] = url.split(/[?#]/);
  const ofData = /^\/_next\/data\/[^/]+(\/.*)\.json$/.exec(path)?.[1];
  if (ofData !== undefined) {
    return !open.has(ofData === '/index' ? paths.start : ofData);
  }
  return !open.has(path) && !/^\/_next\/|^\/[\w-]+\.\w+$/.test(path);
}

/** The answer in the place of a closed page. */
export const closedToDisplay =
  '<!doctype html><html lang="en"><meta charset="utf-8"><title>Not for this display - Wardlight</title>' +
  `<h1>This display shows the wall only</h1><p><a href="${paths.wall}">Open the wall</a></p></html>`;
