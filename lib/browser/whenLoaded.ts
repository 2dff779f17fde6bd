/** Calls a function once the page with all its parts has loaded, at once where it has; returns how to call it off. */
export function whenLoaded(then: () => void): () => void {
  if (document.readyState === 'complete') {
    then();
    return () => undefined;
  }
  window.addEventListener('load', then, { once: true });
  return () => window.removeEventListener('load', then);
}
