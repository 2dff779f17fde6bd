import { createHash } from 'node:crypto';

/** Seconds. Devices send again after it, and the page loads itself again. */
export const startingAfter = 2;

/** Nothing is loaded yet, no style sheet either: these are colours of styles/theme.ts and styles/nightTheme.ts. */
const style = `
:root { color-scheme: light dark; background: #f3f5f8; color: #101828; font: 16px/1.5 system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; }
main { box-sizing: border-box; max-width: 36em; margin: 1em; padding: 2em; border: 1px solid #dfe3ea;
  border-radius: 12px; background: #fff; }
svg { display: block; width: 40px; height: 40px; }
h1 { margin: 0.5em 0; font-size: 24px; font-weight: 600; line-height: 1.3; }
p { margin: 0.5em 0 0; }
@media (prefers-color-scheme: dark) {
  :root { background: #0b1220; color: #e6ebf4; }
  main { border-color: #26334a; background: #111a2b; }
}
`;

/** Lets the page have its own style, and nothing else. */
export const startingPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "frame-ancestors 'none'";

/** It has no script: the header `Refresh` loads it again, until the wanted page is there. */
export const startingPage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Wardlight is starting</title>' +
  `<style>${style}</style></head><body><main>` +
  '<svg viewBox="0 0 32 32" fill="none" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3f51a5"/>' +
  '<circle cx="16" cy="16" r="9.5" stroke="#fff" stroke-opacity="0.5" stroke-width="2"/>' +
  '<path d="M3.5 16H12l2.5-6 4 12 2.5-6h7.5" stroke="#fff" stroke-width="2.6" stroke-linecap="round" ' +
  'stroke-linejoin="round"/></svg>' +
  '<h1>Wardlight is starting</h1>' +
  '<p><strong>No alerts are shown here until it is ready: look at the patient and the bedside monitor.</strong></p>' +
  `<p>This page tries again every ${startingAfter} seconds by itself, and then opens what you asked for.</p>` +
  '</main></body></html>';
