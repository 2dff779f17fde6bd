import Head from 'next/head';
import { ErrorFallback } from '../components/ui/ErrorFallback';

/** What Next shows when a page could not be made on the server. */
export default function ServerError() {
  return (
    <>
      <Head>
        <title>Something went wrong - Wardlight</title>
      </Head>
      <main>
        <ErrorFallback />
      </main>
    </>
  );
}
