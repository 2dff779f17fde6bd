import Document, { Head, Html, Main, NextScript, type DocumentContext, type DocumentInitialProps } from 'next/document';
import { themeScript } from '../components/layout/useThemeChoice';

const font = new URL('../node_modules/@fontsource/open-sans/files/open-sans-latin-400-normal.woff2', import.meta.url);

interface NonceProps {
  nonce: string | undefined;
}

/** The frame of every page. The nonce comes with the request (server/http) and never reaches the page's data. */
export default class WardlightDocument extends Document<NonceProps> {
  static override async getInitialProps(context: DocumentContext): Promise<DocumentInitialProps & NonceProps> {
    const nonce = context.req?.headers['x-nonce'];
    return { ...(await Document.getInitialProps(context)), nonce: typeof nonce === 'string' ? nonce : undefined };
  }

  override render() {
    const { nonce } = this.props;
    return (
      <Html lang="en" data-theme="light">
        <Head nonce={nonce}>
          <link rel="preload" href={font.pathname} as="font" type="font/woff2" crossOrigin="anonymous" />
          <link rel="icon" href="/icon.svg" type="image/svg+xml" />
          <script nonce={nonce} dangerouslySetInnerHTML={{ __html: themeScript }} />
        </Head>
        {/* antd's variables stand under this class, so that our own rules find them everywhere. */}
        <body className="wardlight">
          <Main />
          <NextScript nonce={nonce} />
        </body>
      </Html>
    );
  }
}
