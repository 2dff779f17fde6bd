/** Loads an address as the browser itself does; the page ends. */
export function loadPage(address: string): void {
  window.location.assign(address);
}
