import type { NextPage } from 'next';
import Head from 'next/head';
import { ErrorFallback } from '../components/ui/ErrorFallback';
import type { PageRequest } from '../lib/api/pageContext';
import { reportError } from '../lib/monitoring/pageErrors';

interface ServerErrorProps {
  reportId: string | null;
}

/** Shown by Next when a page could not be rendered on the server, without the shell, which may have failed too. */
const ServerError: NextPage<ServerErrorProps> = ({ reportId }) => (
  <>
    <Head>
      <title>Something went wrong - Wardlight</title>
    </Head>
    <main>
      <ErrorFallback reportId={reportId} />
    </main>
  </>
);

ServerError.getInitialProps = ({ req, err }) => {
  if (err === undefined || err === null) {
    return { reportId: null };
  }
  const request: PageRequest | undefined = req;
  return { reportId: request === undefined ? reportError(err) : (request.wardlight?.reportFault(err) ?? null) };
};

export default ServerError;
