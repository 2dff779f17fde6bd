import { carryListPlace } from './listPlace';

/** Loads an address as the browser itself does; the page ends. The list still opens where the user left it. */
export function loadPage(address: string): void {
  carryListPlace();
  window.location.assign(address);
}
