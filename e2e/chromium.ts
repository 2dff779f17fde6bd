import { existsSync } from 'node:fs';

/** The headless shell comes first: it draws no browser around the page, so a spec takes a third less processor time. */
const installed = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Returns the system's Chromium, else the one from npm. Only its path is used: its `args` switch web security off. */
export async function chromiumPath(): Promise<string> {
  const found = installed.find((path) => existsSync(path));
  if (found !== undefined) {
    return found;
  }
  const { default: chromium } = await import('@sparticuz/chromium');
  return await chromium.executablePath();
}

/** Chromium's own calls home are off, because tests connect to nothing but this machine. */
export const chromiumArguments = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // There is none: a process that imitates it costs a tenth of a spec's processor time.
  '--disable-gpu',
  '--disable-gpu-compositing',
  // Chromium's sandbox does not start for root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];
