import { useEffect } from 'react';

const address = new URL('../../styles/generated/antd-later.css', import.meta.url).href;

/**
 * Fetches the rules of what opens later once the page has loaded, so that they do not hold up the first paint. They go
 * before all other sheets: our own rules win over antd's, in whichever order the files arrive.
 */
export function useLaterStyles(): void {
  useEffect(() => {
    const fetchStyles = (): void => {
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = address;
      document.head.prepend(link);
    };
    if (document.readyState === 'complete') {
      fetchStyles();
      return undefined;
    }
    window.addEventListener('load', fetchStyles, { once: true });
    return () => window.removeEventListener('load', fetchStyles);
  }, []);
}
