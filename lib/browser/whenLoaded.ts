/**
 * Calls a function once the page with all its parts has loaded, at once if it has; returns the function that cancels
 * it.
 */
export function whenLoaded(then: () => void): () => void {
  if (document.readyState === 'complete') {
    then();
    return () => undefined;
  }
  window.addEventListener('load', then, { once: true });
  return () => window.removeEventListener('load', then);
}
