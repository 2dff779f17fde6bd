import type { GetServerSideProps } from 'next';
import Head from 'next/head';
import { CheckInScreen } from '../components/checkIn/CheckInScreen';
import { pageContext } from '../lib/api/pageContext';
import type { PageProps } from '../store/getPageProps';

/** No user, also if someone is signed in at this browser: the link alone opens it. */
export const getServerSideProps: GetServerSideProps<Pick<PageProps, 'insecureTransport'>> = ({ req }) =>
  Promise.resolve({ props: { insecureTransport: pageContext(req).insecureTransport } });

/** Check-in from home. `pages/_app.tsx` gives it no shell; its errors are reported without a recording. */
export default function CheckInPage() {
  return (
    <>
      <Head>
        <title>Check-in - Wardlight</title>
      </Head>
      <CheckInScreen />
    </>
  );
}
