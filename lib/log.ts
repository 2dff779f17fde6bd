/**
 * Writes to the console; this file is the only place that may. The product spec fixes some texts ("Failed to connect
 * user:"). They come first, followed by a code and a status at most, never by a message or a value that could name a
 * patient.
 */
export function logError(text: string, failure?: { code?: string; status?: number }): void {
  if (failure === undefined) {
    console.error(text);
  } else {
    console.error(text, failure);
  }
}

/** Writes a fixed text to the console as a warning. */
export function logWarning(text: string): void {
  console.warn(text);
}
