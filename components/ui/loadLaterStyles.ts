const address = new URL('../../styles/generated/later.css', import.meta.url).href;
let loading: Promise<void> | null = null;

/**
 * Loads antd's rules for what few pages show at once (scripts/antd-css.mjs), and resolves when they apply. They go
 * before all other sheets: our own rules win over antd's, in whichever order the files arrive. After a failure the next
 * call tries again.
 */
export function loadLaterStyles(): Promise<void> {
  loading ??= new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      loading = null;
      link.remove();
      reject(new Error('The styles of antd could not be loaded'));
    });
    document.head.prepend(link);
  });
  return loading;
}

/** Fetches the same file into the browser's cache, so that the first drawer opens without waiting for it. */
export function prefetchLaterStyles(): void {
  const link = document.createElement('link');
  link.rel = 'prefetch';
  link.as = 'style';
  link.href = address;
  document.head.append(link);
}
