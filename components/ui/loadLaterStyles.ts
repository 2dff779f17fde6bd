const address = new URL('../../styles/generated/later.css', import.meta.url).href;

/**
 * Loads antd's rules for what most pages show later (scripts/antd-css.mjs), once. They go before all other sheets: our
 * own rules win over antd's, in whichever order the files arrive.
 */
export function loadLaterStyles(): void {
  if (document.querySelector(`link[href="${address}"]`) !== null) {
    return;
  }
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = address;
  document.head.prepend(link);
}
