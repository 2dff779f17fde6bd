import Document, { Html, Main, NextScript, type DocumentContext, type DocumentInitialProps } from 'next/document';
import type { PageRequest } from '../lib/api/pageContext';
import { bannersScript } from '../components/layout/Banners';
import { UnblockedHead } from '../components/layout/UnblockedHead';
import { themeScript } from '../components/layout/useThemeChoice';

/**
 * Both weights: otherwise a letter whose font has not loaded is first drawn in a font that the browser has to look for,
 * size by size.
 */
const fonts = [
  new URL('../node_modules/@fontsource/open-sans/files/open-sans-latin-400-normal.woff2', import.meta.url),
  new URL('../node_modules/@fontsource/open-sans/files/open-sans-latin-600-normal.woff2', import.meta.url),
];

interface RequestProps {
  nonce: string | undefined;
  reportsTo: string | undefined;
}

/**
 * The frame of every page. Its own values come with the request (server/http) and are never part of the page's data.
 */
export default class WardlightDocument extends Document<RequestProps> {
  static override async getInitialProps(context: DocumentContext): Promise<DocumentInitialProps & RequestProps> {
    const request: PageRequest | undefined = context.req;
    const nonce = request?.headers['x-nonce'];
    return {
      ...(await Document.getInitialProps(context)),
      nonce: typeof nonce === 'string' ? nonce : undefined,
      reportsTo: request?.wardlight?.reportsTo ?? undefined,
    };
  }

  override render() {
    const { nonce, reportsTo } = this.props;
    return (
      // The receiver of error reports is known when the server starts, not at build time (sentry.client.config.ts).
      <Html lang="en" data-theme="light" data-reports={reportsTo}>
        <UnblockedHead nonce={nonce}>
          {fonts.map(({ pathname }) => (
            <link key={pathname} rel="preload" href={pathname} as="font" type="font/woff2" crossOrigin="anonymous" />
          ))}
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: `${themeScript};${bannersScript}` }} />
        </UnblockedHead>
        <body>
          <Main />
          <NextScript nonce={nonce} />
        </body>
      </Html>
    );
  }
}
