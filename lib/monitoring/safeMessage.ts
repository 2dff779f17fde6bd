/**
 * What an error may say in a report. A message can contain a name or a value. So only known messages pass, and only the
 * part of them that the engine or our own code always writes.
 */
const known: readonly [pattern: RegExp, says: string][] = [
  [/^Cannot read properties of undefined/, 'Cannot read properties of undefined'],
  [/^Cannot read properties of null/, 'Cannot read properties of null'],
  [/^Cannot set properties of (undefined|null)/, 'Cannot set properties of nothing'],
  [/ is not a function$/, 'Something is not a function'],
  [/ is not defined$/, 'Something is not defined'],
  [/ is not iterable/, 'Something is not iterable'],
  [/ is not a constructor$/, 'Something is not a constructor'],
  [/^Maximum call stack size exceeded/, 'Maximum call stack size exceeded'],
  [/^Invalid array length/, 'Invalid array length'],
  [/^Unexpected (token|end of JSON|non-whitespace)/, 'Unexpected token'],
  [/^(Failed to fetch|Load failed|NetworkError|Network Error)/, 'Failed to fetch'],
  [/^(Loading (CSS )?chunk|Failed to load chunk|ChunkLoadError)/, 'Loading a chunk failed'],
  [/^Hydration failed/, 'Hydration failed'],
  [/^useChat must be used within a ChatProvider$/, 'useChat must be used within a ChatProvider'],
  [/^Invalid Step! /, 'Invalid Step!'],
  [/^Invalid tour status: /, 'Invalid tour status'],
  [/^ResizeObserver loop/, 'ResizeObserver loop'],
  [/^A page was asked to throw$/, 'A page was asked to throw'],
];

export const withheld = 'Message withheld';

/** Returns what a report may say of an error's message; nothing of an unknown message. */
export function safeMessage(message: string): string {
  const react = /^Minified React error #(\d{1,4})/.exec(message)?.[1];
  if (react !== undefined) {
    return `Minified React error #${react}`;
  }
  const status = /^Request failed with status code (\d{3})$/.exec(message)?.[1];
  if (status !== undefined) {
    return `Request failed with status code ${status}`;
  }
  return known.find(([pattern]) => pattern.test(message))?.[1] ?? withheld;
}
